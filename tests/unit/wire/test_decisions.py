"""Models that decide."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.decisions import DECISIONS
from kit.wire.dialect import WireCall, WireMessage

ASK = {"urgent": {"type": "noul"}}


@pytest.mark.parametrize(
    ("method", "path", "body", "is_known"),
    [
        ("POST", "/v1/decisions", b'{"questions":[]}', True),
        ("POST", "/v1/systemone", b'{"questions":{}}', True),
        ("POST", "/v1/decisions", b"", True),
        ("POST", "/v1/decisions", b'{"adr":1}', False),
        ("GET", "/v1/decisions", b"", False),
        ("POST", "/v1/decisions/7", b"", False),
    ],
)
def test_a_request_is_known_by_path_and_questions(
    method: str, path: str, body: bytes, is_known: bool
) -> None:
    """Boards of directors make decisions too."""
    assert DECISIONS.recognises(method, path, body) is is_known


@pytest.mark.parametrize(
    ("given_", "messages"),
    [
        ({"input": "hi"}, (WireMessage("user", "hi"),)),
        (
            {"input": [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}]},
            (WireMessage("user", "hi"),),
        ),
        ({"state": "hi"}, (WireMessage("user", "hi"),)),
        ({"state": {"prompt": "hi"}}, (WireMessage("user", "hi"),)),
        (
            {"state": {"previous_prompts": ["one", 2], "prompt": "two"}},
            (WireMessage("user", "one"), WireMessage("user", "two")),
        ),
        (
            {"state": {"prompt": "hi", "order": 7}},
            (WireMessage("user", '{"order":7}'), WireMessage("user", "hi")),
        ),
        ({"state": {"order": 7}}, (WireMessage("user", '{"order":7}'),)),
        ({"state": {"history": "none"}}, (WireMessage("user", '{"history":"none"}'),)),
        ({}, ()),
    ],
)
def test_what_is_decided_on_is_the_conversation(given_: dict[str, Any], messages: tuple[Any, ...]) -> None:
    """A text, messages, or a state of any shape; the questions are parameters."""
    request = DECISIONS.read_request(json.dumps({"model": "m", "questions": ASK, **given_}).encode())
    assert (request.model, request.messages, request.parameters) == ("m", messages, {"questions": ASK})
    assert DECISIONS.read_request(b"").error is not None


def test_a_history_is_read_turn_by_turn() -> None:
    """A tool's call is the assistant's, what it gave is a message of its own."""
    history = [
        {"user": "Where is it?"},
        {"tool_call": {"name": "find", "args": {"id": 1}}},
        {"tool_return": {"name": "find", "content": "on its way"}},
        {"tool_return": {"name": "find"}},
        {"system": "Be brief."},
        {"assistant": {"odd": 1}},
    ]
    body = json.dumps({"model": "m", "questions": ASK, "state": {"history": history}}).encode()
    assert DECISIONS.read_request(body).messages == (
        WireMessage("user", "Where is it?"),
        WireMessage("assistant", calls=(WireCall(None, "find", {"id": 1}, '{"id":1}'),)),
        WireMessage("tool", "on its way", name="find"),
        WireMessage("tool", name="find"),
        WireMessage("system", "Be brief."),
        WireMessage("assistant", '{"odd":1}'),
    )


def read(answer: dict[str, Any]) -> Any:
    return DECISIONS.read_response(json.dumps(answer).encode(), "application/json")


def test_a_list_of_answers() -> None:
    """OpenAI's: a line for each question, and what it would not decide is its refusal."""
    answers = [
        {"type": "predicate", "name": "urgent", "probability": 0.45},
        {"type": "choice", "name": "area", "choice": "billing", "confidence": 1.0},
        {"type": "score", "name": "anger", "score": 1.68},
        {"type": "refusal", "name": "age"},
    ]
    found = read({"model": "m", "answers": answers, "usage": {"input_tokens": 475, "output_tokens": 0}})
    assert found.text == "urgent: 0.45\narea: billing\nanger: 1.68"
    assert (found.model, found.refusal, found.prompt_tokens, found.completion_tokens) == ("m", "age", 475, 0)
    assert found.error is None


def test_answers_by_name() -> None:
    """As typesafe sends them."""
    answers = {"asks": {"noul": 0.0, "type": "noul"}, "route": {"choice": "refunds", "type": "choice"}}
    found = read({"model": "jev-1", "answers": answers, "usage": {"input_tokens": 4, "output_tokens": 7}})
    assert (found.text, found.completion_tokens, found.refusal) == ("asks: 0.0\nroute: refunds", 7, None)


def test_an_error_is_told() -> None:
    """In the server's words."""
    assert read({"error": {"message": "no such model"}}).error == "no such model"
    assert read({"detail": {"message": "Cannot authenticate", "type": "x"}}).error == "Cannot authenticate"
    assert read({"model": "m"}).error == "answer has no answers"


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent."""
    DECISIONS.read_request(body)
    DECISIONS.read_response(body, "", streamed=streamed)
