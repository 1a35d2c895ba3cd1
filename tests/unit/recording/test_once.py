"""Values that are made when somebody asks."""

from __future__ import annotations

import pytest

from kit.recording.once import Once


def test_a_value_is_made_once_and_not_before() -> None:
    """Nobody who does not ask pays for it."""
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    once = Once(make)
    assert made == []
    assert [once(), once()] == [1, 1]


def test_what_could_not_be_made_is_tried_again() -> None:
    """A failure is no value."""
    tries: list[int] = []

    def make() -> int:
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("not yet")
        return len(tries)

    once = Once(make)
    with pytest.raises(ValueError, match="not yet"):
        once()
    assert once() == 2
