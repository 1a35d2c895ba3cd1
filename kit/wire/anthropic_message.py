"""Anthropic's messages and their content blocks, in requests, answers and assembled streams alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kit.wire.dialect import ModelAnswer, WireCall, WireMessage
from kit.wire.openai_message import parse_arguments, read_error
from kit.wire.shape import as_object, compact, objects, prose, read_count, text_or_none, total

_SERVER_CALLS = ("server_tool_use", "mcp_tool_use")


def read_message(message: Mapping[str, Any]) -> tuple[WireMessage, ...]:
    """A message of a request: each tool result in it stands on its own, before what the role says."""
    role = text_or_none(message.get("role")) or ""
    content = message.get("content")
    if not isinstance(content, list):
        return (WireMessage(role, text_or_none(content)),)
    blocks = objects(content)
    results = [_result(block) for block in blocks if block.get("type") == "tool_result"]
    rest = [block for block in blocks if block.get("type") != "tool_result"]
    if results and not rest:
        return tuple(results)
    return (*results, WireMessage(role, text_of(rest), calls_of(rest)))


def text_of(blocks: Sequence[Mapping[str, Any]]) -> str | None:
    """What the text blocks say; a tool between two makes a paragraph."""
    return prose(_text(block) for block in blocks)


def thinking_of(blocks: Sequence[Mapping[str, Any]]) -> str | None:
    """What the model thought aloud; redacted thoughts are none."""
    return prose(text_or_none(block.get("thinking")) for block in blocks if block.get("type") == "thinking")


def calls_of(blocks: Sequence[Mapping[str, Any]]) -> tuple[WireCall, ...]:
    """The tool calls that the agent has to make."""
    return tuple(_call(block) for block in blocks if block.get("type") == "tool_use")


def server_calls_of(blocks: Sequence[Mapping[str, Any]]) -> tuple[WireCall, ...]:
    """The tools that the server ran, each with the result that stands beside it."""
    results = {
        block["tool_use_id"]: compact(block.get("content"))
        for block in blocks
        if isinstance(block.get("tool_use_id"), str) and block.get("type") != "tool_result"
    }
    return tuple(
        _call(block, results.get(text_or_none(block.get("id")) or ""))
        for block in blocks
        if block.get("type") in _SERVER_CALLS
    )


def as_blocks(content: Any) -> list[dict[str, Any]]:
    """Content as blocks: a bare text is one."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return objects(content)


def prompt_tokens(usage: Any) -> int | None:
    """The whole prompt: Anthropic counts what came from and went to the cache apart."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return total(*(read_count(usage, name) for name in names))


def read_anthropic_message(value: Any) -> ModelAnswer:
    """The answer that a `message` object is."""
    error = read_error(value, answers=("content", "stop_reason"))
    if error is not None:
        return ModelAnswer(error=error)
    message = as_object(value)
    if not isinstance(message.get("content"), list):
        return ModelAnswer(model=text_or_none(message.get("model")), error="answer has no content")
    blocks = as_blocks(message["content"])
    reason = text_or_none(message.get("stop_reason"))
    text = text_of(blocks)
    return ModelAnswer(
        model=text_or_none(message.get("model")),
        text=text,
        tool_calls=calls_of(blocks),
        finish_reason=reason,
        prompt_tokens=prompt_tokens(message.get("usage")),
        completion_tokens=read_count(message.get("usage"), "output_tokens"),
        refusal=_refusal(message, reason, text),
        server_calls=server_calls_of(blocks),
        thinking=thinking_of(blocks),
    )


def _call(block: Mapping[str, Any], result: str | None = None) -> WireCall:
    raw = block.get("input", {})
    text = raw if isinstance(raw, str) else compact(raw)
    arguments = raw if isinstance(raw, dict) else parse_arguments(text)
    return WireCall(
        text_or_none(block.get("id")), text_or_none(block.get("name")) or "", arguments, text, result
    )


def _result(block: Mapping[str, Any]) -> WireMessage:
    content = block.get("content")
    text = text_or_none(content)
    if isinstance(content, list):
        parts = objects(content)
        text = text_of(parts) or (compact(parts) if parts else None)
    return WireMessage("tool", text, call_id=text_or_none(block.get("tool_use_id")))


def _text(block: Mapping[str, Any]) -> str | None:
    text = block.get("text")
    return text if block.get("type", "text") == "text" and isinstance(text, str) else None


def _refusal(message: dict[str, Any], reason: str | None, text: str | None) -> str | None:
    """A refusal has a reason to stop of its own; what explains it may be a text, stand beside it, or lack."""
    if reason != "refusal":
        return None
    details = as_object(message.get("stop_details"))
    return text or text_or_none(details.get("explanation")) or text_or_none(details.get("category")) or reason
