"""Ollama's own API, `/api/chat` and `/api/generate`: one object, or one object a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kit.wire.answer import json_lines
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest, WireCall, WireMessage
from kit.wire.json_text import excerpt
from kit.wire.openai_message import read_calls, read_error, read_messages
from kit.wire.shape import as_object, objects, read_count, request_object, text_or_none, without

_PATHS = ("/api/chat", "/api/generate")


class Ollama:
    """The dialect of `POST /api/chat` and `POST /api/generate`."""

    name = "ollama"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """By method and path, and by a model where there is a body."""
        if method.upper() != "POST" or not path.rstrip("/").endswith(_PATHS):
            return False
        return not body or not body.lstrip().startswith(b"{") or b'"model"' in body

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:  # noqa: ARG002 - the model is in the body
        """What is asked; a prompt is a message of the user."""
        value, error = request_object(body)
        if error is not None:
            return ModelRequest(error=error)
        messages = list(read_messages(value.get("messages")))
        for role, name in (("system", "system"), ("user", "prompt")):
            if text := text_or_none(value.get(name)):
                messages.append(WireMessage(role, text))
        return ModelRequest(
            model=text_or_none(value.get("model")),
            messages=tuple(messages),
            tools=tuple(objects(value.get("tools"))),
            parameters=without(value, "model", "messages", "system", "prompt", "tools"),
        )

    def read_response(
        self,
        body: bytes,
        content_type: str,  # noqa: ARG002 - one object or many is seen in the body
        *,
        streamed: bool = False,
    ) -> ModelAnswer:
        """What was answered."""
        if not body.strip():
            return ModelAnswer(error="empty answer", broken=streamed)
        pieces = json_lines(body)
        if not pieces and not streamed:
            return ModelAnswer(error=f"answer is not JSON: {excerpt(body)}")
        return _join(pieces)


OLLAMA = Ollama()


def _join(pieces: Sequence[Any]) -> ModelAnswer:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[WireCall] = []
    model = error = None
    last: dict[str, Any] = {}
    for piece in pieces:
        error = error or read_error(piece, answers=("message", "response", "done"))
        value = as_object(piece)
        message = as_object(value.get("message"))
        for name, found in (("content", texts), ("thinking", thoughts)):
            found.append(text_or_none(message.get(name)) or "")
        texts.append(text_or_none(value.get("response")) or "")
        thoughts.append(text_or_none(value.get("thinking")) or "")
        calls.extend(read_calls(message))
        model = text_or_none(value.get("model")) or model
        last = value if value.get("done") is True else last
    is_nothing = not last and not calls and not "".join(texts) and error is None
    return ModelAnswer(
        model=model,
        text="".join(texts) or None,
        tool_calls=tuple(calls),
        finish_reason=text_or_none(last.get("done_reason")) or ("stop" if last else None),
        prompt_tokens=read_count(last, "prompt_eval_count"),
        completion_tokens=read_count(last, "eval_count"),
        error=error or ("answer has no message" if is_nothing else None),
        broken=not last and error is None,
        thinking="".join(thoughts) or None,
    )
