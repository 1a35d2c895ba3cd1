"""A recorded run as the conversation a person reads: each message once, where it first appeared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.trace.mcp_call import mcp_calls
from kit.trace.plain_http import what_it_is
from kit.wire.dialect import Dialect, ModelAnswer, WireCall, WireMessage
from kit.wire.registry import recognise
from kit.wire.shape import compact

Kind = Literal["message", "answer", "call", "server", "tool", "http"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing a person reads.

    Attributes:
        number: interaction it belongs to.
        kind: `message` (new in a request), `answer` (of the model), `call` (a tool call that the model asks
            for), `server` (a tool that the model's server ran itself), `tool` (a tool that ran), `http` (what
            is neither a model speaking nor a tool's call).
        who: role, tool name, or method and URL.
        text: what was said, the arguments, or the result.
        note: what stands beside it: tokens, status, latency, failure.
    """

    number: int
    kind: Kind
    who: str
    text: str
    note: str = ""


def conversation(interactions: Sequence[Interaction]) -> tuple[Item, ...]:
    """The items of a run in order of conversation; a result that a tool's own step told is not told again."""
    seen: list[tuple[WireMessage, ...]] = []
    told: set[str] = set()
    items: list[Item] = []
    for interaction in interactions:
        items.extend(_items(interaction, seen, told))
    return tuple(items)


def _items(interaction: Interaction, seen: list[tuple[WireMessage, ...]], told: set[str]) -> Iterable[Item]:
    request, response = interaction.request, interaction.response
    if isinstance(request, ToolRequest):
        item = _tool(interaction, request, response)
        told.add(item.text)
        yield item
        return
    if not isinstance(response, HttpResponse):
        return
    dialect = recognise(request.method, request.url, request.body)
    if dialect is None or dialect.kind not in {"chat", "mcp"}:
        yield _plain(interaction, dialect, request, response)
    elif dialect.kind == "chat":
        yield from _model_call(interaction, dialect, request, response, seen, told)
    else:
        yield from _mcp(interaction, request, response, told)


def _plain(
    interaction: Interaction, dialect: Dialect | None, request: HttpRequest, response: HttpResponse
) -> Item:
    who = f"{request.method} {request.url}"
    note = response.failure or f"status {response.status}, {len(response.body)} bytes"
    if dialect is None:
        return Item(interaction.number, "http", who, "", note)
    asked = dialect.read_request(request.body, request.url)
    answer = _answer(dialect, response)
    model = f" by {asked.model}" if asked.model else ""
    parts = [f"{dialect.name}{model}", note]
    if answer.prompt_tokens is not None:
        parts.append(f"{answer.prompt_tokens} tokens")
    text = answer.error or "\n".join(message.text or "" for message in asked.messages)
    return Item(interaction.number, "http", who, text, ", ".join(parts))


def _mcp(
    interaction: Interaction, request: HttpRequest, response: HttpResponse, told: set[str]
) -> Iterable[Item]:
    calls = mcp_calls([interaction])
    for call in calls:
        result = call.failure or ("" if call.result is None else compact(call.result))
        told.add(result)
        note = f"mcp, {call.ended_ms - call.started_ms} ms"
        yield Item(interaction.number, "tool", f"{call.call.name}({_arguments(call.call)})", result, note)
    if not calls:
        note = response.failure or f"status {response.status}, {len(response.body)} bytes"
        yield Item(interaction.number, "http", f"{what_it_is(request)} {request.url}", "", note)


def _answer(dialect: Dialect, response: HttpResponse) -> ModelAnswer:
    return dialect.read_response(response.body, response.content_type, streamed=bool(response.chunks))


def _model_call(
    interaction: Interaction,
    dialect: Dialect,
    request: HttpRequest,
    response: HttpResponse,
    seen: list[tuple[WireMessage, ...]],
    told: set[str],
) -> Iterable[Item]:
    messages = dialect.read_request(request.body, request.url).messages
    known = _longest_known(messages, seen)
    for message in messages[known:]:
        if message.role != "tool" or message.text not in told:
            yield from _message(interaction.number, message)
    answer = _answer(dialect, response)
    seen.append((*messages, WireMessage("assistant", answer.text, answer.tool_calls)))
    note = _note(interaction, response, answer)
    for call in answer.server_calls:
        yield Item(interaction.number, "server", f"{call.name}({_arguments(call)})", call.result or "")
    if answer.text or not answer.tool_calls:
        # A broken exchange says in the note what went wrong; that its answer is empty is no news.
        text = answer.text or answer.refusal or (None if response.failure else answer.error) or ""
        yield Item(interaction.number, "answer", "assistant", text, note)
        note = ""
    for call in answer.tool_calls:
        yield Item(interaction.number, "call", call.name, _arguments(call), note)
        note = ""


def _longest_known(messages: tuple[WireMessage, ...], seen: list[tuple[WireMessage, ...]]) -> int:
    best = 0
    for earlier in seen:
        common = 0
        for one, other in zip(messages, earlier, strict=False):
            if not _same(one, other):
                break
            common += 1
        best = max(best, common)
    return best


def _same(one: WireMessage, other: WireMessage) -> bool:
    return (
        one.role == other.role
        and (one.text or "") == (other.text or "")
        and one.call_id == other.call_id
        and [call.name for call in one.calls] == [call.name for call in other.calls]
    )


def _message(number: int, message: WireMessage) -> Iterable[Item]:
    if message.text or not message.calls:
        who = f"tool result of {message.name}" if message.name and message.role == "tool" else message.role
        yield Item(number, "message", who, message.text or "")
    for call in message.calls:
        yield Item(number, "call", call.name, _arguments(call))


def _arguments(call: WireCall) -> str:
    return call.raw if call.arguments is None else _json(call.arguments)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else compact(value)


def _tool(interaction: Interaction, request: ToolRequest, response: HttpResponse | ToolResponse) -> Item:
    note = f"{interaction.ended_ms - interaction.started_ms} ms"
    if not isinstance(response, ToolResponse):
        return Item(interaction.number, "tool", request.name, _json(request.arguments), note)
    result = response.failure or (
        response.result if isinstance(response.result, str) else _json(response.result)
    )
    return Item(interaction.number, "tool", f"{request.name}({_json(request.arguments)})", result, note)


def _note(interaction: Interaction, response: HttpResponse, answer: ModelAnswer) -> str:
    parts = [] if response.status in {0, 200} else [f"status {response.status}"]
    if response.failure:
        parts.append(response.failure)
    if answer.prompt_tokens is not None and answer.completion_tokens is not None:
        parts.append(f"{answer.prompt_tokens} + {answer.completion_tokens} tokens")
    if answer.pending:
        parts.append("answered later")
    if answer.refusal is not None:
        parts.append("refused")
    if response.chunks:
        parts.append(f"streamed in {len(response.chunks)} pieces")
    parts.append(f"{interaction.ended_ms - interaction.started_ms} ms")
    return ", ".join(parts)
