"""Which shape a stream has."""

from __future__ import annotations

from kit.cassette.streams.assembled import Place
from kit.cassette.streams.shapes import readings


def test_chat_is_merged_only() -> None:
    """Its events have the same places as its message."""
    (reading,) = readings([{"choices": [{"index": 0, "delta": {"content": "a"}}]}])
    assert reading.places is None


def test_a_shape_is_tried_first_and_the_merge_is_left() -> None:
    """Whatever an API sends, there is a reading."""
    first, second = readings([{"type": "message_start", "message": {"role": "assistant"}}])
    assert first.places == [{("message", "role"): Place(("role",))}]
    assert second.places is None
    (broken,) = readings([{"type": "message_start"}])
    assert broken.places is None
    (odd,) = readings([1, "a"])
    assert odd.message == {}
