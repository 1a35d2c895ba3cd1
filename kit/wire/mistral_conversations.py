"""Mistral's conversations: what is said stands on the server, and a request only adds to it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any

from kit.wire.answer import read_answer, sse_values
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest, WireCall, WireMessage
from kit.wire.openai_message import make_call, read_error, read_text, read_thinking
from kit.wire.shape import (
    as_object,
    compact,
    objects,
    prose,
    read_count,
    request_object,
    text_or_none,
    total,
    without,
)

_ASKED = re.compile(r"/v1/conversations(?:/[^/]+(?:/restart)?)?\Z")
_GROWS = {
    "message.output.delta": "message.output",
    "function.call.delta": "function.call",
    "tool.execution.started": "tool.execution",
    "tool.execution.delta": "tool.execution",
    "tool.execution.done": "tool.execution",
}
"""Events that say more of an output, and of which one."""


class MistralConversations:
    """The dialect of `POST …/v1/conversations`, `…/{id}` and `…/{id}/restart`."""

    name = "mistral_conversations"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """By path and body: OpenAI keeps conversations at the same place, and nobody speaks there."""
        return (
            method.upper() == "POST" and b'"inputs"' in body and _ASKED.search(path.rstrip("/")) is not None
        )

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:  # noqa: ARG002 - the model is in the body
        """What is added to the conversation; the agent stands for the model where one is named."""
        value, error = request_object(body)
        if error is not None:
            return ModelRequest(error=error)
        instructions, inputs = text_or_none(value.get("instructions")), value.get("inputs")
        said = text_or_none(inputs)
        return ModelRequest(
            model=text_or_none(value.get("model")) or text_or_none(value.get("agent_id")),
            messages=(
                *([WireMessage("system", instructions)] if instructions else ()),
                *([WireMessage("user", said)] if said else map(_message, objects(inputs))),
            ),
            tools=tuple(objects(value.get("tools"))),
            parameters=without(value, "model", "agent_id", "instructions", "inputs", "tools"),
        )

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered."""
        return read_answer(body, content_type, streamed=streamed, of_json=_read, of_stream=_read_stream)


MISTRAL_CONVERSATIONS = MistralConversations()


def _message(entry: Mapping[str, Any]) -> WireMessage:
    kind = text_or_none(entry.get("type"))
    if kind == "function.result":
        result = entry.get("result")
        told = None if result is None else compact(result) or None
        return WireMessage("tool", told, call_id=text_or_none(entry.get("tool_call_id")))
    if kind == "function.call":
        return WireMessage("assistant", calls=(_call(entry),))
    default = "assistant" if kind in {"message.output", "tool.execution"} else "user"
    return WireMessage(text_or_none(entry.get("role")) or default, read_text(entry.get("content")))


def _call(entry: Mapping[str, Any]) -> WireCall:
    return make_call(text_or_none(entry.get("tool_call_id")) or entry.get("id"), entry)


def _run(entry: Mapping[str, Any]) -> WireCall:
    """A tool that the server ran, with whatever it tells of it."""
    call = make_call(entry.get("id"), entry)
    given = entry.get("info")
    return dataclasses.replace(call, result=compact(given) if given else None)


def _read(value: Any) -> ModelAnswer:
    answer = as_object(value)
    error = read_error(value, answers=("outputs",))
    if error is not None or "outputs" not in answer:
        return ModelAnswer(error=error or "answer has no outputs")
    outputs, usage = objects(answer["outputs"]), answer.get("usage")
    said = [one for one in outputs if one.get("type", "message.output") == "message.output"]
    return ModelAnswer(
        model=next((model for one in outputs if (model := text_or_none(one.get("model")))), None),
        text=prose(piece for one in said for piece in (read_text(one.get("content")), None)),
        tool_calls=tuple(_call(one) for one in outputs if one.get("type") == "function.call"),
        prompt_tokens=total(read_count(usage, "prompt_tokens"), read_count(usage, "connector_tokens")),
        completion_tokens=read_count(usage, "completion_tokens"),
        server_calls=tuple(_run(one) for one in outputs if one.get("type") == "tool.execution"),
        thinking="".join(filter(None, map(read_thinking, said))) or None,
    )


def _read_stream(body: bytes) -> ModelAnswer:
    outputs: dict[Any, dict[str, Any]] = {}
    usage = error = None
    is_done = False
    for value in sse_values(body):
        event = as_object(value)
        kind = text_or_none(event.get("type"))
        if kind in _GROWS:
            place = compact(event.get("output_index", event.get("id")))
            outputs[place] = _grown(outputs.get(place, {}), event, _GROWS[kind])
        elif kind == "conversation.response.done":
            usage, is_done = event.get("usage"), True
        elif kind == "conversation.response.error" or not kind:
            error = error or read_error(event, answers=("outputs",))
    answer = _read({"outputs": list(outputs.values()), "usage": usage})
    is_nothing = not outputs and not is_done and error is None
    return dataclasses.replace(
        answer,
        tool_calls=answer.tool_calls if is_done else tuple(_unsure(answer.tool_calls)),
        error=error or ("stream holds no answer" if is_nothing else None),
        broken=not is_done,
    )


def _grown(output: Mapping[str, Any], event: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """An output with one more piece of it: content and arguments add up, the rest is said once."""
    grown = {**output, **{name: value for name, value in event.items() if value}, "type": kind}
    content = event.get("content")
    piece = [{"text": content}] if isinstance(content, str) else objects([content])
    grown["content"] = [*objects(output.get("content")), *piece]
    before, more = output.get("arguments"), event.get("arguments")
    if isinstance(before, str) and isinstance(more, str):
        grown["arguments"] = before + more
    return grown


def _unsure(calls: Iterable[WireCall]) -> Iterable[WireCall]:
    """Where the stream was cut before any argument came, they are unknown, not empty."""
    return (call if call.raw else dataclasses.replace(call, arguments=None) for call in calls)
