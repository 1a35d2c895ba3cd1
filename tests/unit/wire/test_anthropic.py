"""Anthropic messages: requests and answers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.anthropic import ANTHROPIC
from kit.wire.dialect import ModelAnswer, WireCall, WireMessage
from tests.fakes.llama_server import asked, sample

VERTEX = "/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4@20250514"


@pytest.mark.parametrize(
    ("method", "path", "body", "is_known"),
    [
        ("POST", "/v1/messages", b"", True),
        ("POST", "/anthropic/v1/messages/", b"{", True),
        ("POST", "/anthropic/messages", b'{"messages":[]}', True),
        ("POST", "/chat/messages", b'{"text":"hi"}', False),
        ("POST", "/v1/threads/t1/messages", b'{"role":"user"}', False),
        ("POST", "/gmail/v1/users/me/messages", b"", False),
        ("POST", f"{VERTEX}:streamRawPredict", b"", True),
        ("POST", "/v1/messages/count_tokens", b"", False),
        ("POST", "/v1/messages/batches", b"", False),
        ("GET", "/v1/messages", b"", False),
    ],
)
def test_a_request_is_known_by_its_path(method: str, path: str, body: bytes, is_known: bool) -> None:
    """Mail and chat programs have messages too."""
    assert ANTHROPIC.recognises(method, path, body) is is_known


def test_a_conversation_is_told_in_messages() -> None:
    """The system prompt first; a result stands before what the user says beside it."""
    body = {
        "model": "claude",
        "max_tokens": 9,
        "system": [{"type": "text", "text": "be kind"}],
        "messages": [
            {"role": "user", "content": "look"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "text", "text": "Looking."},
                    {"type": "tool_use", "id": "t1", "name": "fs_read", "input": {"path": "/a"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "t1",
                        "content": [{"type": "text", "text": "A"}],
                    },
                    {"type": "text", "text": "and?"},
                ],
            },
        ],
        "tools": [{"name": "fs_read"}],
    }
    request = ANTHROPIC.read_request(json.dumps(body).encode())
    assert request.messages == (
        WireMessage("system", "be kind"),
        WireMessage("user", "look"),
        WireMessage("assistant", "Looking.", (WireCall("t1", "fs_read", {"path": "/a"}, '{"path":"/a"}'),)),
        WireMessage("tool", "A", call_id="t1"),
        WireMessage("user", "and?"),
    )
    assert (request.model, request.tools, request.parameters) == (
        "claude",
        ({"name": "fs_read"},),
        {"max_tokens": 9},
    )


def test_vertex_names_the_model_in_the_path() -> None:
    """The body has a version instead."""
    request = ANTHROPIC.read_request(b'{"messages":[]}', f"https://h{VERTEX}:rawPredict")
    assert request.model == "claude-sonnet-4@20250514"


def test_an_answer_of_a_real_server_is_read() -> None:
    """llama.cpp's own, JSON and stream alike but for the id of the call."""
    expected = {"path": "/tmp/x.log"}
    for name in ("anthropic_messages", "anthropic_stream"):
        answer = ANTHROPIC.read_response(*sample(name))
        assert [call.arguments for call in answer.tool_calls] == [expected]
        assert (answer.finish_reason, answer.prompt_tokens, answer.completion_tokens) == ("tool_use", 194, 23)
        assert (answer.model, answer.broken, answer.error) == ("qwen2.5-coder-1.5b", False, None)
    assert ANTHROPIC.read_request(asked("anthropic_messages")).model == "qwen2.5-coder-1.5b"


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"null"])
def test_an_unreadable_request_says_so(body: bytes) -> None:
    """It was a call of a model all the same."""
    assert ANTHROPIC.read_request(body).error is not None


def test_an_empty_answer_is_an_error() -> None:
    """Of a stream, a broken one."""
    assert ANTHROPIC.read_response(b"", "", streamed=True) == ModelAnswer(error="empty answer", broken=True)


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent."""
    ANTHROPIC.read_request(body)
    ANTHROPIC.read_response(body, "", streamed=streamed)
