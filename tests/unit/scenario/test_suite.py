"""A suite as a value."""

from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from kit.scenario.suite import OUTCOMES, Suite


def test_a_suite_that_says_little_has_the_usual_vocabulary() -> None:
    """Outcomes are those kit derives, and the suite is played by default."""
    suite = Suite(name="home", description="d", categories=("a",))
    assert suite.outcomes == OUTCOMES
    assert suite.default
    assert suite.cost_max_micro_usd is None
    assert suite.time_limit_s is None
    assert suite.sampling.temperature is None
    assert suite.judging is None


def limited(limit: object) -> Suite:
    """A suite with a time limit."""
    return Suite.model_validate({"name": "s", "description": "d", "categories": ["a"], "time_limit_s": limit})


def test_no_limit_is_said_in_words() -> None:
    """What a suite leaves out is the project's; `none` is none at all (S4-29)."""
    assert limited(None).limit_s(300) == 300
    assert limited(7).limit_s(300) == 7
    assert limited("none").limit_s(300) is None


@pytest.mark.parametrize("limit", [math.inf, math.nan, 0, -1, "never", True])
def test_a_limit_is_a_number_above_0_or_none(limit: object) -> None:
    """Infinity by accident is not `none`."""
    with pytest.raises(ValidationError):
        limited(limit)
