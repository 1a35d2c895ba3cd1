"""Models that only continue a text."""

from __future__ import annotations

from typing import Any

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
        ("/v1/complete", b'{"prompt":"a"}', True),
        ("/v1/complete", b'{"todo":1}', False),
        ("/v1/complete", b"", False),
        ("/v1/generate", b'{"prompt":"a"}', True),
        ("/generate_stream", b'{"inputs":"a"}', True),
        ("/generate", b'{"prompt":"a picture"}', False),
        ("/endpoints/e/invocations", b'{"inputs":"a"}', False),
        ("/ml/v1/text/generation_stream", b'{"model_id":"m","input":"a"}', True),
        ("/ml/v1/text/generation", b'{"input":"a"}', False),
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


def test_a_prompt_in_parts_is_one_text() -> None:
    """Aleph Alpha's; watsonx has words of its own for model and prompt."""
    parts = [{"type": "text", "data": "a"}, {"type": "image"}, {"type": "text", "data": "b"}]
    assert read_prompt({"prompt": parts}, "m").messages[0].text == "ab"
    request = PLAIN_TEXT.read_request(b'{"model_id":"m","input":"a","project_id":"p"}')
    assert (request.model, request.messages) == ("m", (WireMessage("user", "a"),))
    assert request.parameters == {"project_id": "p"}


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        (
            {"completion": "hi", "stop_reason": "stop_sequence", "model": "m"},
            ("hi", "stop_sequence", None, None),
        ),
        (
            {
                "completions": [{"completion": "hi", "finish_reason": "maximum_tokens"}],
                "num_tokens_prompt_total": 3,
                "num_tokens_generated": 2,
            },
            ("hi", "maximum_tokens", 3, 2),
        ),
        (
            {
                "generations": [{"text": "hi", "finish_reason": "COMPLETE"}],
                "meta": {"billed_units": {"input_tokens": 3, "output_tokens": 2}},
            },
            ("hi", "COMPLETE", 3, 2),
        ),
        (
            {
                "results": [
                    {
                        "generated_text": "hi",
                        "stop_reason": "eos_token",
                        "generated_token_count": 2,
                        "input_token_count": 3,
                    }
                ]
            },
            ("hi", "eos_token", 3, 2),
        ),
        (
            {"generated_text": "hi", "details": {"finish_reason": "length", "generated_tokens": 2}},
            ("hi", "length", None, 2),
        ),
        (
            {"content": "hi", "stop_type": "eos", "tokens_evaluated": 3, "tokens_predicted": 2},
            ("hi", "eos", 3, 2),
        ),
    ],
)
def test_each_vendor_has_its_own_words(answer: dict[str, Any], read: tuple[Any, ...]) -> None:
    """Anthropic, Aleph Alpha, Cohere, watsonx, text-generation-inference, llama.cpp."""
    found = read_text_answer(answer)
    assert (found.text, found.finish_reason, found.prompt_tokens, found.completion_tokens) == read


def test_streams_of_watsonx_and_of_tokens() -> None:
    """«Not finished» is no reason; a count of nothing takes no earlier one back; the end repeats all."""
    first = {
        "results": [
            {
                "generated_text": "h",
                "stop_reason": "not_finished",
                "input_token_count": 3,
                "generated_token_count": 1,
            }
        ]
    }
    last = {
        "results": [
            {
                "generated_text": "i",
                "stop_reason": "max_tokens",
                "input_token_count": 0,
                "generated_token_count": 2,
            }
        ]
    }
    whole = PLAIN_TEXT.read_response(sse(first, last), "text/event-stream")
    assert (whole.text, whole.finish_reason, whole.prompt_tokens, whole.completion_tokens) == (
        "hi",
        "max_tokens",
        3,
        2,
    )
    assert PLAIN_TEXT.read_response(sse(first), "text/event-stream").broken
    token = {"token": {"text": "h"}, "generated_text": None, "details": None}
    end = {"token": {"text": "i"}, "generated_text": "hi", "details": {"finish_reason": "eos_token"}}
    tokens = PLAIN_TEXT.read_response(sse(token, end), "text/event-stream")
    assert (tokens.text, tokens.finish_reason, tokens.broken) == ("hi", "eos_token", False)


def test_a_stream_is_put_together() -> None:
    """By its reason or by its end mark it is whole."""
    piece = {"model": "m", "choices": [{"text": "h", "finish_reason": None}]}
    end = {"choices": [{"text": "i", "finish_reason": "length"}], "usage": {"prompt_tokens": 1}}
    whole = PLAIN_TEXT.read_response(sse(piece, end, done=True), "text/event-stream")
    assert (whole.text, whole.finish_reason, whole.prompt_tokens, whole.model) == ("hi", "length", 1, "m")
    assert not whole.broken
    assert not PLAIN_TEXT.read_response(sse(piece, done=True), "text/event-stream").broken
    assert PLAIN_TEXT.read_response(sse(piece), "text/event-stream").broken


def test_a_stream_without_any_end_is_not_called_broken() -> None:
    """Writer sends texts and closes; an error among them is told."""
    answer = PLAIN_TEXT.read_response(sse({"value": "h"}, {"value": "i"}), "text/event-stream")
    assert (answer.text, answer.broken, answer.error) == ("hi", False, None)
    failed = PLAIN_TEXT.read_response(sse({"value": "h"}, {"error": "boom"}), "text/event-stream")
    assert (failed.text, failed.broken, failed.error) == ("h", True, "boom")


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
