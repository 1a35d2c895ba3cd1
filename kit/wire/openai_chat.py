"""OpenAI chat completions, as OpenAI, Ollama, llama.cpp and most other servers speak it: JSON and stream."""

from __future__ import annotations

from typing import Any

from kit.wire.dialect import ModelAnswer, ModelRequest
from kit.wire.json_text import excerpt, parse_json
from kit.wire.openai_message import read_calls, read_count, read_error, read_messages, read_text, text_or_none
from kit.wire.openai_stream import assemble

_NOT_PARAMETERS = frozenset({"model", "messages", "tools"})


class OpenAIChat:
    """The dialect of `POST …/chat/completions`."""

    name = "openai_chat"

    def recognises(self, method: str, path: str, _body: bytes, /) -> bool:
        """By method and path alone: a request whose body is broken was a model call all the same."""
        return method.upper() == "POST" and path.rstrip("/").endswith("/chat/completions")

    def read_request(self, body: bytes) -> ModelRequest:
        """What is asked; `error` where the body is no JSON object."""
        try:
            value = parse_json(body)
        except ValueError:
            return ModelRequest(error=f"request is not JSON: {excerpt(body)}")
        if not isinstance(value, dict):
            return ModelRequest(error=f"request is not a JSON object: {excerpt(body)}")
        tools = value.get("tools")
        return ModelRequest(
            model=text_or_none(value.get("model")),
            messages=read_messages(value.get("messages")),
            tools=tuple(tool for tool in tools if isinstance(tool, dict)) if isinstance(tools, list) else (),
            parameters={key: item for key, item in value.items() if key not in _NOT_PARAMETERS},
        )

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered; a body that starts like JSON is JSON, whatever the header says."""
        if not body.strip():
            return ModelAnswer(error="empty answer", broken=streamed)
        if _is_stream(body, content_type, streamed=streamed):
            return assemble(body)
        try:
            value = parse_json(body)
        except ValueError:
            return ModelAnswer(error=f"answer is not JSON: {excerpt(body)}")
        return _read_answer(value)


OPENAI_CHAT = OpenAIChat()


def _is_stream(body: bytes, content_type: str, *, streamed: bool) -> bool:
    if body.lstrip()[:1] in {b"{", b"["}:
        return False
    kind = content_type.lower()
    if "event-stream" in kind:
        return True
    return "json" not in kind and (streamed or body.lstrip().startswith((b"data:", b"event:", b":")))


def _read_answer(value: Any) -> ModelAnswer:
    error = read_error(value)
    if error is not None:
        return ModelAnswer(error=error)
    choices = value.get("choices") if isinstance(value, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(value, dict) or not isinstance(choice, dict) or not isinstance(message, dict):
        return ModelAnswer(
            model=text_or_none(value.get("model")) if isinstance(value, dict) else None,
            error="answer has no message",
        )
    usage = value.get("usage")
    return ModelAnswer(
        model=text_or_none(value.get("model")),
        text=read_text(message.get("content")),
        tool_calls=read_calls(message),
        finish_reason=text_or_none(choice.get("finish_reason")),
        prompt_tokens=read_count(usage, "prompt_tokens"),
        completion_tokens=read_count(usage, "completion_tokens"),
        refusal=text_or_none(message.get("refusal")),
    )
