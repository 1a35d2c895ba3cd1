"""OpenAI's responses API, as OpenAI, Azure, DeepSeek, llama.cpp and gateways speak it: JSON and stream."""

from __future__ import annotations

import re
from typing import Any

from kit.wire.answer import read_answer
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest, WireMessage
from kit.wire.openai_message import read_error
from kit.wire.responses_items import (
    calls_of,
    messages_of,
    refusal_of,
    server_calls_of,
    text_of,
    thinking_of,
)
from kit.wire.responses_stream import assemble
from kit.wire.shape import as_object, objects, read_count, request_object, text_or_none, without

_ASKED = re.compile(r"/responses(?:/compact)?\Z")
_AGAIN = re.compile(r"/responses/resp_[^/]+\Z|/(?:v\d|openai)/responses/[^/]+\Z")
_PENDING = frozenset({"queued", "in_progress"})
_BODY = (b'"input"', b'"prompt"', b'"model"', b'"conversation"', b'"previous_response_id"')


class Responses:
    """The dialect of `POST …/responses`, and of the `GET …/responses/{id}` that asks for an answer again."""

    name = "openai_responses"
    kind: Kind = "chat"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """By method and path, and by the body where it is there: surveys have responses too."""
        path = path.rstrip("/")
        if method.upper() == "GET":
            return _AGAIN.search(path) is not None
        if method.upper() != "POST" or not _ASKED.search(path):
            return False
        return not body or not body.lstrip().startswith(b"{") or any(name in body for name in _BODY)

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:  # noqa: ARG002 - the model is in the body
        """What is asked; a request for an answer that is under way, a GET, asks nothing new."""
        if not body.strip():
            return ModelRequest()
        value, error = request_object(body)
        if error is not None:
            return ModelRequest(error=error)
        given = value.get("input")
        said = text_or_none(given)
        messages = (WireMessage("user", said),) if said else messages_of(objects(given))
        instructions = text_or_none(value.get("instructions"))
        if instructions:
            messages = (WireMessage("system", instructions), *messages)
        return ModelRequest(
            model=text_or_none(value.get("model")),
            messages=messages,
            tools=tuple(objects(value.get("tools"))),
            parameters=without(value, "model", "instructions", "input", "tools"),
        )

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """What was answered; of a background request, that it is pending."""
        return read_answer(
            body, content_type, streamed=streamed, of_json=read_response_object, of_stream=_read_stream
        )


RESPONSES = Responses()


def read_response_object(value: Any) -> ModelAnswer:
    """The answer that a `response` object is."""
    response = as_object(value)
    status = text_or_none(response.get("status"))
    if "output" not in response and status not in _PENDING:
        return ModelAnswer(error=read_error(value, answers=("output",)) or "answer has no output")
    items = objects(response.get("output"))
    usage = response.get("usage")
    is_pending = status in _PENDING
    reason = text_or_none(as_object(response.get("incomplete_details")).get("reason"))
    error = read_error({"error": response["error"]}) if response.get("error") else None
    return ModelAnswer(
        model=text_or_none(response.get("model")),
        text=_without_echo(response, items),
        tool_calls=calls_of(items),
        finish_reason=None if is_pending else reason or status or text_or_none(response.get("object")),
        prompt_tokens=read_count(usage, "input_tokens"),
        completion_tokens=read_count(usage, "output_tokens"),
        refusal=refusal_of(items),
        error=error or ("the server failed the response" if status == "failed" else None),
        server_calls=server_calls_of(items),
        thinking=thinking_of(items),
        id=text_or_none(response.get("id")),
        pending=is_pending,
    )


def _without_echo(response: dict[str, Any], items: list[dict[str, Any]]) -> str | None:
    """What the model said: a compaction repeats what the user said."""
    if response.get("object") == "response.compaction":
        items = [item for item in items if item.get("role") != "user"]
    return text_of(items)


def _read_stream(body: bytes) -> ModelAnswer:
    return assemble(body, read_response_object)
