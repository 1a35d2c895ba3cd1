"""Cohere chat, both versions."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.cohere import COHERE
from tests.fakes.eventstream import sse


@pytest.mark.parametrize(
    ("path", "body", "is_known"),
    [
        ("/v2/chat", b"", True),
        ("/v1/chat", b'{"message":"hi"}', True),
        ("/v2/chat", b"broken", True),
        ("/v1/chat", b'{"room":7}', False),
        ("/v1/chat", b'{"messages":[{"role":"user"}]}', False),
        ("/v1/chat", b"", False),
        ("/v2/chat", b"", True),
        ("/chat", b'{"message":"hi"}', False),
        ("/v2/embed", b"", False),
    ],
)
def test_a_request_is_known_by_path_and_message(path: str, body: bytes, is_known: bool) -> None:
    """Chat programs have a `/v1/chat` too."""
    assert COHERE.recognises("POST", path, body) is is_known
    assert not COHERE.recognises("GET", path, body)


def test_a_request_names_its_model() -> None:
    """Everything else is a parameter."""
    body = {"model": "command-r", "messages": [{"role": "user", "content": "hi"}], "stream": True}
    request = COHERE.read_request(json.dumps(body).encode())
    assert (request.model, request.messages[0].text, request.parameters) == (
        "command-r",
        "hi",
        {"stream": True},
    )
    assert COHERE.read_request(b"[").error is not None


def test_the_elder_version_streams_an_object_a_line() -> None:
    """The last one holds the whole answer."""
    end = {
        "event_type": "stream-end",
        "finish_reason": "COMPLETE",
        "response": {
            "text": "hi",
            "generation_id": "g",
            "meta": {"tokens": {"input_tokens": 5.0, "output_tokens": 2}},
        },
    }
    lines = [{"event_type": "stream-start"}, {"event_type": "text-generation", "text": "h"}, end]
    body = "\n".join(map(json.dumps, lines)).encode()
    answer = COHERE.read_response(body, "application/stream+json", streamed=True)
    assert (answer.text, answer.finish_reason, answer.broken) == ("hi", "COMPLETE", False)
    assert (answer.prompt_tokens, answer.completion_tokens) == (5, 2)
    cut = COHERE.read_response(body[: body.rindex(b"\n")], "application/stream+json", streamed=True)
    assert (cut.text, cut.broken) == ("h", True)


def test_the_newer_version_streams_events() -> None:
    """Framed as server-sent events."""
    body = sse(
        {"type": "message-start", "id": "x", "delta": {"message": {"role": "assistant"}}},
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "hi"}}}},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
    )
    answer = COHERE.read_response(body, "text/event-stream", streamed=True)
    assert (answer.text, answer.finish_reason, answer.broken) == ("hi", "COMPLETE", False)


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent."""
    COHERE.read_request(body)
    COHERE.read_response(body, "", streamed=streamed)
    COHERE.read_response(body + b'{"event_type":1}', "", streamed=streamed)
