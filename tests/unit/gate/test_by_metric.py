"""Rules that look at the three numbers of a run."""

from __future__ import annotations

import pytest

from kit.gate.by_metric import reasons
from kit.gate.measures import Measures
from kit.gate.thresholds import Thresholds
from kit.stats import Rate


def measures(passed: int = 20, cost: int | None = 100, latency: int | None = 100) -> Measures:
    return Measures(Rate(passed, 20), cost, latency)


def told(now: Measures, base: Measures | None = None, **limits: object) -> list[tuple[str, str]]:
    found = reasons(base or measures(), now, now.success, Thresholds.model_validate(limits))
    return [(reason.level, reason.what) for reason in found]


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        (100, []),
        (120, []),
        (121, [("warn", "avg_cost rose from $0.000100 to $0.000121, by more than 20 %")]),
        (150, [("warn", "avg_cost rose from $0.000100 to $0.000150, by more than 20 %")]),
        (151, [("block", "avg_cost rose from $0.000100 to $0.000151, by more than 50 %")]),
        (50, []),
        (None, [("warn", "avg_cost was $0.000100 and is unknown now")]),
    ],
)
def test_cost(cost: int | None, expected: list[tuple[str, str]]) -> None:
    """What is exactly at a limit stays on the milder side; unknown is not free (X-05)."""
    assert told(measures(cost=cost)) == expected


def test_latency_says_milliseconds() -> None:
    """The same rules with the unit of the metric."""
    assert told(measures(latency=200)) == [
        ("block", "p95_latency rose from 100 ms to 200 ms, by more than 50 %")
    ]


def test_an_unknown_baseline_compares_nothing() -> None:
    """A cost that nobody knew then cannot have risen."""
    assert told(measures(), measures(cost=None, latency=None)) == []


def test_rate() -> None:
    """Counts with totals, never a bare percentage (X-06)."""
    assert told(measures(19)) == [("warn", "success_rate fell from 20/20 to 19/20")]
    assert told(measures(18)) == [("block", "success_rate fell from 20/20 to 18/20, by more than 5 points")]
    assert told(measures(18), success_rate_drop_block=10) == [
        ("warn", "success_rate fell from 20/20 to 18/20")
    ]


def test_off_is_off() -> None:
    """A rule that is switched off says nothing, not even of a baseline of 0."""
    assert told(measures(cost=9), measures(cost=0), avg_cost_block="off", avg_cost_warn="off") == []
    assert told(measures(0), success_rate_drop_block="off", success_rate_drop_warn="off") == []
    assert told(measures(cost=900), avg_cost_block="off") == [
        ("warn", "avg_cost rose from $0.000100 to $0.000900, by more than 20 %")
    ]


def test_absolute_minimum() -> None:
    """Below blocks, exactly at it does not."""
    from decimal import Decimal

    assert told(measures(17), measures(17), success_rate_min=Decimal("0.85")) == []
    assert told(measures(16), measures(16), success_rate_min=Decimal("0.85")) == [
        ("block", "success_rate is 16/20, below the minimum of 17/20")
    ]
