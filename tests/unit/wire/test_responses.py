"""OpenAI's responses API: requests, answers, background work."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.dialect import ModelAnswer, WireCall, WireMessage
from kit.wire.responses import RESPONSES
from tests.fakes.llama_server import sample

JSON_TYPE = "application/json"


def read(**response: Any) -> ModelAnswer:
    """The answer of a `response` object."""
    return RESPONSES.read_response(json.dumps({"object": "response", **response}).encode(), JSON_TYPE)


def said(text: str) -> dict[str, Any]:
    """A message of the model."""
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


@pytest.mark.parametrize(
    ("method", "path", "body", "is_known"),
    [
        ("POST", "/v1/responses", b'{"input":"hi"}', True),
        ("POST", "/openai/responses", b"", True),
        ("POST", "/v1/responses/compact", b'{"input":[]}', True),
        ("POST", "/v1/responses", b"{broken", False),
        ("POST", "/v1/responses", b"broken", True),
        ("POST", "/forms/7/responses", b'{"answers":[1]}', False),
        ("GET", "/v1/responses/resp_1", b"", True),
        ("GET", "/forms/7/responses", b"", False),
        ("DELETE", "/v1/responses/resp_1", b"", False),
        ("POST", "/v1/responses/resp_1/cancel", b"", False),
    ],
)
def test_a_request_is_known_by_method_path_and_body(
    method: str, path: str, body: bytes, is_known: bool
) -> None:
    """Surveys have responses too."""
    assert RESPONSES.recognises(method, path, body) is is_known


def test_a_conversation_is_told_in_messages() -> None:
    """Instructions first; what the assistant said and called in one go is one message, results follow."""
    items = [
        {"role": "user", "content": [{"type": "input_text", "text": "look"}]},
        {"type": "reasoning", "summary": []},
        said("Looking."),
        {"type": "function_call", "call_id": "c1", "name": "fs_read", "arguments": '{"path":"/a"}'},
        {"type": "function_call", "call_id": "c2", "name": "fs_list", "arguments": ""},
        {"type": "function_call_output", "call_id": "c1", "output": "text of a"},
        {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "b"}]},
    ]
    body = {"model": "gpt-5", "instructions": "be kind", "input": items, "temperature": 0}
    request = RESPONSES.read_request(json.dumps(body).encode())
    calls = (
        WireCall("c1", "fs_read", {"path": "/a"}, '{"path":"/a"}'),
        WireCall("c2", "fs_list", {}, ""),
    )
    assert request.messages == (
        WireMessage("system", "be kind"),
        WireMessage("user", "look"),
        WireMessage("assistant", "Looking.", calls),
        WireMessage("tool", "text of a", call_id="c1"),
        WireMessage("tool", "b", call_id="c2"),
    )
    assert (request.model, request.parameters) == ("gpt-5", {"temperature": 0})


def test_a_bare_text_is_what_the_user_says() -> None:
    """The short form; and a GET for an answer asks nothing."""
    assert RESPONSES.read_request(b'{"input":"hi"}').messages == (WireMessage("user", "hi"),)
    assert RESPONSES.read_request(b"").error is None
    assert RESPONSES.read_request(b"{").error is not None


def test_an_answer_of_a_real_server_is_read() -> None:
    """llama.cpp's own."""
    answer = RESPONSES.read_response(*sample("responses"))
    assert answer == ModelAnswer(
        model="qwen2.5-coder-1.5b",
        text="The capital of France is Paris.",
        finish_reason="completed",
        prompt_tokens=39,
        completion_tokens=8,
        id="resp_pE4YChJb2KKRAcq8X1XXXJLfMmRtZwy5",
    )


def test_parallel_calls_stand_in_order_and_a_free_text_is_an_argument() -> None:
    """Function tools and custom tools alike are the agent's to call."""
    answer = read(
        status="completed",
        output=[
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
            {"type": "custom_tool_call", "call_id": "c2", "name": "sql", "input": "select 1"},
            {"type": "local_shell_call", "call_id": "c3", "action": {"command": ["ls"]}},
        ],
    )
    assert [(call.id, call.name, call.arguments) for call in answer.tool_calls] == [
        ("c1", "f", {}),
        ("c2", "sql", {"input": "select 1"}),
        ("c3", "local_shell", {"action": {"command": ["ls"]}}),
    ]
    assert answer.server_calls == ()


