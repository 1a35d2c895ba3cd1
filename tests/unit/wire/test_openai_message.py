"""Messages, tool calls, counts and errors in JSON of the OpenAI family."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.dialect import WireCall, WireMessage
from kit.wire.openai_message import (
    make_call,
    parse_arguments,
    read_calls,
    read_error,
    read_messages,
    read_text,
)
from tests.fakes.examples import costly

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


def test_a_conversation_is_read_with_its_tool_results() -> None:
    """The call and its result can be paired by id."""
    call = {"id": "c1", "type": "function", "function": {"name": "fs_read", "arguments": '{"path":"/a"}'}}
    messages = read_messages(
        [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "look "},
                    {"type": "image_url"},
                    {"type": "text", "text": "here"},
                ],
            },
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "text of a"},
            "no message",
        ]
    )
    assert messages == (
        WireMessage("user", "look here"),
        WireMessage("assistant", None, (WireCall("c1", "fs_read", {"path": "/a"}, '{"path":"/a"}'),)),
        WireMessage("tool", "text of a", (), "c1"),
    )


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        (" \n", {}),
        ('{"a": ', None),
        ("[1]", None),
        ('"text"', None),
        ("null", None),
    ],
)
def test_arguments_are_an_object_or_unreadable(raw: str, arguments: dict[str, object] | None) -> None:
    """Anything but a JSON object cannot be called with; nothing at all means no parameters."""
    assert parse_arguments(raw) == arguments


def test_arguments_that_do_not_parse_keep_their_text() -> None:
    """A reviewer sees what the model really wrote."""
    assert make_call("c", {"name": "f", "arguments": '{"path": "/x'}) == WireCall(
        "c", "f", None, '{"path": "/x'
    )


def test_arguments_may_come_as_an_object() -> None:
    """Ollama sends an object where OpenAI sends a text."""
    assert make_call(None, {"name": "f", "arguments": {"a": 1}}) == WireCall(None, "f", {"a": 1}, '{"a":1}')


def test_the_older_function_call_is_a_call_without_id() -> None:
    """Old servers still answer in the old form."""
    message = {"function_call": {"name": "f", "arguments": "{}"}, "tool_calls": None}
    assert read_calls(message) == (WireCall(None, "f", {}, "{}"),)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "no such model", "type": "x", "code": 404}}, "no such model"),
        ({"error": {"code": 400, "message": "too long", "n_ctx": 8192}}, "too long"),
        ({"error": "model 'x' not found"}, "model 'x' not found"),
        ([{"error": {"message": "quota"}}], "quota"),
        ({"object": "error", "message": "bad request"}, "bad request"),
        ({"detail": "Not Found"}, "Not Found"),
        ({"detail": [{"loc": ["body"]}]}, '[{"loc":["body"]}]'),
        ({"error": {"message": None, "type": "server_error"}}, "server_error"),
        (
            {"error": {"code": 500, "message": "The model produced output that does not match the format"}},
            "unusable output of the model: The model produced output that does not match the format",
        ),
        (
            {"error": {"message": "no call", "code": "tool_use_failed", "failed_generation": ""}},
            "unusable output of the model: no call",
        ),
        ({"error": {"n": 1}}, '{"n":1}'),
        ({"error": True}, "true"),
    ],
)
def test_error_bodies_of_all_servers_give_their_message(body: object, message: str) -> None:
    """The reason stands in the trace, whoever wrote it."""
    assert read_error(body) == message


@pytest.mark.parametrize(
    "body",
    [{"choices": []}, {"error": None, "choices": []}, [], [1], "text", None, {"choices": [], "message": "x"}],
)
def test_other_bodies_are_no_error(body: object) -> None:
    """An `error: null` beside an answer is not an error."""
    assert read_error(body) is None


def test_thinking_parts_are_not_what_the_model_said() -> None:
    """Mistral answers with a list in which thinking stands beside the text."""
    content = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "yes"},
    ]
    assert read_text(content) == "yes"


def test_an_error_nested_too_deeply_is_still_an_error() -> None:
    """A hostile error body cannot exhaust the stack."""
    value: object = "x"
    for _ in range(5000):
        value = [value]
    assert read_error({"error": {"code": value}})
    assert read_error(value) is None


@costly(30)
@given(JSON)
def test_no_value_raises(value: object) -> None:
    """Whatever JSON a server sends, reading it never fails."""
    read_messages(value)
    read_messages([value, {"role": value, "content": value, "tool_calls": value, "function_call": value}])
    read_messages(
        [{"tool_calls": [value, {"id": value, "function": value}, {"function": {"arguments": value}}]}]
    )
    read_error(value)
    read_error({"error": value})
    read_text(value)
