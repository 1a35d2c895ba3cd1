"""A stream's events."""

from __future__ import annotations

from kit.cassette.frames import FRAMES
from kit.cassette.streams.events import events_of
from tests.fakes.event_streams import EVENT, frame


def test_tokens_and_their_places() -> None:
    """Texts and numbers of the value, not its keys."""
    (event, end), framing = events_of(b'data: {"a": [1, "b"]}\n\ndata: [DONE]\n\n')
    assert framing is None
    assert [event.block[start:stop] for start, stop in event.tokens] == ["1", '"b"']
    assert event.paths == [("a", 0), ("a", 1)]
    assert event.block[slice(*event.span)] == '{"a": [1, "b"]}'
    assert (end.value, end.tokens) == (None, [])


def test_framing_is_told() -> None:
    """Frames of AWS are no text."""
    (event,), framing = events_of(frame(b'{"a":1}', EVENT))
    assert (event.value, framing) == ({"a": 1}, FRAMES)
    assert events_of(b"\xff") == ([], None)
