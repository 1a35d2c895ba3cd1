"""Cohere chat, versions 1 and 2: JSON and streams."""

from __future__ import annotations

import re

from kit.wire.answer import is_event_stream, json_lines, read_answer, sse_values
from kit.wire.cohere_message import read_cohere, read_cohere_request
from kit.wire.cohere_stream import join_cohere
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest
from kit.wire.shape import request_object, text_or_none

_ASKED = re.compile(r"/v([12])/chat\Z")


class Cohere:
    """The dialect of `POST …/v2/chat` and its elder."""

    name = "cohere"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """By method and path; at version 1, where others answer in OpenAI's form, by its `message` too."""
        asked = _ASKED.search(path.rstrip("/"))
        if method.upper() != "POST" or asked is None:
            return False
        if asked.group(1) == "1":
            return b'"message"' in body
        return not body or not body.lstrip().startswith(b"{") or b'"message' in body

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:  # noqa: ARG002 - the model is in the body
        """What is asked."""
        value, error = request_object(body)
        if error is not None:
            return ModelRequest(error=error)
        return read_cohere_request(value, text_or_none(value.get("model")))

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered; version 1 streams an object a line."""
        if not is_event_stream(body, content_type, streamed=streamed) and b'"event_type"' in body:
            return join_cohere(json_lines(body))
        return read_answer(
            body,
            content_type,
            streamed=streamed,
            of_json=read_cohere,
            of_stream=lambda stream: join_cohere(sse_values(stream)),
        )


COHERE = Cohere()
