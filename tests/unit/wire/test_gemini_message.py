"""Contents and parts of Gemini's API."""

from __future__ import annotations

from typing import Any

import pytest

from kit.wire.gemini_message import (
    calls_of,
    completion_tokens,
    parts_of,
    prompt_tokens,
    read_content,
    server_calls_of,
    text_of,
    thinking_of,
)


@pytest.mark.parametrize(
    ("usage", "prompt", "completion"),
    [
        ({"promptTokenCount": 5, "candidatesTokenCount": 1, "thoughtsTokenCount": 100}, 5, 101),
        ({"promptTokenCount": 5, "toolUsePromptTokenCount": 10, "totalTokenCount": 17}, 15, 2),
        ({"promptTokenCount": 5, "totalTokenCount": 5}, 5, 0),
        ({"promptTokenCount": 5}, 5, None),
        ({"trafficType": "ON_DEMAND"}, None, None),
        (None, None, None),
    ],
)
def test_tokens_are_counted_whole(usage: Any, prompt: int | None, completion: int | None) -> None:
    """Zeros are left out by the server, so the total tells them; nothing told is unknown (X-05)."""
    assert prompt_tokens(usage) == prompt
    assert completion_tokens(usage) == completion


def test_parts_may_be_one_or_a_bare_text() -> None:
    """As clients of other languages send them."""
    assert parts_of("hi") == [{"text": "hi"}]
    assert parts_of({"parts": {"text": "hi"}}) == [{"text": "hi"}]
    assert parts_of({"parts": [{"inline_data": {"mime_type": "x"}}, 3]}) == [
        {"inlineData": {"mime_type": "x"}}
    ]
    assert parts_of(None) == []


def test_a_thought_does_not_part_a_sentence() -> None:
    """A stream may put one, or an empty text, between two pieces; a call makes a paragraph."""
    parts: list[dict[str, Any]] = [
        {"text": "a"},
        {"text": "hm", "thought": True},
        {"text": ""},
        {"text": "b"},
    ]
    assert text_of(parts) == "ab"
    assert thinking_of(parts) == "hm"
    assert text_of([{"text": "a"}, {"functionCall": {"name": "f"}}, {"text": "b"}]) == "a\n\nb"


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ({"output": "x"}, "x"),
        ({"result": {"a": 1}}, '{"a":1}'),
        ({"a": 1}, '{"a":1}'),
        ({"a": 1, "output": 2}, '{"a":1,"output":2}'),
        ({}, "{}"),
        (None, None),
    ],
)
def test_a_result_is_told_without_the_object_around_it(response: Any, text: str | None) -> None:
    """Gemini takes objects only, so clients wrap what a function returns."""
    (message,) = read_content({"parts": [{"functionResponse": {"name": "f", "response": response}}]})
    assert (message.role, message.name, message.text) == ("tool", "f", text)


def test_arguments_that_are_no_object_are_unknown() -> None:
    """They stay as they were sent."""
    (call,) = calls_of([{"functionCall": {"name": "f", "args": [1]}}])
    assert (call.arguments, call.raw) == (None, "[1]")


def test_a_result_without_a_call_is_passed_over() -> None:
    """Nothing is made up for it."""
    assert server_calls_of([{"codeExecutionResult": {"output": "2"}}]) == ()
