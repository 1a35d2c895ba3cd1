"""Items of OpenAI's responses API: what a request's `input` and an answer's `output` are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kit.wire.dialect import WireCall, WireMessage
from kit.wire.openai_message import free_text_call, parse_arguments
from kit.wire.shape import as_object, compact, objects, prose, text_or_none, without

_AGENTS_OWN = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "shell_call",
        "apply_patch_call",
        "computer_call",
        "tool_search_call",
    }
)
"""Calls that the agent has to make; the others are the server's own."""
_NOT_ARGUMENTS = ("type", "id", "call_id", "status", "name", "namespace", "execution", "created_by")
_RESULTS = ("output", "outputs", "result", "results", "tools", "error")
_NOT_TOLD = ("encrypted_content",)


def messages_of(items: Sequence[Mapping[str, Any]]) -> tuple[WireMessage, ...]:
    """Items of a request as messages: what the assistant said and asked for in one go is one message."""
    found: list[WireMessage] = []
    turn: list[Mapping[str, Any]] = []
    for item in items:
        if _is_assistants(item):
            turn.append(item)
            continue
        found.extend(_turn(turn))
        turn = []
        found.extend(_message(item))
    found.extend(_turn(turn))
    return tuple(found)


def text_of(items: Iterable[Mapping[str, Any]]) -> str | None:
    """What the messages among the items say; each is a paragraph."""
    pieces: list[str | None] = []
    for item in items:
        if item.get("type", "message") == "message":
            pieces += [_content(item.get("content"), "text"), None]
    return prose(pieces)


def refusal_of(items: Iterable[Mapping[str, Any]]) -> str | None:
    """The refusals among the messages' parts."""
    return prose(_content(item.get("content"), "refusal") for item in items)


def thinking_of(items: Iterable[Mapping[str, Any]]) -> str | None:
    """What the reasoning items show: the thoughts themselves (open models), else their summary."""
    pieces: list[str | None] = []
    for item in items:
        if item.get("type") == "reasoning":
            for part in objects(item.get("content")) or objects(item.get("summary")):
                pieces += [text_or_none(part.get("text")), None]
    return prose(pieces)


def calls_of(items: Sequence[Mapping[str, Any]]) -> tuple[WireCall, ...]:
    """The calls that the agent has to make."""
    done = _results(items)
    return tuple(_call(item) for item in items if _is_call(item) and not _is_servers(item, done))


def server_calls_of(items: Sequence[Mapping[str, Any]]) -> tuple[WireCall, ...]:
    """The calls that the server made, each with its result where the answer shows it."""
    done = _results(items)
    return tuple(
        _server_call(item, done, following)
        for item, following in zip(items, (*items[1:], {}), strict=False)
        if _is_call(item) and _is_servers(item, done)
    )


def _kind(item: Mapping[str, Any]) -> str:
    kind = item.get("type")
    return kind if isinstance(kind, str) else "message"


def _is_call(item: Mapping[str, Any]) -> bool:
    kind = _kind(item)
    return kind.endswith("_call") or kind in {"mcp_approval_request", "mcp_list_tools"}


def _is_servers(item: Mapping[str, Any], done: Mapping[str, str]) -> bool:
    """By its type; a shell or a search that the server ran says where, or comes with what it gave."""
    where = as_object(item.get("environment")).get("type")
    return (
        (isinstance(where, str) and where.startswith("container"))
        or _kind(item) not in _AGENTS_OWN
        or item.get("execution") == "server"
        or (_id(item) or "") in done
        or (_kind(item) == "tool_search_call" and item.get("execution") != "client")
    )


def _results(items: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {
        call_id: _result(item) or ""
        for item in items
        if _kind(item).endswith("_output") and (call_id := text_or_none(item.get("call_id"))) is not None
    }


def _is_assistants(item: Mapping[str, Any]) -> bool:
    if _kind(item) == "message":
        return item.get("role") == "assistant"
    return _is_call(item)


def _turn(items: Sequence[Mapping[str, Any]]) -> Iterable[WireMessage]:
    if items:
        yield WireMessage("assistant", text_of(items), calls_of(items))


def _message(item: Mapping[str, Any]) -> Iterable[WireMessage]:
    kind = _kind(item)
    if kind.endswith("_output"):
        yield WireMessage("tool", _result(item), call_id=text_or_none(item.get("call_id")))
    elif kind == "message":
        yield WireMessage(text_or_none(item.get("role")) or "", _content(item.get("content"), "text"))


def _content(content: Any, name: str) -> str | None:
    if isinstance(content, str):
        return content if name == "text" and content else None
    return "".join(filter(None, (text_or_none(part.get(name)) for part in objects(content)))) or None


def _result(item: Mapping[str, Any]) -> str | None:
    if _kind(item) == "image_generation_call" and item.get("result"):
        return "(image)"
    for name in _RESULTS:
        value = item.get(name)
        if value is not None:
            return (_content(value, "text") if name == "output" else None) or compact(value) or None
    return None


def _id(item: Mapping[str, Any]) -> str | None:
    return text_or_none(item.get("call_id")) or text_or_none(item.get("id"))


def _call(item: Mapping[str, Any]) -> WireCall:
    kind = _kind(item)
    if kind == "custom_tool_call":
        return free_text_call(_id(item), item.get("name"), item.get("input"))
    name = text_or_none(item.get("name")) or kind.removesuffix("_call")
    if "arguments" in item:
        given = item["arguments"]
        raw = compact(given) if given is not None else ""
        return WireCall(_id(item), name, given if isinstance(given, dict) else parse_arguments(raw), raw)
    arguments = without(item, *_NOT_ARGUMENTS, *_RESULTS, *_NOT_TOLD)
    return WireCall(_id(item), name, arguments, compact(arguments))


def _server_call(item: Mapping[str, Any], done: Mapping[str, str], following: Mapping[str, Any]) -> WireCall:
    """A call with its result: in itself, under its id, or without any in what follows it."""
    call = _call(item)
    result = done.get(_id(item) or "") or _result(item)
    if result is None and _kind(following).endswith("_output") and following.get("call_id") is None:
        result = _result(following)
    return WireCall(call.id, call.name, call.arguments, call.raw, result)
