"""Bodies behind Bedrock's invoke: each vendor's own, told apart by their form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kit.wire import anthropic, anthropic_stream, converse_message
from kit.wire.anthropic_message import read_anthropic_message
from kit.wire.cohere_message import read_cohere, read_cohere_request
from kit.wire.cohere_stream import join_cohere
from kit.wire.converse_stream import assemble_events
from kit.wire.dialect import ModelAnswer, ModelRequest
from kit.wire.openai_chat import read_completion
from kit.wire.openai_message import read_messages
from kit.wire.openai_stream import join_chunks
from kit.wire.plain_text import join_texts, read_prompt, read_text_answer
from kit.wire.shape import as_object, objects, read_count, without

_METRICS = "amazon-bedrock-invocationMetrics"
_CONVERSE_EVENTS = (
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
    "metadata",
)


def read_vendor_request(value: dict[str, Any], model: str | None) -> ModelRequest:
    """A request's object: Anthropic's, Nova's, OpenAI's, Cohere's, or one text to go on with."""
    if "anthropic_version" in value:
        return anthropic.read_conversation(value, model)
    if "messages" in value and _is_converse(value):
        return converse_message.read_conversation(value, model)
    if "messages" in value:
        return ModelRequest(
            model=model,
            messages=read_messages(value["messages"]),
            tools=tuple(objects(value.get("tools"))),
            parameters=without(value, "model", "messages", "tools"),
        )
    if "message" in value:
        return read_cohere_request(value, model)
    return read_prompt(value, model)


def read_vendor_answer(value: Any) -> ModelAnswer:
    """The answer that one object is."""
    answer = as_object(value)
    if isinstance(answer.get("content"), list) or answer.get("type") == "message":
        return read_anthropic_message(value)
    if "output" in answer:
        return converse_message.read_converse(value)
    choices = objects(answer.get("choices"))
    if choices and "message" in choices[0]:
        return read_completion(value)
    if "generation_id" in answer or "chat_history" in answer:
        return read_cohere(value)
    if "embedding" in answer or "embeddings" in answer:
        return ModelAnswer(prompt_tokens=read_count(answer, "inputTextTokenCount"), completion_tokens=0)
    return read_text_answer(value)


def join_vendor_chunks(chunks: Sequence[Any]) -> ModelAnswer:
    """The answer that the chunks of a stream amount to."""
    pieces = [as_object(chunk) for chunk in chunks]
    if any(_has(piece, "type", "message_start", "content_block_delta") for piece in pieces):
        return anthropic_stream.assemble_events(pieces)
    if any(name in piece for piece in pieces for name in _CONVERSE_EVENTS[:3]):
        return assemble_events(
            (name, as_object(piece[name])) for piece in pieces for name in _CONVERSE_EVENTS if name in piece
        )
    if any("event_type" in piece for piece in pieces):
        return join_cohere(pieces)
    if any("delta" in choice for piece in pieces for choice in objects(piece.get("choices"))):
        return join_chunks(_with_usage(piece) for piece in pieces)
    return join_texts(pieces, is_stream=True)


def _is_converse(value: Mapping[str, Any]) -> bool:
    """Nova's own: its content has no types, or its settings stand in objects of its own."""
    if any(name in value for name in ("inferenceConfig", "toolConfig", "schemaVersion")):
        return True
    parts = [part for message in objects(value["messages"]) for part in objects(message.get("content"))]
    return any("type" not in part for part in parts)


def _has(piece: Mapping[str, Any], name: str, *values: str) -> bool:
    return piece.get(name) in values


def _with_usage(piece: dict[str, Any]) -> dict[str, Any]:
    """A chunk of OpenAI's form with Bedrock's own count in the place where OpenAI has it."""
    metrics = piece.get(_METRICS)
    if not isinstance(metrics, dict) or isinstance(piece.get("usage"), dict):
        return piece
    usage = {
        "prompt_tokens": metrics.get("inputTokenCount"),
        "completion_tokens": metrics.get("outputTokenCount"),
    }
    return {**piece, "usage": usage}
