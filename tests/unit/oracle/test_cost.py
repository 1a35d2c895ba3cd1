"""The run's cost stays within its limit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kit.oracle.cost import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace


@pytest.mark.parametrize(
    ("limit", "cost", "ok"),
    [
        (0.05, 50_000, True),
        (0.05, 50_001, False),
        (0.05, 0, True),
        (0, 0, True),
        (0, 1, False),
        (0.3, 300_000, True),
    ],
)
def test_limit_in_micro_usd(
    limit: float, cost: int, ok: bool, scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """G13: equality passes, one millionth more does not."""
    [finding] = findings(scenario(cost_max_usd=float(limit)), trace(cost_micro_usd=cost))
    assert finding.ok is ok


def test_unknown_cost_fails(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """G14: a cost that nobody knows is not 0."""
    [finding] = findings(scenario(cost_max_usd=0.05), trace(cost_micro_usd=None))
    assert not finding.ok
    assert finding.reason == (
        "cost_max_usd: cost unknown, a model of the run has no price; at most 0.05 USD is allowed"
    )


def test_reason(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """Amounts are told to the last digit."""
    [finding] = findings(scenario(cost_max_usd=2.0), trace(cost_micro_usd=2_000_010))
    assert finding.reason == "cost_max_usd: the run cost 2.00001 USD, at most 2 USD is allowed"


def test_not_stated(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """A condition that is not stated gives no finding, even where the cost is unknown."""
    assert not list(findings(scenario(), trace()))
