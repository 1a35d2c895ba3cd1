"""`outcome`: the run ended as expected (decision 19)."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.finding import Finding
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

ORACLE = "outcome"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding where an outcome is expected: the one that events gave equals it."""
    expected = scenario.expected.outcome
    if expected is None:
        return
    ok = trace.outcome == expected
    reason = f"{ORACLE}: the run ended as {trace.outcome}"
    if not ok:
        reason += f", expected {expected}"
    if trace.failure is not None:
        reason += f" ({trace.failure})"
    yield Finding(ORACLE, ok, reason)
