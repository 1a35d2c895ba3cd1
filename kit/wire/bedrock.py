"""Amazon Bedrock: converse and invoke, whole and as event streams; a model's own body behind invoke."""

from __future__ import annotations

import re

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
_CONVERSE = re.compile(r"/model/.+/converse(?:-stream)?\Z")
_INVOKE = re.compile(r"/model/.+/invoke(?:-with-response-stream)?\Z")


class Converse:
    """The dialect of `POST /model/{model}/converse` and `/converse-stream`."""

    name = "bedrock_converse"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, _body: bytes, /) -> bool:
        """By method and path alone."""
        return method.upper() == "POST" and _CONVERSE.search(path) is not None

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """What is asked; the model stands in the path."""
        value, error = request_object(body)
        model = in_path(MODEL, url)
        return ModelRequest(model=model, error=error) if error else read_conversation(value, model)

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered."""
        if _is_binary(body, content_type):
            return assemble_converse(body)
        return read_answer(
            body,
            content_type or "json",
            streamed=streamed,
            of_json=read_converse,
            of_stream=assemble_converse,
        )


class Invoke:
    """The dialect of `POST /model/{model}/invoke` and `/invoke-with-response-stream`."""

    name = "bedrock_invoke"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, _body: bytes, /) -> bool:
        """By method and path alone; embeddings have been told apart before."""
        return method.upper() == "POST" and _INVOKE.search(path) is not None

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:
        """What is asked, in the form of whoever made the model."""
        value, error = request_object(body)
        model = in_path(MODEL, url)
        return ModelRequest(model=model, error=error) if error else read_vendor_request(value, model)

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered; the form tells whose model it is."""
        if _is_binary(body, content_type):
            return assemble_invoke(body)
        return read_answer(
            body,
            content_type or "json",
            streamed=streamed,
            of_json=read_vendor_answer,
            of_stream=assemble_invoke,
        )


CONVERSE = Converse()
INVOKE = Invoke()


def _is_binary(body: bytes, content_type: str) -> bool:
    if not body or body.lstrip()[:1] in {b"{", b"["}:
        return False
    return "amazon.eventstream" in content_type.lower() or is_eventstream(body)
