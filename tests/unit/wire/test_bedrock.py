"""Amazon Bedrock: converse and invoke."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.bedrock import CONVERSE, INVOKE
from tests.fakes.eventstream import converse_stream, framed, invoke_stream

HOST = "https://bedrock-runtime.us-east-1.amazonaws.com"
ARN = "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc"
BINARY = "application/vnd.amazon.eventstream"


@pytest.mark.parametrize(
    ("path", "is_converse", "is_invoke"),
    [
        ("/model/us.amazon.nova-pro-v1:0/converse", True, False),
        ("/model/us.amazon.nova-pro-v1:0/converse-stream", True, False),
        (f"/model/{ARN}/invoke", False, True),
        ("/model/m/invoke-with-response-stream", False, True),
        ("/model/m/count-tokens", False, False),
        ("/converse", False, False),
    ],
)
def test_a_request_is_known_by_its_path(path: str, is_converse: bool, is_invoke: bool) -> None:
    """The model stands in it, which may itself hold a slash."""
    assert CONVERSE.recognises("POST", path, b"") is is_converse
    assert INVOKE.recognises("POST", path, b"") is is_invoke


def test_the_model_stands_in_the_path() -> None:
    """Percent signs and ARNs resolved, also where the body cannot be read."""
    escaped = ARN.replace(":", "%3A").replace("/", "%2F")
    assert CONVERSE.read_request(b"{}", f"{HOST}/model/{escaped}/converse").model == ARN
    broken = INVOKE.read_request(b"{", f"{HOST}/model/us.amazon.nova-pro-v1%3A0/invoke")
    assert broken.model == "us.amazon.nova-pro-v1:0"
    assert broken.error is not None


@pytest.mark.parametrize("content_type", [BINARY, ""])
def test_a_stream_is_read_from_its_binary_frames(content_type: str) -> None:
    """Also where the content type is lost."""
    body = converse_stream(
        ("messageStart", {"role": "assistant"}),
        ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "hi"}, "p": "abc"}),
        ("messageStop", {"stopReason": "end_turn"}),
        ("metadata", {"usage": {"inputTokens": 5, "outputTokens": 1}}),
    )
    answer = CONVERSE.read_response(body, content_type, streamed=True)
    assert (answer.text, answer.finish_reason, answer.prompt_tokens) == ("hi", "end_turn", 5)
    assert not answer.broken


def test_a_vendors_chunks_are_read_from_their_wrapping() -> None:
    """Anthropic's own events, in base64."""
    body = invoke_stream(
        {"type": "message_start", "message": {"model": "claude", "usage": {"input_tokens": 5}}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    )
    answer = INVOKE.read_response(body, BINARY)
    assert (answer.text, answer.model, answer.completion_tokens) == ("hi", "claude", 2)


@pytest.mark.parametrize("dialect", [CONVERSE, INVOKE])
def test_an_answer_in_json_is_read_whatever_its_type(dialect: type) -> None:
    """A refused request for a stream is answered in JSON."""
    body = json.dumps({"message": "Too many requests"}).encode()
    assert CONVERSE.read_response(body, BINARY, streamed=True).error == "Too many requests"
    assert dialect.read_response(b"", BINARY, streamed=True).broken  # type: ignore[attr-defined]


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent, framed or not."""
    for dialect in (CONVERSE, INVOKE):
        dialect.read_request(body, HOST)
        for whole in (body, framed("chunk", body), framed("messageStart", body)):
            dialect.read_response(whole, "", streamed=streamed)
