"""The run's latency stays within its limit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kit.oracle.latency import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace


@pytest.mark.parametrize(("latency", "ok"), [(0, True), (8000, True), (8001, False)])
def test_limit(
    latency: int, ok: bool, scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """Equality passes, one millisecond more does not."""
    [finding] = findings(scenario(latency_max_ms=8000), trace(latency_ms=latency))
    assert finding.ok is ok
    assert finding.reason == f"latency_max_ms: the run took {latency} ms, at most 8000 ms is allowed"


def test_not_stated(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """A condition that is not stated gives no finding."""
    assert not list(findings(scenario(), trace()))
