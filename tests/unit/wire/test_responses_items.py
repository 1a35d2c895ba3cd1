"""Items of the responses API."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kit.wire.responses_items import (
    calls_of,
    messages_of,
    refusal_of,
    server_calls_of,
    text_of,
    thinking_of,
)
from tests.fakes.examples import costly

VALUES = st.recursive(
    st.none() | st.integers() | st.sampled_from(["", "a", "{}", "message", "assistant"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "content", "id", "tools"]), inner, max_size=3)
    ),
    max_leaves=8,
)
KINDS = ["message", "function_call", "function_call_output", "mcp_call", "shell_call", "reasoning"]
NAMES = ["role", "content", "call_id", "arguments", "output", "summary", "environment", "name", "input"]
ITEMS = st.builds(
    lambda kind, rest: {"type": kind, **rest},
    st.sampled_from(KINDS) | VALUES,
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4),
)


def test_a_call_without_arguments_is_not_one_with_broken_ones() -> None:
    """Nothing is the empty object; a text that is no JSON stays as it was sent."""
    empty, broken = calls_of(
        [
            {"type": "function_call", "call_id": "a", "name": "f", "arguments": ""},
            {"type": "function_call", "call_id": "b", "name": "f", "arguments": '{"x'},
        ]
    )
    assert (empty.arguments, broken.arguments, broken.raw) == ({}, None, '{"x')


def test_a_call_has_the_id_that_its_result_will_name() -> None:
    """The item's own id only where no other is there."""
    assert [call.id for call in calls_of([{"type": "function_call", "id": "fc", "call_id": "c"}])] == ["c"]
    assert [call.id for call in server_calls_of([{"type": "web_search_call", "id": "w"}])] == ["w"]


def test_a_picture_that_the_server_drew_is_named() -> None:
    """Its base64 says nothing to a reader; one that is not ready has no result."""
    drawn = {"type": "image_generation_call", "id": "ig", "status": "completed", "result": "iVBORw0KGgo="}
    drawing = {"type": "image_generation_call", "id": "ih", "status": "in_progress", "result": None}
    assert [call.result for call in server_calls_of([drawn, drawing])] == ["(image)", None]


def test_messages_are_paragraphs() -> None:
    """A model may say something before and after a tool."""
    message: dict[str, Any] = {"content": [{"text": "a"}, {"text": "b"}]}
    assert text_of([message, {"type": "web_search_call"}, message]) == "ab\n\nab"


@costly(30)
@given(st.lists(ITEMS, max_size=4))
def test_no_items_raise(items: list[dict[str, Any]]) -> None:
    """Whatever stands where something else belongs."""
    messages_of(items)
    text_of(items)
    refusal_of(items)
    thinking_of(items)
    assert len(calls_of(items)) + len(server_calls_of(items)) <= len(items)
