"""`approvals_requested`: how often the agent asked for leave."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.finding import Finding
from kit.oracle.text import counted, in_steps
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

ORACLE = "approvals_requested"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding, where a number is stated: the requests lie within it."""
    count = scenario.expected.approvals_requested
    if count is None:
        return
    asked = trace.events("approval_requested")
    where = in_steps(tuple(step.index for step in asked))
    reason = f"{ORACLE}: the agent asked for {counted(len(asked), 'approval')}{where}, expected {count}"
    yield Finding(ORACLE, count.holds(len(asked)), reason, asked[0].index if asked else None)
