"""Contents and parts of Gemini's API, on Google's own address and on Vertex."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kit.wire.dialect import WireCall, WireMessage
from kit.wire.shape import as_object, compact, objects, prose, read_count, text_or_none, total, without

_UNDERSCORE = re.compile(r"_([a-z])")
_RESULT_FIELDS = ("output", "result", "return_value", "error")


def parts_of(content: Any) -> list[dict[str, Any]]:
    """The parts of a content: some clients send one part, or a bare text, where a list belongs."""
    if isinstance(content, str):
        return [{"text": content}]
    parts = as_object(content).get("parts")
    return [_camel(part) for part in ([parts] if isinstance(parts, dict) else objects(parts))]


def read_content(content: Mapping[str, Any]) -> tuple[WireMessage, ...]:
    """A content of a request as messages: results of functions stand on their own, before what is said."""
    parts = parts_of(content)
    results = [_result(part["functionResponse"]) for part in parts if _has(part, "functionResponse")]
    rest = [part for part in parts if not _has(part, "functionResponse")]
    if results and not rest:
        return tuple(results)
    role = text_or_none(content.get("role")) or "user"
    said = WireMessage("assistant" if role == "model" else role, text_of(rest), calls_of(rest))
    return (*results, said)


def text_of(parts: Sequence[Mapping[str, Any]]) -> str | None:
    """What the parts say; thoughts are not said, and what a tool parts is a paragraph."""
    return prose(_text(part) for part in parts)


def thinking_of(parts: Sequence[Mapping[str, Any]]) -> str | None:
    """What the model thought."""
    return "".join(text_or_none(part.get("text")) or "" for part in parts if part.get("thought")) or None


def calls_of(parts: Sequence[Mapping[str, Any]]) -> tuple[WireCall, ...]:
    """The functions that the agent has to call."""
    return tuple(_call(part["functionCall"]) for part in parts if _has(part, "functionCall"))


def server_calls_of(parts: Sequence[Mapping[str, Any]]) -> tuple[WireCall, ...]:
    """Code that the server ran and tools that it called, each with the result next to it."""
    found: list[WireCall] = []
    for part in parts:
        if _has(part, "executableCode"):
            code = part["executableCode"]
            found.append(_made("code_execution", code, without(code, "id")))
        elif _has(part, "toolCall"):
            call = part["toolCall"]
            found.append(_made(_tool_name(call), call, without(call, "id", "toolType")))
        for name in ("codeExecutionResult", "toolResponse"):
            if _has(part, name) and found:
                _settle(found, as_object(part[name]))
    return tuple(found)


def prompt_tokens(usage: Any) -> int | None:
    """The prompt with what the server's own tools added to it."""
    return total(read_count(usage, "promptTokenCount"), read_count(usage, "toolUsePromptTokenCount"))


def completion_tokens(usage: Any) -> int | None:
    """All that the model wrote, thoughts included; a count of zero is left out, so the total tells it."""
    written = total(read_count(usage, "candidatesTokenCount"), read_count(usage, "thoughtsTokenCount"))
    prompt, whole = prompt_tokens(usage), read_count(usage, "totalTokenCount")
    if written is None and prompt is not None and whole is not None:
        return max(whole - prompt, 0)
    return written


def _camel(part: dict[str, Any]) -> dict[str, Any]:
    """Google takes `function_call` for `functionCall`, and some clients send it so."""
    if not any("_" in name for name in part):
        return part
    return {_UNDERSCORE.sub(lambda found: found.group(1).upper(), name): item for name, item in part.items()}


def _has(part: Mapping[str, Any], name: str) -> bool:
    return isinstance(part.get(name), dict)


def _text(part: Mapping[str, Any]) -> str | None:
    if not isinstance(part.get("text"), str):
        return None
    # A thought between two texts does not part them in a stream, nor does an empty text.
    return "" if part.get("thought") else str(part["text"])


def _call(call: Mapping[str, Any]) -> WireCall:
    arguments = call.get("args", {})
    known = arguments if isinstance(arguments, dict) else None
    return WireCall(
        text_or_none(call.get("id")), text_or_none(call.get("name")) or "", known, compact(arguments)
    )


def _made(name: str, call: Mapping[str, Any], arguments: dict[str, Any]) -> WireCall:
    return WireCall(text_or_none(call.get("id")), name, arguments, compact(arguments))


def _tool_name(call: Mapping[str, Any]) -> str:
    return text_or_none(call.get("name")) or (text_or_none(call.get("toolType")) or "").lower()


def _settle(found: list[WireCall], result: dict[str, Any]) -> None:
    """Give a result to its call: the one of its id, else the last."""
    wanted = text_or_none(result.get("id"))
    places = [place for place, call in enumerate(found) if wanted is not None and call.id == wanted]
    place = places[-1] if places else len(found) - 1
    call = found[place]
    told = result.get("output", result.get("response", without(result, "id", "toolType")))
    found[place] = WireCall(call.id, call.name, call.arguments, call.raw, compact(told))


def _result(response: Mapping[str, Any]) -> WireMessage:
    """A function's result: clients wrap a bare one into an object with one field."""
    value = response.get("response")
    if isinstance(value, dict) and len(value) == 1:
        name = next(iter(value))
        value = value[name] if name in _RESULT_FIELDS else value
    return WireMessage(
        "tool",
        None if value is None else compact(value) or None,
        call_id=text_or_none(response.get("id")),
        name=text_or_none(response.get("name")),
    )
