"""`outcome`: the run ended as expected (decision 19)."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.finding import Finding
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

ORACLE = "outcome"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding: the outcome that events gave equals the expected one."""
    expected = scenario.expected.outcome
    ok = trace.outcome == expected
    reason = f"{ORACLE}: the run ended as {trace.outcome}"
    if not ok:
        reason += f", expected {expected}"
    if trace.failure is not None:
        reason += f" ({trace.failure})"
    yield Finding(ORACLE, ok, reason)
