"""Streams of Anthropic's events."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kit.wire.anthropic_stream import assemble, assemble_events
from kit.wire.dialect import ModelAnswer
from tests.fakes.eventstream import sse
from tests.fakes.examples import costly

START = {
    "type": "message_start",
    "message": {"model": "claude", "content": [], "usage": {"input_tokens": 5, "output_tokens": 1}},
}
STOP = {"type": "message_stop"}


def begin(index: int, **block: Any) -> dict[str, Any]:
    """A block begins."""
    return {"type": "content_block_start", "index": index, "content_block": block}


def grow(index: int, kind: str, **delta: str) -> dict[str, Any]:
    """A block grows."""
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **delta}}


def stop(reason: str = "end_turn", **usage: int) -> dict[str, Any]:
    """The model says why it stops."""
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def read(*events: dict[str, Any]) -> ModelAnswer:
    """The answer of a stream."""
    return assemble(sse(*events))


def test_interleaved_blocks_are_put_together() -> None:
    """Two calls at once, a thought and a text, each by its index."""
    answer = read(
        START,
        begin(0, type="thinking", thinking=""),
        begin(1, type="text", text=""),
        begin(2, type="tool_use", id="a", name="f", input={}),
        begin(3, type="tool_use", id="b", name="g", input={}),
        {"type": "ping"},
        grow(2, "input_json_delta", partial_json='{"x":'),
        grow(3, "input_json_delta", partial_json=""),
        grow(1, "text_delta", text="Hi "),
        grow(2, "input_json_delta", partial_json="1}"),
        grow(0, "thinking_delta", thinking="hm"),
        grow(0, "signature_delta", signature="sig"),
        grow(1, "text_delta", text="you"),
        stop("tool_use", output_tokens=20),
        STOP,
    )
    assert answer.text == "Hi you"
    assert answer.thinking == "hm"
    assert [(call.id, call.arguments) for call in answer.tool_calls] == [("a", {"x": 1}), ("b", {})]
    assert (answer.model, answer.finish_reason) == ("claude", "tool_use")
    assert (answer.prompt_tokens, answer.completion_tokens) == (5, 20)
    assert not answer.broken


def test_the_last_count_is_the_one_that_holds() -> None:
    """The end may correct the prompt, too, and an empty count corrects nothing."""
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
    usage = {"input_tokens": 7000, "cache_read_input_tokens": None, "output_tokens": 3}
    answer = read(START, begin(0, type="text", text="a"), {**end, "usage": usage}, STOP)
    assert (answer.prompt_tokens, answer.completion_tokens) == (7000, 3)


def test_a_stream_that_was_cut_is_broken() -> None:
    """Arguments that never came are unknown, those that came in part stay as text."""
    answer = read(
        START,
        begin(0, type="tool_use", id="a", name="f", input={}),
        begin(1, type="tool_use", id="b", name="g", input={}),
        grow(1, "input_json_delta", partial_json='{"x'),
    )
    assert answer.broken
    assert [(call.arguments, call.raw) for call in answer.tool_calls] == [(None, ""), (None, '{"x')]
    assert answer.finish_reason is None


def test_an_error_in_the_middle_is_told() -> None:
    """What came before stays."""
    failed = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    answer = read(START, begin(0, type="text", text=""), grow(0, "text_delta", text="so"), failed)
    assert (answer.text, answer.error, answer.broken) == ("so", "Overloaded", True)


def test_a_stream_without_anything_says_so() -> None:
    """An empty stream is an error, not an empty answer."""
    assert read({"type": "ping"}).error == "stream holds no answer"


KINDS = ["message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop"]
PARTS = st.none() | st.integers() | st.just({"type": "text_delta", "text": 1}) | st.just({"usage": 3})
EVENTS = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | PARTS},
    optional=dict.fromkeys(("index", "message", "content_block", "delta", "usage", "error"), PARTS),
)


@costly(30)
@given(st.lists(EVENTS, max_size=6))
def test_no_events_raise(events: list[Any]) -> None:
    """Whatever a server puts in an event."""
    assemble_events(events)
