"""Mistral's conversations."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.dialect import ModelAnswer, WireCall, WireMessage
from kit.wire.mistral_conversations import MISTRAL_CONVERSATIONS
from kit.wire.registry import recognise
from tests.fakes.eventstream import sse

HERE = "https://api.mistral.ai/v1/conversations"


@pytest.mark.parametrize(
    ("method", "url", "body", "name"),
    [
        ("POST", HERE, b'{"inputs":"hi"}', "mistral_conversations"),
        ("POST", f"{HERE}/conv_1", b'{"inputs":"hi"}', "mistral_conversations"),
        ("POST", f"{HERE}/conv_1/restart", b'{"inputs":"hi"}', "mistral_conversations"),
        ("POST", "https://api.openai.com/v1/conversations", b'{"items":[]}', "files"),
        ("POST", f"{HERE}/conv_1/items", b'{"inputs":[]}', "files"),
        ("POST", HERE, b"", "files"),
        ("GET", f"{HERE}/conv_1/history", b"", "files"),
    ],
)
def test_a_request_is_known_by_path_and_inputs(method: str, url: str, body: bytes, name: str) -> None:
    """What only keeps or tells what was said is no model's work."""
    dialect = recognise(method, url, body)
    assert dialect is not None
    assert dialect.name == name


def test_a_text_is_what_the_user_says() -> None:
    """The instructions are the first message; tools and settings stand apart."""
    body = {"model": "m", "inputs": "hi", "instructions": "Be brief.", "tools": [{"type": "web_search"}]}
    request = MISTRAL_CONVERSATIONS.read_request(json.dumps({**body, "store": False}).encode())
    assert request.messages == (WireMessage("system", "Be brief."), WireMessage("user", "hi"))
    assert (request.model, request.tools, request.parameters) == (
        "m",
        ({"type": "web_search"},),
        {"store": False},
    )
    assert MISTRAL_CONVERSATIONS.read_request(b"[]").error is not None


def test_entries_are_messages() -> None:
    """Of an agent: calls and their results under the id that links them."""
    inputs = [
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"type": "message.output", "content": "yes?"},
        {"type": "function.call", "tool_call_id": "c", "name": "f", "arguments": {"a": 1}},
        {"type": "function.result", "tool_call_id": "c", "result": "done"},
        {"type": "function.result", "tool_call_id": "d"},
    ]
    request = MISTRAL_CONVERSATIONS.read_request(json.dumps({"agent_id": "a", "inputs": inputs}).encode())
    assert request.model == "a"
    assert request.messages == (
        WireMessage("user", "hi"),
        WireMessage("assistant", "yes?"),
        WireMessage("assistant", calls=(WireCall("c", "f", {"a": 1}, '{"a":1}'),)),
        WireMessage("tool", "done", call_id="c"),
        WireMessage("tool", call_id="d"),
    )


def read(value: Any) -> ModelAnswer:
    return MISTRAL_CONVERSATIONS.read_response(json.dumps(value).encode(), "application/json")


def test_outputs_are_the_answer() -> None:
    """What it said, what the agent has to call, and what the server ran itself."""
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    answer = read(
        {
            "object": "conversation.response",
            "outputs": [
                {
                    "type": "tool.execution",
                    "id": "t",
                    "name": "web_search",
                    "arguments": '{"q":1}',
                    "info": {},
                },
                {"type": "tool.execution", "id": "u", "name": "code", "arguments": "{}", "info": {"out": 4}},
                {
                    "type": "message.output",
                    "model": "m",
                    "content": [thought, {"type": "text", "text": "one"}],
                },
                {"type": "message.output", "content": "two"},
                {"type": "function.call", "id": "x", "tool_call_id": "c", "name": "f", "arguments": "{}"},
            ],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2, "connector_tokens": 40},
        }
    )
    assert (answer.model, answer.text, answer.thinking) == ("m", "one\n\ntwo", "hm")
    assert (answer.prompt_tokens, answer.completion_tokens, answer.error) == (43, 2, None)
    assert answer.tool_calls == (WireCall("c", "f", {}, "{}"),)
    assert [call.result for call in answer.server_calls] == [None, '{"out":4}']


def test_an_error_is_told() -> None:
    """In the server's words, of any form."""
    assert read({"object": "error", "message": "no such agent", "code": 3000}).error == "no such agent"
    assert read({"x": 1}).error == "answer has no outputs"


def stream(*events: dict[str, Any]) -> ModelAnswer:
    body = sse({"type": "conversation.response.started", "conversation_id": "c"}, *events)
    return MISTRAL_CONVERSATIONS.read_response(body, "text/event-stream", streamed=True)


def said(index: int, content: Any) -> dict[str, Any]:
    return {"type": "message.output.delta", "output_index": index, "model": "m", "content": content}


def asked(index: int, call_id: str, arguments: str) -> dict[str, Any]:
    told = {"tool_call_id": call_id, "name": "f", "arguments": arguments}
    return {"type": "function.call.delta", "output_index": index, **told}


DONE = {"type": "conversation.response.done", "usage": {"prompt_tokens": 3, "completion_tokens": 2}}


def test_a_stream_is_the_answer_it_amounts_to() -> None:
    """Interleaved calls are told apart by the place of their output."""
    answer = stream(
        {"type": "tool.execution.started", "output_index": 0, "name": "web_search", "arguments": '{"q":'},
        {"type": "tool.execution.delta", "output_index": 0, "name": "web_search", "arguments": "1}"},
        {"type": "tool.execution.done", "output_index": 0, "name": "web_search", "info": {"n": 2}},
        said(1, "so"),
        asked(2, "a", '{"x":'),
        asked(3, "b", "{}"),
        asked(2, "a", "1}"),
        said(1, {"type": "text", "text": " it is"}),
        DONE,
    )
    assert (answer.text, answer.model, answer.broken, answer.error) == ("so it is", "m", False, None)
    assert (answer.prompt_tokens, answer.completion_tokens) == (3, 2)
    assert [(call.id, call.arguments) for call in answer.tool_calls] == [("a", {"x": 1}), ("b", {})]
    assert answer.server_calls == (WireCall(None, "web_search", {"q": 1}, '{"q":1}', '{"n":2}'),)


def test_a_stream_that_was_cut_keeps_what_came() -> None:
    """A call without arguments asks for nothing yet."""
    answer = stream(said(0, "so"), asked(1, "a", ""), asked(2, "b", '{"x'))
    assert (answer.text, answer.broken, answer.error) == ("so", True, None)
    assert [call.arguments for call in answer.tool_calls] == [None, None]
    assert stream().error == "stream holds no answer"


def test_an_error_in_the_middle_is_told() -> None:
    """With what came before it."""
    answer = stream(said(0, "so"), {"type": "conversation.response.error", "message": "gone", "code": 1})
    assert (answer.text, answer.error, answer.broken) == ("so", "gone", True)


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent."""
    MISTRAL_CONVERSATIONS.read_request(body)
    MISTRAL_CONVERSATIONS.read_response(body, "", streamed=streamed)
