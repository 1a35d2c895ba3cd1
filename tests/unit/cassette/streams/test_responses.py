"""Events of the responses API."""

from __future__ import annotations

from kit.cassette.streams.responses import assemble, recognises
from tests.fakes.event_streams import (
    MESSAGE,
    PART,
    edited,
    message_of,
    responses,
    sse,
    step,
)


def test_the_message_is_the_completed_response() -> None:
    """Texts and arguments once, whatever number of events repeats them."""
    assert message_of(sse(*responses())) == responses()[-1]["response"]


def test_a_stream_that_broke_is_what_came() -> None:
    """Without the last event, the items stand as far as they were sent."""
    message = message_of(sse(*responses()[:10]))
    assert message["status"] == "in_progress"
    assert message["output"] == [
        {**MESSAGE, "content": [{**PART, "text": "Hello, wörld: it is twenty-one degre"}]}
    ]


def test_an_edit_reaches_every_repetition() -> None:
    """Deltas, done events and the response agree again."""
    content = edited(sse(*responses()), "twenty-one degrees outside", "cold")
    message = message_of(content)
    assert message["output"][0]["content"][0]["text"] == "Hello, wörld: it is cold."
    assert b"degrees" not in content


def test_what_the_api_repeats_is_written_once() -> None:
    """The echo of the request stands in one place of the row, not in three."""
    from kit.cassette.streams.read import read

    found = read(sse(*responses()))
    assert found is not None
    assert str(found.row).count("Be brief") <= 2 * 10


def test_reasoning_refusals_and_code() -> None:
    """Each kind of text grows in its own place."""
    at = {"output_index": 0, "summary_index": 0}
    told = [
        step("output_item.added", 0, output_index=0, item={"type": "reasoning", "summary": []}),
        step("reasoning_summary_part.added", 1, **at, part={"type": "summary_text", "text": ""}),
        step("reasoning_summary_text.delta", 2, **at, delta="I think"),
        step("output_item.added", 3, output_index=1, item={"type": "code_interpreter_call", "code": None}),
        step("code_interpreter_call_code.delta", 4, output_index=1, delta="1+1"),
        step("code_interpreter_call_code.done", 5, output_index=1, code="1+1"),
        step("web_search_call.searching", 6, output_index=1),
    ]
    assert recognises(told)
    assert assemble(told).message == {
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "I think"}]},
            {"type": "code_interpreter_call", "code": "1+1"},
        ]
    }
    message_of(sse(*told))


def test_odd_events_are_merged_instead() -> None:
    """A delta for an item that never came is no reason to lose the stream."""
    message_of(sse(step("output_text.delta", 0, output_index=3, content_index=0, delta="x"), {"type": "a"}))
