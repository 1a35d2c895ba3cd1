"""OpenAI chat completions, as OpenAI, Ollama, llama.cpp and most other servers speak it: JSON and stream."""

from __future__ import annotations

import re
from typing import Any

from kit.wire.answer import read_answer
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest
from kit.wire.openai_message import (
    read_calls,
    read_error,
    read_messages,
    read_server_calls,
    read_text,
    read_thinking,
)
from kit.wire.openai_stream import assemble
from kit.wire.shape import as_object, in_path, objects, read_count, request_object, text_or_none, without

_PATHS = ("/chat/completions", "/cortex/inference:complete")
"""The second is Snowflake's own."""
_SERVED = "/invocations"
"""Databricks and SageMaker serve models of any kind there; a conversation in the body makes it this one."""
_MODEL = re.compile(r"/(?:deployments|serving-endpoints|endpoints)/([^/]+)/")


class OpenAIChat:
    """The dialect of `POST …/chat/completions`."""

    name = "openai_chat"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """By method and path alone: a request whose body is broken was a model call all the same."""
        if method.upper() != "POST":
            return False
        path = path.rstrip("/")
        return path.endswith(_PATHS) or (path.endswith(_SERVED) and b'"messages"' in body)

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """What is asked; `error` where the body is no JSON object. Azure names the model in the path."""
        value, error = request_object(body)
        if error is not None:
            return ModelRequest(error=error)
        tools = value.get("tools")
        return ModelRequest(
            model=text_or_none(value.get("model")) or in_path(_MODEL, url),
            messages=read_messages(value.get("messages")),
            tools=tuple(objects(tools)),
            parameters=without(value, "model", "messages", "tools"),
        )

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered; a body that starts like JSON is JSON, whatever the header says."""
        return read_answer(body, content_type, streamed=streamed, of_json=read_completion, of_stream=assemble)


OPENAI_CHAT = OpenAIChat()


def read_completion(value: Any) -> ModelAnswer:
    """The answer that a `chat.completion` object is; of several choices the first."""
    error = read_error(value)
    if error is not None:
        return ModelAnswer(error=error)
    completion = as_object(value)
    choice = next(iter(objects(completion.get("choices"))), {})
    message = choice.get("message", {"content": choice["messages"]} if "messages" in choice else None)
    if not isinstance(message, dict):
        return ModelAnswer(model=text_or_none(completion.get("model")), error="answer has no message")
    usage = completion.get("usage")
    return ModelAnswer(
        model=text_or_none(completion.get("model")),
        text=read_text(message.get("content")) or _spoken(message),
        tool_calls=read_calls(message),
        finish_reason=text_or_none(choice.get("finish_reason")),
        prompt_tokens=read_count(usage, "prompt_tokens"),
        completion_tokens=read_count(usage, "completion_tokens"),
        refusal=text_or_none(message.get("refusal")),
        error=read_error({"error": choice.get("error"), "choices": ()}),
        server_calls=read_server_calls(message),
        thinking=read_thinking(message),
    )


def _spoken(message: dict[str, Any]) -> str | None:
    """What an answer in sound says, in writing."""
    return text_or_none(as_object(message.get("audio")).get("transcript"))
