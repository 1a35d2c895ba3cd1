"""Models that only continue a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.dialect import WireMessage
from kit.wire.plain_text import PLAIN_TEXT, join_texts, read_prompt, read_text_answer
from tests.fakes.eventstream import sse


@pytest.mark.parametrize(
    ("path", "body", "is_known"),
    [
        ("/v1/completions", b'{"prompt":"a"}', True),
        ("/v1/completions", b"", True),
        ("/openai/deployments/d/completions", b"", True),
        ("/v1/fim/completions", b'{"prompt":"a"}', True),
        ("/v1/completions", b'{"course":1}', False),
        ("/v1/chat/completions", b"", False),
        ("/courses/completions", b"", False),
    ],
)
def test_a_request_is_known_by_path_and_prompt(path: str, body: bytes, is_known: bool) -> None:
    """Courses have completions too."""
    assert PLAIN_TEXT.recognises("POST", path, body) is is_known


def test_a_prompt_is_one_message() -> None:
    """Azure names the model in the path."""
    url = "https://x.openai.azure.com/openai/deployments/d1/completions?api-version=1"
    request = PLAIN_TEXT.read_request(b'{"prompt":"a","max_tokens":3}', url)
    assert (request.model, request.messages, request.parameters) == (
        "d1",
        (WireMessage("user", "a"),),
        {"max_tokens": 3},
    )
    assert read_prompt({"prompt": ["a", "b"]}, "m").messages[0].text == '["a","b"]'
    assert PLAIN_TEXT.read_request(b"").error is not None


def test_a_stream_is_put_together() -> None:
    """By its reason or by its end mark it is whole."""
    piece = {"model": "m", "choices": [{"text": "h", "finish_reason": None}]}
    end = {"choices": [{"text": "i", "finish_reason": "length"}], "usage": {"prompt_tokens": 1}}
    whole = PLAIN_TEXT.read_response(sse(piece, end, done=True), "text/event-stream")
    assert (whole.text, whole.finish_reason, whole.prompt_tokens, whole.model) == ("hi", "length", 1, "m")
    assert not whole.broken
    assert not PLAIN_TEXT.read_response(sse(piece, done=True), "text/event-stream").broken
    assert PLAIN_TEXT.read_response(sse(piece), "text/event-stream").broken


def test_a_list_of_texts_is_read_by_its_first() -> None:
    """Hugging Face answers with a list."""
    assert read_text_answer([{"generated_text": "hi"}]).text == "hi"


def test_an_error_is_told() -> None:
    """Whole, or in the middle of a stream."""
    assert read_text_answer({"error": {"message": "boom"}}).error == "boom"
    assert read_text_answer([]).error == "answer has no text"
    answer = join_texts([{"generation": "h"}, {"error": "boom"}], is_stream=True)
    assert (answer.text, answer.error, answer.broken) == ("h", "boom", True)


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent."""
    PLAIN_TEXT.read_request(body)
    PLAIN_TEXT.read_response(body, "", streamed=streamed)
