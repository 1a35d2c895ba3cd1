"""Conversations at addresses that no other dialect knows, told by the form of request and answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kit.wire import openai_stream
from kit.wire.answer import read_answer, sse_values
from kit.wire.bedrock_vendor import join_vendor_chunks, read_vendor_answer, read_vendor_request
from kit.wire.cohere_message import read_cohere
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest
from kit.wire.json_text import parse_json
from kit.wire.shape import as_object, objects, request_object, text_or_none

_MODELS = ("model", "model_id", "modelId", "agent_id")
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function", "model"})


class ByForm:
    """The dialect of a POST of JSON that names a model and holds messages with roles.

    Writer, Reka, watsonx, MiniMax, Mistral's agents, its models on Vertex, gateways with paths of their own.
    """

    name = "by_form"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:  # noqa: ARG002 - any path
        """By the body alone: a model's name, and messages whose roles are those of a conversation."""
        if method.upper() != "POST" or b'"messages"' not in body or b'"role"' not in body:
            return False
        try:
            value = as_object(parse_json(body))
        except ValueError:
            return False
        messages = value.get("messages")
        return (
            _model(value) is not None
            and isinstance(messages, list)
            and bool(messages)
            and all(_has_role(message) for message in messages)
        )

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:  # noqa: ARG002 - the model is in the body
        """What is asked."""
        value, error = request_object(body)
        return ModelRequest(error=error) if error else read_vendor_request(value, _model(value))

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered, in whatever form."""
        return read_answer(body, content_type, streamed=streamed, of_json=_read, of_stream=_read_stream)


BY_FORM = ByForm()


def _model(value: Mapping[str, Any]) -> str | None:
    return next((found for name in _MODELS if (found := text_or_none(value.get(name)))), None)


def _has_role(message: Any) -> bool:
    role = as_object(message).get("role")
    return isinstance(role, str) and role.lower() in _ROLES


def _read(value: Any) -> ModelAnswer:
    answer = as_object(value)
    is_message = isinstance(answer.get("message"), dict) and "error" not in answer
    return read_cohere(value) if is_message and "choices" not in answer else read_vendor_answer(value)


def _read_stream(body: bytes) -> ModelAnswer:
    pieces = list(sse_values(body))
    if any(objects(as_object(piece).get("choices")) for piece in pieces):
        return openai_stream.assemble(body)
    return join_vendor_chunks(pieces)
