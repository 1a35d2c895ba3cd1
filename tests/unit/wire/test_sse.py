"""Framing of event streams."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.sse import events

PIECES = st.sampled_from(
    [
        b"data:",
        b"data: ",
        b"event: x",
        b"id: 1",
        b":",
        b"\n",
        b"\r",
        b"\r\n",
        b"{}",
        b"[DONE]",
        b"\xef\xbb\xbf",
        b"\xff",
        b" ",
        b"a:b",
    ]
)
HOSTILE = st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=40).map(b"".join))


@given(HOSTILE)
def test_every_byte_is_in_exactly_one_event(body: bytes) -> None:
    """The raw pieces joined are the body, so a cassette can give the stream back byte for byte."""
    assert b"".join(event.raw for event in events(body)) == body


@given(HOSTILE)
def test_only_the_last_event_can_be_unfinished(body: bytes) -> None:
    """A stream breaks off once, at its end."""
    assert all(event.finished for event in events(body)[:-1])


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_any_line_end_frames_the_same_events(end: bytes) -> None:
    """LF, CRLF and CR are the same to a reader."""
    body = end.join(
        [b": hello", b"event: note", b"id: 7", b"data: one", b"data:two", b"", b"data: [DONE]", b"", b""]
    )
    first, last = events(body)
    assert (first.data, first.event, first.id, first.comments) == (b"one\ntwo", "note", "7", ("hello",))
    assert last.is_done
    assert first.finished
    assert last.finished


def test_an_unfinished_tail_is_said() -> None:
    """A stream that was cut keeps what had arrived."""
    first, tail = events(b'data: {"a":1}\n\ndata: {"a":')
    assert first.finished
    assert not tail.finished
    assert tail.data == b'{"a":'


def test_a_last_line_without_blank_line_is_unfinished() -> None:
    """Only the blank line ends an event."""
    (only,) = events(b"data: x\n")
    assert only.data == b"x"
    assert not only.finished


def test_keep_alives_carry_no_data() -> None:
    """A comment or an empty block is no message."""
    assert [event.data for event in events(b": ping\n\n\ndata\n\n")] == [None, None, b""]


def test_a_byte_order_mark_is_no_part_of_the_first_field() -> None:
    """A mark in front does not hide the first event."""
    (only,) = events(b"\xef\xbb\xbfdata: x\n\n")
    assert only.data == b"x"
    (cut,) = events(b"\xef\xbb\xbfdata: x")
    assert cut.data == b"x"


def test_only_one_blank_is_taken_off_a_value() -> None:
    """Leading blanks belong to the text of a token."""
    (only,) = events(b"data:  x\n\n")
    assert only.data == b" x"


def test_no_bytes_are_no_events() -> None:
    """An empty body holds nothing."""
    assert events(b"") == []