def test_tools_that_the_server_ran_stand_apart_with_their_results() -> None:
    """Web search, code, MCP, a hosted shell with and without its output."""
    hosted = {"type": "container_reference"}
    answer = read(
        status="completed",
        output=[
            {"type": "web_search_call", "id": "w", "action": {"query": "x"}},
            {"type": "code_interpreter_call", "id": "c", "code": "1+1", "outputs": [{"logs": "2"}]},
            {
                "type": "mcp_call",
                "id": "m",
                "name": "games",
                "arguments": "{}",
                "output": "[1]",
                "error": None,
            },
            {"type": "shell_call", "call_id": "s", "action": {"commands": ["ls"]}, "environment": hosted},
            {"type": "shell_call_output", "call_id": "s", "output": [{"stdout": "a"}]},
            {"type": "tool_search_call", "call_id": None, "execution": "server", "arguments": {"q": 1}},
            {"type": "tool_search_output", "call_id": None, "tools": [{"name": "f"}]},
            said("done"),
        ],
    )
    assert answer.tool_calls == ()
    assert [(call.name, call.result) for call in answer.server_calls] == [
        ("web_search", None),
        ("code_interpreter", '[{"logs":"2"}]'),
        ("games", "[1]"),
        ("shell", '[{"stdout":"a"}]'),
        ("tool_search", '[{"name":"f"}]'),
    ]
    assert answer.text == "done"


def test_an_answer_that_was_cut_or_filtered_says_why() -> None:
    """The reason stands for the status."""
    for reason in ("max_output_tokens", "content_filter"):
        answer = read(status="incomplete", incomplete_details={"reason": reason}, output=[said("a")])
        assert (answer.text, answer.finish_reason, answer.error) == ("a", reason, None)


def test_a_refusal_is_no_text() -> None:
    """It has a part of its own."""
    part = {"type": "refusal", "refusal": "I will not."}
    answer = read(status="completed", output=[{"type": "message", "content": [part]}])
    assert (answer.text, answer.refusal) == (None, "I will not.")


def test_a_request_in_the_background_is_pending() -> None:
    """The answer comes later, under the same id."""
    answer = read(id="resp_1", status="queued", background=True, output=[], usage=None)
    assert answer.pending
    assert (answer.id, answer.finish_reason, answer.error) == ("resp_1", None, None)


@pytest.mark.parametrize(
    ("response", "error"),
    [
        ({"status": "failed", "error": {"code": "server_error", "message": "boom"}, "output": []}, "boom"),
        ({"status": "failed", "output": []}, "the server failed the response"),
        ({"error": {"message": "bad"}}, "bad"),
        ({}, "answer has no output"),
    ],
)
def test_a_failure_tells_its_reason(response: dict[str, Any], error: str) -> None:
    """In the words of the server where it has any."""
    assert read(**response).error == error


def test_what_the_user_said_is_not_repeated_by_a_compaction() -> None:
    """A compacted conversation holds the user's messages and an opaque rest."""
    user = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "3, 3?"}]}
    body = {"object": "response.compaction", "id": "resp_2", "output": [user, {"type": "compaction"}]}
    answer = RESPONSES.read_response(json.dumps(body).encode(), JSON_TYPE)
    assert (answer.text, answer.finish_reason, answer.error) == (None, "response.compaction", None)


def test_thoughts_are_not_what_the_model_said() -> None:
    """Open models show them, others a summary."""
    answer = read(
        status="completed",
        output=[
            {"type": "reasoning", "content": [{"text": "hm"}], "summary": [{"text": "short"}]},
            {"type": "reasoning", "summary": [{"text": "so"}]},
            said("yes"),
        ],
    )
    assert (answer.text, answer.thinking) == ("yes", "hm\n\nso")


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent."""
    RESPONSES.read_request(body)
    RESPONSES.read_response(body, "", streamed=streamed)
