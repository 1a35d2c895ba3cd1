"""The three numbers over the cells that have both sides."""

from __future__ import annotations

from kit.gate.measures import Measures, compared, success_of_run
from kit.stats import Rate
from tests.fakes.changes import Run, changes

CELLS = changes(
    (Run("pass", 10, 100), Run("fail", 30, 300)),
    (Run("fail", 20, 200), Run("pass", 20, 100)),
    (None, Run("fail", 999, 999)),
    (Run("pass", 999, 999), None),
    (Run("pass", 999, 999), Run("error", None, None)),
)


def test_only_what_was_accepted_and_ran_is_compared() -> None:
    """New, missing and broken scenarios have rules of their own."""
    assert compared(CELLS) == (
        Measures(Rate(1, 2), 15, 200),
        Measures(Rate(1, 2), 25, 300),
    )


def test_the_absolute_rate_is_of_all_that_ran() -> None:
    """A new scenario that fails counts there, an error does not."""
    assert success_of_run(CELLS) == Rate(1, 3)


def test_nothing_is_not_zero() -> None:
    """X-05."""
    assert compared(()) == (Measures(Rate(0, 0), None, None),) * 2
    assert compared(changes((Run(cost=None), Run(cost=1))))[0].avg_cost_micro_usd is None
