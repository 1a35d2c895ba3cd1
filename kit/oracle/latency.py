"""`latency_max_ms`: the run's recorded latency stays within a limit (decision 15)."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.finding import Finding
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

ORACLE = "latency_max_ms"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding, where a limit is stated: the virtual clock at the run's end, equality holds."""
    limit = scenario.expected.latency_max_ms
    if limit is None:
        return
    reason = f"{ORACLE}: the run took {trace.latency_ms} ms, at most {limit} ms is allowed"
    yield Finding(ORACLE, trace.latency_ms <= limit, reason)
