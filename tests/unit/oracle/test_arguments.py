"""Conditions on arguments of tool calls."""

from __future__ import annotations

from typing import Any

import pytest

from kit.oracle.arguments import as_text, holds, json_equal, wanted
from kit.scenario.expected import ArgumentCondition


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (None, None, True),
        (None, "", False),
        ("a", "A", False),
        ([1, {"a": [True]}], [1, {"a": [True]}], True),
        ([1, {"a": [True]}], [1, {"a": [1]}], False),
        ([1], [1, 2], False),
        ({"a": 1}, {"b": 1}, False),
    ],
)
def test_json_equal(left: Any, right: Any, equal: bool) -> None:
    """JSON tells true from 1, Python does not."""
    assert json_equal(left, right) is equal


def test_every_part_of_a_condition_counts() -> None:
    """A value must satisfy all that was written about it."""
    condition = ArgumentCondition(contains="milk", regex="^buy")
    assert holds("buy milk", condition)
    assert not holds("milk, buy", condition)
    assert not holds("buy bread", condition)
    assert not holds("x", ArgumentCondition.model_validate("y"))
    assert holds(None, ArgumentCondition.model_validate(None))


def test_other_values_are_read_as_json() -> None:
    """`contains` and `regex` look at the compact JSON of what is no text."""
    assert as_text({"b": 1, "a": [2]}) == '{"a":[2],"b":1}'
    assert holds(["x", "y"], ArgumentCondition(contains='"y"'))


def test_condition_is_told_to_people() -> None:
    """A reason names what was wanted of which argument."""
    assert wanted("n", ArgumentCondition.model_validate(3)) == "n 3"
    both = ArgumentCondition(contains="a", regex="b")
    assert wanted("text", both) == "text containing 'a' and matching the regex 'b'"
