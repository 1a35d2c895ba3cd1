"""Conversations at addresses that nobody knows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.by_form import BY_FORM
from kit.wire.registry import recognise
from tests.fakes.eventstream import sse

SAID = [{"role": "user", "content": "hi"}]
CALL = {"id": "c1", "function": {"name": "f", "arguments": '{"a":1}'}}


@pytest.mark.parametrize(
    ("method", "body", "is_known"),
    [
        ("POST", {"model": "m", "messages": SAID}, True),
        ("POST", {"model_id": "m", "messages": SAID}, True),
        ("POST", {"agent_id": "a", "messages": [{"role": "System", "content": "x"}, *SAID]}, True),
        ("PUT", {"model": "m", "messages": SAID}, False),
        ("POST", {"messages": SAID}, False),
        ("POST", {"model": "m", "messages": []}, False),
        ("POST", {"model": "m", "messages": "role"}, False),
        ("POST", {"model": "m", "messages": [*SAID, {"role": "host"}]}, False),
        ("POST", {"model": "m", "messages": ["role"]}, False),
        ("POST", [{"model": "m", "messages": SAID}], False),
    ],
)
def test_a_conversation_is_known_by_model_and_roles(method: str, body: Any, is_known: bool) -> None:
    """A memory of conversations names no model; a chat program has other roles."""
    assert BY_FORM.recognises(method, "/any/where", json.dumps(body).encode()) is is_known


def test_a_body_that_cannot_be_read_is_none() -> None:
    """Torn, or not there."""
    assert not BY_FORM.recognises("POST", "/x", b"")
    assert not BY_FORM.recognises("POST", "/x", b'{"model":"m","messages":[{"role":')
    assert BY_FORM.read_request(b"{").error is not None


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.writer.com/v1/chat", "by_form"),
        ("https://us-south.ml.cloud.ibm.com/ml/v1/text/chat?version=2024-05-01", "by_form"),
        ("https://api.mistral.ai/v1/agents/completions", "by_form"),
        ("https://x/v1/projects/p/locations/l/publishers/mistralai/models/m:streamRawPredict", "by_form"),
        ("https://api.anthropic.com/v1/messages/count_tokens", "count_tokens"),
        ("http://127.0.0.1:8000/tokenize", "count_tokens"),
        ("https://api.openai.com/v1/chat/completions", "openai_chat"),
    ],
)
def test_what_has_a_dialect_of_its_own_keeps_it(url: str, name: str) -> None:
    """This one is asked last."""
    known = recognise("POST", url, json.dumps({"model": "m", "messages": SAID}).encode())
    assert known is not None
    assert known.name == name


def test_a_request_is_read() -> None:
    """Messages, tools, and the model under any of its names."""
    body = {"model_id": "m", "messages": SAID, "tools": [{"type": "function"}], "max_tokens": 3}
    request = BY_FORM.read_request(json.dumps(body).encode())
    assert (request.model, request.messages[0].text, len(request.tools)) == ("m", "hi", 1)
    assert request.parameters["max_tokens"] == 3


@pytest.mark.parametrize(
    "answer",
    [
        {"choices": [{"message": {"content": "ho", "tool_calls": [CALL]}, "finish_reason": "stop"}]},
        {
            "content": [
                {"type": "text", "text": "ho"},
                {"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}},
            ],
            "stop_reason": "stop",
        },
        {"message": {"role": "assistant", "content": "ho", "tool_calls": [CALL]}, "finish_reason": "stop"},
        {
            "output": {
                "message": {
                    "content": [
                        {"text": "ho"},
                        {"toolUse": {"toolUseId": "c1", "name": "f", "input": {"a": 1}}},
                    ]
                }
            },
            "stopReason": "stop",
        },
    ],
)
def test_an_answer_is_told_by_its_form(answer: dict[str, Any]) -> None:
    """OpenAI's, Anthropic's, Cohere's, Amazon's."""
    found = BY_FORM.read_response(json.dumps(answer).encode(), "application/json")
    assert (found.text, found.finish_reason, found.error) == ("ho", "stop", None)
    assert [(call.id, call.name, call.arguments) for call in found.tool_calls] == [("c1", "f", {"a": 1})]


def test_an_error_is_told() -> None:
    """In its own words, also where it has a message beside it."""
    assert BY_FORM.read_response(b'{"error":{"message":"boom"}}', "").error == "boom"
    assert BY_FORM.read_response(b'{"error":"boom","message":{"a":1}}', "").error == "boom"
    assert BY_FORM.read_response(b'{"message":"boom"}', "").error == "boom"


def test_a_stream_is_put_together() -> None:
    """Parallel calls by their index; Writer sends each piece twice, once as message."""
    pieces: list[dict[str, Any]] = []
    for index, raw in [(0, '{"a"'), (1, "{}"), (0, ":1}")]:
        call: dict[str, Any] = {"index": index, "id": None, "function": {"name": None, "arguments": raw}}
        if len(pieces) < 2:
            call |= {"id": f"c{index}", "function": {"name": "f", "arguments": raw}}
        delta = {"content": None, "tool_calls": [call]}
        pieces.append({"choices": [{"index": 0, "delta": delta, "message": delta, "finish_reason": None}]})
    end = {
        "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 2},
    }
    whole = BY_FORM.read_response(sse(*pieces, end), "text/event-stream")
    assert [(call.id, call.arguments) for call in whole.tool_calls] == [("c0", {"a": 1}), ("c1", {})]
    assert (whole.finish_reason, whole.prompt_tokens, whole.broken) == ("tool_calls", 2, False)
    assert BY_FORM.read_response(sse(*pieces), "text/event-stream").broken
    failed = BY_FORM.read_response(sse(pieces[0], {"error": {"message": "boom"}}), "text/event-stream")
    assert failed.error == "boom"


def test_a_stream_of_another_form_is_put_together() -> None:
    """Anthropic's events."""
    events = [
        {"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 2}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ho"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    ]
    answer = BY_FORM.read_response(sse(*events), "text/event-stream")
    assert (answer.text, answer.finish_reason, answer.broken) == ("ho", "end_turn", False)


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent."""
    BY_FORM.recognises("POST", "/x", body + b'"messages""role"')
    BY_FORM.read_request(body)
    BY_FORM.read_response(body, "", streamed=streamed)
