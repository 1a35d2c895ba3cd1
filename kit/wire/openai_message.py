"""Messages, tool calls, token counts and errors as the OpenAI family of APIs writes them in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kit.wire.dialect import UNUSABLE_OUTPUT, WireCall, WireMessage
from kit.wire.json_text import parse_json
from kit.wire.shape import compact, objects, text_or_none

_SAID = ("text", "output_text")
_RESULTS = ("output", "search_results", "code_results", "browser_results")
"""Where Groq tells what a tool gave; the text first, which models read."""
_TOLD = ("message", "detail", "Message", "errorMessage")
"""Where a body says what went wrong; AWS writes it either way."""


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


def read_thinking(message: Mapping[str, Any]) -> str | None:
    """What a model thought before it spoke, under any of the names that servers give it."""
    for name in ("reasoning_content", "reasoning"):
        if text := text_or_none(message.get(name)):
            return text
    details = [text_or_none(part.get("text")) for part in objects(message.get("reasoning_details"))]
    inner = [
        text_or_none(thought.get("text"))
        for part in objects(message.get("content"))
        if part.get("type") == "thinking"
        for thought in objects(part.get("thinking"))
    ]
    return "".join(filter(None, (*details, *inner))) or None


def read_calls(message: Mapping[str, Any]) -> tuple[WireCall, ...]:
    """The tool calls of a message, the older `function_call` included."""
    calls = [_listed_call(call) for call in objects(message.get("tool_calls"))]
    legacy = message.get("function_call")
    # Snowflake sends one without a name beside every answer.
    if isinstance(legacy, dict) and (legacy.get("name") or legacy.get("arguments")):
        calls.append(make_call(None, legacy))
    return tuple(calls)


def read_server_calls(message: Mapping[str, Any]) -> tuple[WireCall, ...]:
    """Tools that the server itself ran (Groq's compound models)."""
    return tuple(
        WireCall(
            None,
            text_or_none(call.get("name")) or text_or_none(call.get("type")) or "",
            parse_arguments(raw := compact(call.get("arguments") or "")),
            raw,
            next((compact(given) for name in _RESULTS if (given := call.get(name)) is not None), None),
        )
        for call in objects(message.get("executed_tools"))
    )


def make_call(call_id: Any, function: Any) -> WireCall:
    """A tool call from its id and its `{name, arguments}`; arguments that do not parse stay in `raw` only."""
    body = function if isinstance(function, dict) else {}
    arguments = body.get("arguments")
    if isinstance(arguments, dict):
        # Ollama's own habit: an object where OpenAI has a text.
        return WireCall(text_or_none(call_id), _name(body), arguments, compact(arguments))
    raw = arguments if isinstance(arguments, str) else ""
    return WireCall(text_or_none(call_id), _name(body), parse_arguments(raw), raw)


def free_text_call(call_id: Any, name: Any, text: Any) -> WireCall:
    """A call of a tool that takes plain text (OpenAI's custom tools): the text is its argument `input`."""
    raw = text if isinstance(text, str) else ""
    return WireCall(text_or_none(call_id), text_or_none(name) or "", {"input": raw}, raw)


def parse_arguments(raw: str) -> dict[str, Any] | None:
    """Arguments as an object; `""` is the empty object, as servers send it for a tool without parameters."""
    if not raw.strip():
        return {}
    try:
        value = parse_json(raw)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def read_error(value: Any, *, answers: tuple[str, ...] = ("choices",)) -> str | None:
    """The message of an error body: `{"error": {…}}` of OpenAI and llama.cpp, `{"error": "…"}`, other forms.

    Args:
        value: the body's JSON.
        answers: fields of a real answer: a body that has one and no `error` is none of an error.

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
    is_answer = any(name in value for name in answers)
    if value.get("object") == "error" or (not is_answer and any(name in value for name in _TOLD)):
        return _error_text(value)
    return None


def _message(item: dict[str, Any]) -> WireMessage:
    role = item.get("role")
    return WireMessage(
        role=role if isinstance(role, str) else "",
        text=read_text(item.get("content")),
        calls=read_calls(item),
        call_id=text_or_none(item.get("tool_call_id")),
        name=text_or_none(item.get("name")) or text_or_none(item.get("tool_name")),
    )


def _listed_call(call: Mapping[str, Any]) -> WireCall:
    custom = call.get("custom")
    if isinstance(custom, dict) and (custom.get("name") or not isinstance(call.get("function"), dict)):
        return free_text_call(call.get("id"), custom.get("name"), custom.get("input"))
    return make_call(call.get("id"), call.get("function"))


def _part_text(part: Any) -> str:
    """Text of a content part; thinking parts (Mistral) are nested lists and not what the model said."""
    text = part.get("text") if isinstance(part, dict) and part.get("type", "text") in _SAID else ""
    return text if isinstance(text, str) else ""


def _error_text(error: Any) -> str:
    if isinstance(error, str):
        return error
    if isinstance(error, dict):
        if _is_models_own(error):
            return f"{UNUSABLE_OUTPUT}: {error.get('message')}"
        for key in (*_TOLD, "type", "code"):
            if text := error.get(key):
                return _told_inside(text) or compact(text)
    return compact(error)


def _told_inside(told: Any) -> str | None:
    """The message of an object that stands where a message should (`{"detail": {"message": …}}`)."""
    if not isinstance(told, dict):
        return None
    return next((text for key in _TOLD if (text := text_or_none(told.get(key)))), None)


def _is_models_own(error: Mapping[str, Any]) -> bool:
    """Groq answers 400 `tool_use_failed`, llama.cpp 500, where a model's tool call cannot be read."""
    message = error.get("message")
    return error.get("code") == "tool_use_failed" or (
        isinstance(message, str) and message.startswith("The model produced output that does not match")
    )


def _name(function: Mapping[str, Any]) -> str:
    return text_or_none(function.get("name")) or ""
