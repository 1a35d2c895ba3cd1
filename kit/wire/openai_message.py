"""Messages, tool calls, token counts and errors as the OpenAI family of APIs writes them in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from kit.wire.dialect import UNUSABLE_OUTPUT, WireCall, WireMessage
from kit.wire.json_text import parse_json


def read_messages(value: Any) -> tuple[WireMessage, ...]:
    """The conversation of a request; what is no message is left out."""
    if not isinstance(value, list):
        return ()
    return tuple(_message(item) for item in value if isinstance(item, dict))


def read_text(content: Any) -> str | None:
    """The text of a message's content: a string, or the text parts of a list; empty counts as none."""
    if isinstance(content, str):
        return content or None
    if not isinstance(content, list):
        return None
    pieces = [part if isinstance(part, str) else _part_text(part) for part in content]
    return "".join(pieces) or None


def read_calls(message: Mapping[str, Any]) -> tuple[WireCall, ...]:
    """The tool calls of a message, the older `function_call` included."""
    listed = message.get("tool_calls")
    calls = [
        make_call(call.get("id"), call.get("function")) for call in _items(listed) if isinstance(call, dict)
    ]
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        calls.append(make_call(None, legacy))
    return tuple(calls)


def make_call(call_id: Any, function: Any) -> WireCall:
    """A tool call from its id and its `{name, arguments}`; arguments that do not parse stay in `raw` only."""
    body = function if isinstance(function, dict) else {}
    arguments = body.get("arguments")
    if isinstance(arguments, dict):
        # Ollama's own habit: an object where OpenAI has a text.
        return WireCall(text_or_none(call_id), _name(body), arguments, _compact(arguments))
    raw = arguments if isinstance(arguments, str) else ""
    return WireCall(text_or_none(call_id), _name(body), parse_arguments(raw), raw)


def parse_arguments(raw: str) -> dict[str, Any] | None:
    """Arguments as an object; `""` is the empty object, as servers send it for a tool without parameters."""
    if not raw.strip():
        return {}
    try:
        value = parse_json(raw)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def read_error(value: Any) -> str | None:
    """The message of an error body: `{"error": {…}}` of OpenAI and llama.cpp, `{"error": "…"}`, other forms.

    Returns:
        None where the value is no error body.
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]  # Gemini's compatible endpoint
    if not isinstance(value, dict):
        return None
    error = value.get("error")
    if error:
        return _error_text(error)
    if value.get("object") == "error" or (
        "choices" not in value and ("detail" in value or "message" in value)
    ):
        return _error_text(value)
    return None


def read_count(usage: Any, name: str) -> int | None:
    """A token count; None where it is missing or is no count (X-05)."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None


def text_or_none(value: Any) -> str | None:
    """A string that says something, else None."""
    return value if isinstance(value, str) and value else None


def _message(item: dict[str, Any]) -> WireMessage:
    role = item.get("role")
    return WireMessage(
        role=role if isinstance(role, str) else "",
        text=read_text(item.get("content")),
        calls=read_calls(item),
        call_id=text_or_none(item.get("tool_call_id")),
        name=text_or_none(item.get("name")),
    )


def _part_text(part: Any) -> str:
    """Text of a content part; thinking parts (Mistral) are nested lists and not what the model said."""
    text = (
        part.get("text")
        if isinstance(part, dict) and part.get("type", "text") in {"text", "output_text"}
        else ""
    )
    return text if isinstance(text, str) else ""


def _error_text(error: Any) -> str:
    if isinstance(error, str):
        return error
    if isinstance(error, dict):
        if _is_models_own(error):
            return f"{UNUSABLE_OUTPUT}: {error.get('message')}"
        for key in ("message", "detail", "type", "code"):
            if text := error.get(key):
                return text if isinstance(text, str) else _compact(text)
    return _compact(error)


def _is_models_own(error: Mapping[str, Any]) -> bool:
    """Groq answers 400 `tool_use_failed`, llama.cpp 500, where a model's tool call cannot be read."""
    message = error.get("message")
    return error.get("code") == "tool_use_failed" or (
        isinstance(message, str) and message.startswith("The model produced output that does not match")
    )


def _name(function: Mapping[str, Any]) -> str:
    return text_or_none(function.get("name")) or ""


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _compact(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # integers beyond 64 bits, lone surrogates, too deep
        return _shown(value)


def _shown(value: Any) -> str:
    try:
        return str(value)
    except RecursionError:
        return "(nested too deeply)"
