"""Streams of Cohere's events."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kit.wire.cohere_stream import join_cohere


def call(index: int, kind: str, **call: Any) -> dict[str, Any]:
    """An event of a tool call."""
    return {"type": f"tool-call-{kind}", "index": index, "delta": {"message": {"tool_calls": call}}}


def content(**content: str) -> dict[str, Any]:
    """More of what the model says or thinks."""
    return {"type": "content-delta", "index": 0, "delta": {"message": {"content": content}}}


def test_interleaved_calls_are_put_together() -> None:
    """By their index, with plan, thoughts and counts."""
    answer = join_cohere(
        [
            {"type": "message-start", "delta": {"message": {"role": "assistant"}}},
            {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "I will"}}},
            call(0, "start", id="a", function={"name": "f", "arguments": ""}),
            call(1, "start", id="b", function={"name": "g", "arguments": ""}),
            call(0, "delta", function={"arguments": '{"x":'}),
            call(1, "delta", function={"arguments": "{}"}),
            call(0, "delta", function={"arguments": "1}"}),
            {
                "type": "message-end",
                "delta": {
                    "finish_reason": "TOOL_CALL",
                    "usage": {"tokens": {"input_tokens": 5, "output_tokens": 2}},
                },
            },
        ]
    )
    assert [(one.id, one.arguments) for one in answer.tool_calls] == [("a", {"x": 1}), ("b", {})]
    assert (answer.thinking, answer.finish_reason) == ("I will", "TOOL_CALL")
    assert (answer.prompt_tokens, answer.completion_tokens, answer.broken) == (5, 2, False)


def test_thoughts_and_text_grow_apart() -> None:
    """In one content block or two."""
    answer = join_cohere([content(thinking="h"), content(thinking="m"), content(text="hi")])
    assert (answer.text, answer.thinking, answer.broken) == ("hi", "hm", True)


def test_an_error_at_the_end_is_told() -> None:
    """The stream ended, badly; another error has no type at all."""
    end = {"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "boom"}}
    answer = join_cohere([content(text="so"), end])
    assert (answer.text, answer.error, answer.broken) == ("so", "boom", False)
    assert join_cohere([{"message": "overloaded"}]).error == "overloaded"


def test_the_elder_version_asks_for_tools_in_one_event() -> None:
    """With parameters that are an object."""
    answer = join_cohere(
        [
            {"event_type": "tool-calls-generation", "tool_calls": [{"name": "f", "parameters": {"x": 1}}]},
            {"event_type": "stream-end", "finish_reason": "COMPLETE"},
        ]
    )
    assert answer.finish_reason == "COMPLETE"


PARTS: st.SearchStrategy[Any] = (
    st.none() | st.integers() | st.just({"message": {"tool_calls": [3], "content": 1}}) | st.just([{}])
)
EVENTS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("type", "event_type"), st.sampled_from(["message-end", "stream-end", "x"]))
    | dict.fromkeys(("delta", "index", "response", "text", "tool_calls"), PARTS),
)


@given(st.lists(EVENTS | PARTS, max_size=6))
def test_no_events_raise(events: list[Any]) -> None:
    """Whatever a server puts in an event."""
    join_cohere(events)
