"""Streams of the responses API."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kit.wire.dialect import ModelAnswer
from kit.wire.responses import RESPONSES
from tests.fakes.eventstream import sse
from tests.fakes.examples import costly

STREAM = "text/event-stream"


def read(*events: dict[str, Any]) -> ModelAnswer:
    """The answer of a stream."""
    return RESPONSES.read_response(sse(*events), STREAM, streamed=True)


def created(**fields: Any) -> dict[str, Any]:
    """How a stream begins."""
    response = {"id": "resp_1", "model": "m", "status": "in_progress", "output": [], **fields}
    return {"type": "response.created", "response": response}


def added(index: int, **item: Any) -> dict[str, Any]:
    """An item begins."""
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def arguments(index: int, piece: str) -> dict[str, Any]:
    """More of a call's arguments."""
    return {"type": "response.function_call_arguments.delta", "output_index": index, "delta": piece}


def text(index: int, piece: str, part: int = 0) -> dict[str, Any]:
    """More of what the model says."""
    return {
        "type": "response.output_text.delta",
        "output_index": index,
        "content_index": part,
        "delta": piece,
    }


def completed(**fields: Any) -> dict[str, Any]:
    """How a stream ends."""
    usage = {"input_tokens": 3, "output_tokens": 2}
    response = {"id": "resp_1", "model": "m", "status": "completed", "output": [], "usage": usage, **fields}
    return {"type": "response.completed", "response": response}


def test_the_servers_last_word_counts() -> None:
    """The whole response stands in the last event."""
    output = [{"type": "message", "content": [{"text": "whole"}]}]
    answer = read(created(), text(0, "who"), completed(output=output))
    assert (answer.text, answer.finish_reason) == ("whole", "completed")
    assert (answer.prompt_tokens, answer.completion_tokens, answer.broken) == (3, 2, False)


def test_interleaved_calls_are_put_together_from_their_pieces() -> None:
    """Where the last event is empty, as some servers send it."""
    answer = read(
        created(),
        added(0, type="function_call", call_id="a", name="f", arguments=""),
        added(1, type="function_call", call_id="b", name="g", arguments=""),
        arguments(0, '{"x":'),
        arguments(1, '{"y":'),
        arguments(0, "1}"),
        arguments(1, "2}"),
        text(2, "and "),
        text(2, "so"),
        completed(),
    )
    assert [(call.id, call.arguments) for call in answer.tool_calls] == [("a", {"x": 1}), ("b", {"y": 2})]
    assert answer.text == "and so"


def test_a_stream_that_was_cut_keeps_what_came() -> None:
    """It is broken, and no reason to stop is made up."""
    answer = read(created(), added(0, type="function_call", call_id="a", name="f"), arguments(0, '{"x'))
    assert answer.broken
    assert (answer.finish_reason, answer.pending) == (None, False)
    assert (answer.tool_calls[0].arguments, answer.tool_calls[0].raw) == (None, '{"x')


def done(index: int, **item: Any) -> dict[str, Any]:
    """An item is whole."""
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def test_what_a_cut_call_would_have_asked_is_unknown() -> None:
    """A call that only began asks for nothing yet, which is not the same as asking with nothing."""
    patch = {"type": "create_file", "path": "a.py", "diff": ""}
    answer = read(
        created(),
        added(0, type="function_call", call_id="a", name="f", arguments=""),
        done(0, type="function_call", call_id="a", name="f", arguments="{}"),
        added(1, type="function_call", call_id="b", name="f", arguments=""),
        added(2, type="function_call", call_id="c", name="f", arguments=""),
        arguments(2, "{}"),
        added(3, type="apply_patch_call", call_id="d", operation=patch, status="in_progress"),
        added(4, type="custom_tool_call", id="e", name="g", input=""),
    )
    assert [(call.id, call.arguments) for call in answer.tool_calls] == [
        ("a", {}),
        ("b", None),
        ("c", {}),
        ("d", None),
        ("e", None),
    ]


def test_a_whole_stream_needs_no_end_of_each_item() -> None:
    """Some servers say only that all of it is done."""
    shell = {"type": "shell_call", "call_id": "a", "action": {"commands": ["ls"]}}
    answer = read(created(), added(0, **shell), completed())
    assert answer.tool_calls[0].arguments == {"action": {"commands": ["ls"]}}


def test_a_stream_in_the_background_goes_on_elsewhere() -> None:
    """It is pending: a later request asks for the rest."""
    answer = read(created(status="queued", background=True))
    assert (answer.pending, answer.id, answer.error) == (True, "resp_1", None)


def test_a_failure_in_the_middle_is_told() -> None:
    """As an event of its own, or as the end of the response."""
    answer = read(created(), text(0, "so"), {"type": "error", "message": "overloaded", "code": "x"})
    assert (answer.text, answer.error, answer.broken) == ("so", "overloaded", True)
    failed = {"status": "failed", "error": {"message": "boom"}, "output": []}
    answer = read(created(), {"type": "response.failed", "response": failed})
    assert (answer.error, answer.broken) == ("boom", False)


def test_refusals_and_thoughts_grow_too() -> None:
    """Each in its own place."""
    answer = read(
        created(),
        {"type": "response.reasoning_text.delta", "output_index": 0, "content_index": 0, "delta": "hm"},
        {"type": "response.refusal.delta", "output_index": 1, "content_index": 0, "delta": "no"},
        completed(),
    )
    assert (answer.thinking, answer.refusal, answer.text) == ("hm", "no", None)


def test_a_stream_without_anything_says_so() -> None:
    """An empty stream is an error, not an empty answer."""
    assert read({"type": "response.ping"}).error == "stream holds no answer"


KINDS = ["response.created", "response.completed", "response.output_text.delta", "error"]
EVENTS = st.fixed_dictionaries(
    {
        "type": st.sampled_from([*KINDS, "response.output_item.added", "response.output_item.done"])
        | st.none()
    },
    optional={
        name: st.none() | st.integers() | st.text(max_size=3) | st.just({"output": [{"type": 1}], "error": 1})
        for name in ("output_index", "delta", "item", "response", "content_index", "message")
    },
)


@costly(30)
@given(st.lists(EVENTS, max_size=6))
def test_no_events_raise(events: list[dict[str, Any]]) -> None:
    """Whatever a server puts in an event."""
    read(*events)
