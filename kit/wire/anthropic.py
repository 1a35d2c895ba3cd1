"""Anthropic messages: Anthropic's own, on Vertex, and of servers that speak alike; JSON and stream."""

from __future__ import annotations

import re
from typing import Any

from kit.wire.answer import read_answer
from kit.wire.anthropic_message import as_blocks, read_anthropic_message, read_message, text_of
from kit.wire.anthropic_stream import assemble
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest, WireMessage
from kit.wire.shape import in_path, objects, request_object, text_or_none, without

_VERTEX = re.compile(
    r"/publishers/anthropic/models/((?!count-tokens:)[^/:]+):(?:rawPredict|streamRawPredict)\Z"
)
_ELSEWHERE = re.compile(r"/(?:threads|users|channels|conversations)/[^/]+/messages\Z")
"""Messages of other sorts: OpenAI's threads, mail, chat programs."""


class Anthropic:
    """The dialect of `POST …/v1/messages`."""

    name = "anthropic"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """By the path; where `/messages` alone would do for much else, by a conversation in the body too."""
        path = path.rstrip("/")
        if method.upper() != "POST" or _ELSEWHERE.search(path):
            return False
        if path.endswith("/v1/messages") or _VERTEX.search(path):
            return True
        return path.endswith("/messages") and (not body or b'"messages"' in body)

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """What is asked; the system prompt is the first message. Vertex names the model in the path."""
        value, error = request_object(body)
        if error is not None:
            return ModelRequest(error=error)
        return read_conversation(value, text_or_none(value.get("model")) or in_path(_VERTEX, url))

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered."""
        return read_answer(
            body, content_type, streamed=streamed, of_json=read_anthropic_message, of_stream=assemble
        )


ANTHROPIC = Anthropic()


def read_conversation(value: dict[str, Any], model: str | None) -> ModelRequest:
    """A request's object, as Bedrock and Vertex carry it too."""
    system = text_of(as_blocks(value.get("system")))
    messages = [WireMessage("system", system)] if system else []
    for message in objects(value.get("messages")):
        messages.extend(read_message(message))
    return ModelRequest(
        model=model,
        messages=tuple(messages),
        tools=tuple(objects(value.get("tools"))),
        parameters=without(value, "model", "system", "messages", "tools"),
    )
