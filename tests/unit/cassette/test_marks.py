"""The tags of format v1."""

from __future__ import annotations

from kit.cassette.marks import AnswerRef, JsonNumber, ResultRef


def test_marks_are_values() -> None:
    """Equal marks are equal, so that trees can be compared and marks be keys."""
    assert {AnswerRef(1), AnswerRef(1, 0)} == {AnswerRef(1)}
    assert JsonNumber("1e5") != JsonNumber("1E5")
    assert ResultRef(1) != ResultRef(1, "spaced")
