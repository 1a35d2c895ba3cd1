"""Amazon Bedrock: converse and invoke, whole and as event streams; a model's own body behind invoke."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kit.wire.answer import read_answer
from kit.wire.bedrock_stream import assemble_converse, assemble_invoke
from kit.wire.bedrock_vendor import read_vendor_answer, read_vendor_request
from kit.wire.converse_message import read_conversation, read_converse
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest
from kit.wire.eventstream import is_eventstream
from kit.wire.shape import in_path, request_object

MODEL = re.compile(
    r"/model/(.+)/(?:converse|converse-stream|invoke|invoke-with-response-stream|count-tokens)\Z"
)


@dataclass(frozen=True, slots=True)
class Bedrock:
    """The dialect of one of Bedrock's two doors to a model; each takes a body of its own.

    Attributes:
        name: for people and for reports.
        path: what the end of the address looks like.
        ask: a request's object and the model's name to what is asked.
        of_json: the answer's object to what was answered.
        of_stream: the same for a stream, of frames or of events.
    """

    name: str
    path: re.Pattern[str]
    ask: Callable[[dict[str, Any], str | None], ModelRequest]
    of_json: Callable[[Any], ModelAnswer]
    of_stream: Callable[[bytes], ModelAnswer]
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, _body: bytes, /) -> bool:
        """By method and path alone; embeddings have been told apart before."""
        return method.upper() == "POST" and self.path.search(path) is not None

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """What is asked; the model stands in the path."""
        value, error = request_object(body)
        model = in_path(MODEL, url)
        return ModelRequest(model=model, error=error) if error else self.ask(value, model)

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered."""
        if _is_binary(body, content_type):
            return self.of_stream(body)
        return read_answer(
            body, content_type or "json", streamed=streamed, of_json=self.of_json, of_stream=self.of_stream
        )


CONVERSE = Bedrock(
    "bedrock_converse",
    re.compile(r"/model/.+/converse(?:-stream)?\Z"),
    read_conversation,
    read_converse,
    assemble_converse,
)
INVOKE = Bedrock(
    "bedrock_invoke",
    re.compile(r"/model/.+/invoke(?:-with-response-stream)?\Z"),
    read_vendor_request,
    read_vendor_answer,
    assemble_invoke,
)


def _is_binary(body: bytes, content_type: str) -> bool:
    if not body or body.lstrip()[:1] in {b"{", b"["}:
        return False
    return "amazon.eventstream" in content_type.lower() or is_eventstream(body)
