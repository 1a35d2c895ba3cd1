"""Conditions on text that outlives a run."""

from __future__ import annotations

from kit.oracle.state import problems
from kit.scenario.expected import StateConditions


def test_no_condition_on_text_is_satisfied_by_anything() -> None:
    """A binary file exists as well as a text does."""
    assert problems(None, StateConditions(exists=True)) is None


def test_content_is_the_whole_text() -> None:
    """Letter by letter, an empty one included."""
    assert problems("a\n", StateConditions(content="a\n")) is None
    assert problems("", StateConditions(content="")) is None
    assert problems("A\n", StateConditions(content="a\n")) == "is not «a»; it holds «A»"


def test_everything_wrong_is_told() -> None:
    """Content and text conditions are all judged."""
    wrong = problems("x", StateConditions(content="y", contains_any=("z1",), not_contains=("x",)))
    assert wrong == "is not «y», does not contain 'z1', contains 'x', which it must not; it holds «x»"


def test_binary_satisfies_no_condition_on_text() -> None:
    """Not even a `not_contains`: nobody looked."""
    assert problems(None, StateConditions(not_contains=("x",))) == (
        "is not text, so nothing that was stated of its text holds"
    )
