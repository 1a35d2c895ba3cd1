"""A streamed answer, or none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.stream import write
from kit.cassette.streams.read import read
from tests.fakes.event_streams import CONVERSE, Event, anthropic, gemini, padded, responses, sse
from tests.fakes.examples import costly
from tests.fakes.json_values import values

STREAMS: list[list[Event]] = [
    responses(),
    anthropic(),
    gemini(),
    [event for _, event in CONVERSE],
    [{"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "hi"}]}}],
    [
        anthropic()[0],
        {"type": "content_block_start", "index": 0, "content_block": {"input": {"a.txt": "x" * 60}}},
        anthropic()[-1],
    ],
]
ALL_MARKS = b"event: \xc2\xab\xe2\x9f\xa6\xe2\x80\xb9\n"


@costly(30)
@given(st.sampled_from(STREAMS), st.data())
def test_spoilt_streams_come_back_or_are_left_alone(events: list[Event], data: st.DataObject) -> None:
    """Events dropped, doubled, replaced or changed inside: the bytes are the same, or it is no stream.

    So too where the server pads its events, and where their text holds every mark.
    """
    events = json.loads(json.dumps(events))
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(events) - 1))
        spoil = data.draw(st.sampled_from(["drop", "double", "replace", "inside"]))
        if spoil == "drop" and len(events) > 1:
            del events[at]
        elif spoil == "double":
            events.insert(at, events[data.draw(st.integers(0, len(events) - 1))])
        elif spoil == "replace":
            events[at] = {"type": "x", "v": data.draw(values)}
        elif isinstance(events[at], dict) and events[at]:
            events[at][data.draw(st.sampled_from(sorted(events[at])))] = data.draw(values)
    content = sse(*events, named=data.draw(st.booleans()))
    content = padded(content) if data.draw(st.booleans()) else content
    content = ALL_MARKS + content if data.draw(st.booleans()) else content
    content = content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content
    found = read(content)
    if found is not None:
        assert write(found.shown, found.row) == content


def test_a_stream_that_holds_every_mark_is_left_alone() -> None:
    """Also by the reading that is tried after the first: of one message, and of a server that pads."""
    for events in STREAMS:
        assert read(ALL_MARKS + sse(*events, named=False)) is None
        assert read(ALL_MARKS + padded(sse(*events, named=False))) is None


def test_what_is_taken_out_is_not_shown() -> None:
    """And comes back from the columns."""

    def slim(message: Any) -> Any:
        return {name: value for name, value in message.items() if name != "id"}

    content = sse(*responses())
    found = read(content, slim)
    assert found is not None
    assert "id" in found.message
    assert "id" not in found.shown
    assert write(found.shown, found.row) == content


@pytest.mark.parametrize("depth", [100, 900, 20_000])
def test_events_too_deep_to_read(depth: int) -> None:
    """Are left alone, without running out of stack."""
    content = b'data: {"choices":' + b'{"a":' * depth + b"1" + b"}" * (depth + 1) + b"\n\n"
    assert read(content) is None
