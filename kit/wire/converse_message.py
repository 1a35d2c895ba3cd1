"""Messages and answers of Bedrock's converse API, which Nova models speak behind `invoke` too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kit.wire.dialect import UNUSABLE_OUTPUT, ModelAnswer, ModelRequest, WireCall, WireMessage
from kit.wire.openai_message import parse_arguments, read_error
from kit.wire.shape import as_object, compact, objects, prose, read_count, text_or_none, total, without

_REFUSED = frozenset({"guardrail_intervened", "content_filtered", "refusal"})
_UNUSABLE = frozenset({"malformed_tool_use", "malformed_model_output"})


def read_conversation(value: Mapping[str, Any], model: str | None) -> ModelRequest:
    """A request's object; the system prompt is the first message."""
    system = text_of(objects(value.get("system")))
    messages = [WireMessage("system", system)] if system else []
    for message in objects(value.get("messages")):
        messages.extend(_message(message))
    tools = objects(as_object(value.get("toolConfig")).get("tools"))
    parameters = without(value, "system", "messages", "toolConfig")
    choice = as_object(value.get("toolConfig")).get("toolChoice")
    return ModelRequest(
        model=model,
        messages=tuple(messages),
        tools=tuple(as_object(tool.get("toolSpec")) or tool for tool in tools),
        parameters={**parameters, "toolChoice": choice} if choice is not None else parameters,
    )


def read_converse(value: Any) -> ModelAnswer:
    """The answer that a converse response is."""
    error = read_error(value, answers=("output",))
    if error is not None:
        return ModelAnswer(error=error)
    response = as_object(value)
    message = as_object(response.get("output")).get("message")
    if not isinstance(message, dict):
        return ModelAnswer(error="answer has no message")
    blocks = objects(message.get("content"))
    reason, usage = text_or_none(response.get("stopReason")), response.get("usage")
    text = text_of(blocks)
    return ModelAnswer(
        text=text,
        tool_calls=calls_of(blocks),
        finish_reason=reason,
        prompt_tokens=prompt_tokens(usage),
        completion_tokens=read_count(usage, "outputTokens"),
        refusal=(text or reason) if reason in _REFUSED else None,
        error=f"{UNUSABLE_OUTPUT}: {reason}" if reason in _UNUSABLE else None,
        server_calls=server_calls_of(blocks),
        thinking=thinking_of(blocks),
    )


def text_of(blocks: Sequence[Mapping[str, Any]]) -> str | None:
    """What the blocks say, cited text included."""
    return prose(_text(block) for block in blocks)


def thinking_of(blocks: Sequence[Mapping[str, Any]]) -> str | None:
    """What the model thought aloud."""
    thoughts = [as_object(as_object(block.get("reasoningContent")).get("reasoningText")) for block in blocks]
    return prose(text_or_none(thought.get("text")) for thought in thoughts)


def calls_of(blocks: Sequence[Mapping[str, Any]]) -> tuple[WireCall, ...]:
    """The tools that the agent has to call."""
    return tuple(_call(use) for use in _uses(blocks) if use.get("type") != "server_tool_use")


def server_calls_of(blocks: Sequence[Mapping[str, Any]]) -> tuple[WireCall, ...]:
    """The tools that the server ran, each with the result in the same answer."""
    found = [as_object(block.get("toolResult")) for block in blocks if "toolResult" in block]
    results = {str(result.get("toolUseId")): compact(result.get("content")) for result in found}
    return tuple(
        _call(use, results.get(str(use.get("toolUseId"))))
        for use in _uses(blocks)
        if use.get("type") == "server_tool_use"
    )


def prompt_tokens(usage: Any) -> int | None:
    """The whole prompt: what came from and went to the cache is counted apart."""
    names = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
    return total(*(read_count(usage, name) for name in names))


def _message(message: Mapping[str, Any]) -> tuple[WireMessage, ...]:
    """A message of a request: each tool result in it stands on its own, before what the role says."""
    role = text_or_none(message.get("role")) or ""
    content = message.get("content")
    blocks = [{"text": content}] if isinstance(content, str) else objects(content)
    # Beside an assistant's own server tools stand their results: those are none of the agent's.
    is_answer = role != "assistant"
    results = [as_object(block["toolResult"]) for block in blocks if "toolResult" in block and is_answer]
    rest = [block for block in blocks if "toolResult" not in block or not is_answer]
    told = [
        WireMessage("tool", _told(result.get("content")), call_id=text_or_none(result.get("toolUseId")))
        for result in results
    ]
    return tuple(told) if told and not rest else (*told, WireMessage(role, text_of(rest), calls_of(rest)))


def _told(content: Any) -> str | None:
    blocks = objects(content)
    if len(blocks) == 1 and "json" in blocks[0]:
        return compact(blocks[0]["json"])
    return text_of(blocks) or (compact(blocks) if blocks else None)


def _text(block: Mapping[str, Any]) -> str | None:
    if "citationsContent" in block:
        cited = objects(as_object(block["citationsContent"]).get("content"))
        return "".join(text_or_none(part.get("text")) or "" for part in cited)
    text = block.get("text")
    return text if isinstance(text, str) else None


def _uses(blocks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [as_object(block["toolUse"]) for block in blocks if "toolUse" in block]


def _call(use: Mapping[str, Any], result: str | None = None) -> WireCall:
    given = use.get("input", {})
    raw = compact(given)
    arguments = given if isinstance(given, dict) else parse_arguments(raw)
    return WireCall(
        text_or_none(use.get("toolUseId")), text_or_none(use.get("name")) or "", arguments, raw, result
    )
