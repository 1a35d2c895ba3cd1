"""Cohere's messages, answers and counts, of both versions of its API and behind Bedrock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kit.wire.dialect import ModelAnswer, ModelRequest, WireCall, WireMessage
from kit.wire.openai_message import read_calls, read_error, read_messages, read_text
from kit.wire.shape import as_object, compact, objects, prose, read_count, text_or_none, without

_REFUSED = frozenset({"ERROR_TOXIC"})
_ROLES = {"CHATBOT": "assistant", "USER": "user", "SYSTEM": "system", "TOOL": "tool"}


def read_cohere_request(value: Mapping[str, Any], model: str | None) -> ModelRequest:
    """A request's object, of version 2 (`messages`) or 1 (`message` behind a `chat_history`)."""
    messages = read_messages(value.get("messages")) if "messages" in value else tuple(_version_1(value))
    names = ("model", "messages", "message", "chat_history", "preamble", "tool_results", "tools")
    return ModelRequest(
        model=model,
        messages=messages,
        tools=tuple(objects(value.get("tools"))),
        parameters=without(value, *names),
    )


def read_cohere(value: Any) -> ModelAnswer:
    """The answer that one object is."""
    answer = as_object(value)
    message = answer.get("message")
    if not isinstance(message, dict) and "text" not in answer:
        return ModelAnswer(error=read_error(value, answers=()) or "answer has no message")
    reason = text_or_none(answer.get("finish_reason"))
    if isinstance(message, dict):
        content = message.get("content")
        text, calls = read_text(content), read_calls(message)
        thinking = prose(text_or_none(part.get("thinking")) for part in objects(content))
        thinking = thinking or text_or_none(message.get("tool_plan"))
    else:
        text, thinking = text_or_none(answer.get("text")), None
        calls = tuple(_call(call) for call in objects(answer.get("tool_calls")))
    return ModelAnswer(
        model=text_or_none(answer.get("model")),
        text=text,
        tool_calls=calls,
        finish_reason=reason,
        prompt_tokens=count(answer, "input_tokens"),
        completion_tokens=count(answer, "output_tokens"),
        refusal=(text or reason) if reason in _REFUSED else None,
        thinking=thinking,
    )


def count(answer: Mapping[str, Any], name: str) -> int | None:
    """A count of tokens as the model saw them, else as they are billed; Cohere may write `12.0`."""
    for holder in (as_object(answer.get("usage")), as_object(answer.get("meta"))):
        for place in (as_object(holder.get("tokens")), as_object(holder.get("billed_units"))):
            found = place.get(name)
            if isinstance(found, float) and found.is_integer() and found >= 0:
                return int(found)
            if (known := read_count(place, name)) is not None:
                return known
    metrics = answer.get("amazon-bedrock-invocationMetrics")
    return read_count(metrics, {"input_tokens": "inputTokenCount", "output_tokens": "outputTokenCount"}[name])


def _version_1(value: Mapping[str, Any]) -> list[WireMessage]:
    preamble = text_or_none(value.get("preamble"))
    found = [WireMessage("system", preamble)] if preamble else []
    for item in objects(value.get("chat_history")):
        role = text_or_none(item.get("role")) or ""
        calls = tuple(_call(call) for call in objects(item.get("tool_calls")))
        results = objects(item.get("tool_results"))
        found.extend(_result(result) for result in results)
        if not results:
            text = text_or_none(item.get("message"))
            found.append(WireMessage(_ROLES.get(role.upper(), role), text, calls))
    found.extend(_result(result) for result in objects(value.get("tool_results")))
    said = text_or_none(value.get("message"))
    return [*found, WireMessage("user", said)] if said else found


def _result(result: Mapping[str, Any]) -> WireMessage:
    name = text_or_none(as_object(result.get("call")).get("name"))
    return WireMessage("tool", compact(result.get("outputs")), name=name)


def _call(call: Mapping[str, Any]) -> WireCall:
    given = call.get("parameters", {})
    known = given if isinstance(given, dict) else None
    return WireCall(text_or_none(call.get("id")), text_or_none(call.get("name")) or "", known, compact(given))
