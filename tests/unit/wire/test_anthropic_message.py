"""Anthropic's messages and their blocks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.anthropic_message import prompt_tokens, read_anthropic_message, read_message
from tests.fakes.examples import costly


def answer(*blocks: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A message of the model."""
    return {"type": "message", "content": list(blocks), "stop_reason": "end_turn", **fields}


def test_tools_of_the_server_stand_apart_with_their_results() -> None:
    """The agent calls only what is its own."""
    read = read_anthropic_message(
        answer(
            {"type": "text", "text": "Searching."},
            {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
            {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"url": "u"}]},
            {"type": "mcp_tool_use", "id": "s2", "name": "games", "input": {}},
            {"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}},
            {"type": "text", "text": "Cited "},
            {"type": "text", "text": "text."},
        )
    )
    assert [(call.name, call.result) for call in read.server_calls] == [
        ("web_search", '[{"url":"u"}]'),
        ("games", None),
    ]
    assert [(call.id, call.arguments) for call in read.tool_calls] == [("t1", {"a": 1})]
    assert read.text == "Searching.\n\nCited text."


def test_the_prompt_is_counted_with_its_caches() -> None:
    """Anthropic counts what it read from and wrote to a cache apart."""
    usage = {"input_tokens": 4, "cache_creation_input_tokens": 379, "cache_read_input_tokens": 14714}
    assert prompt_tokens(usage) == 15097
    assert prompt_tokens({"input_tokens": 0}) == 0
    assert prompt_tokens({}) is None


@pytest.mark.parametrize(
    ("blocks", "details", "refusal"),
    [
        ([{"type": "text", "text": "I cannot."}], None, "I cannot."),
        ([], {"type": "refusal", "explanation": "policy"}, "policy"),
        ([], {"category": "cyber"}, "cyber"),
        ([], None, "refusal"),
    ],
)
def test_a_refusal_is_told_by_the_reason_to_stop(blocks: Any, details: Any, refusal: str) -> None:
    """What explains it may stand in several places."""
    read = read_anthropic_message(answer(*blocks, stop_reason="refusal", stop_details=details))
    assert (read.refusal, read.finish_reason) == (refusal, "refusal")


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "Overloaded"),
        ({"message": "not found"}, "not found"),
        ({"type": "message"}, "answer has no content"),
        ([], "answer has no content"),
    ],
)
def test_a_failure_tells_its_reason(value: Any, error: str) -> None:
    """In the server's words where it has any."""
    assert read_anthropic_message(value).error == error


def test_a_result_without_text_is_told_by_what_it_is() -> None:
    """An image goes back to the model as such."""
    content = [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image"}]}]
    (message,) = read_message({"role": "user", "content": content})
    assert (message.role, message.text, message.call_id) == ("tool", '[{"type":"image"}]', "t")


VALUES = st.recursive(
    st.none() | st.integers() | st.sampled_from(["text", "tool_use", "tool_result", "{}", "s"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "content", "id", "tool_use_id", "input", "usage", "error"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@costly(30)
@given(VALUES)
def test_no_value_raises(value: Any) -> None:
    """Whatever stands where something else belongs."""
    read_anthropic_message(value)
    read_anthropic_message({"content": value, "usage": value, "stop_reason": value, "stop_details": value})
    read_message({"role": value, "content": value})
