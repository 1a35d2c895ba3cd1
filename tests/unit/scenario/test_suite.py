"""A suite as a value."""

from __future__ import annotations

from kit.scenario.suite import OUTCOMES, Suite


def test_a_suite_that_says_little_has_the_usual_vocabulary() -> None:
    """Outcomes are those kit derives, and the suite is played by default."""
    suite = Suite(name="home", description="d", categories=("a",))
    assert suite.outcomes == OUTCOMES
    assert suite.default
    assert suite.cost_max_micro_usd is None
    assert suite.time_limit_s is None
