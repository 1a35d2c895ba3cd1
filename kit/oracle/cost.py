"""`cost_max_usd`: the run's recorded cost stays within a limit (G13, G14)."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.finding import Finding
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

ORACLE = "cost_max_usd"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding, where a limit is stated: in whole micro-USD; equality holds, an unknown cost does not."""
    limit = scenario.expected.cost_max_micro_usd
    if limit is None:
        return
    cost = trace.cost_micro_usd
    if cost is None:
        reason = f"{ORACLE}: cost unknown, a model of the run has no price; at most {_usd(limit)} is allowed"
        yield Finding(ORACLE, ok=False, reason=reason)
        return
    yield Finding(
        ORACLE, cost <= limit, f"{ORACLE}: the run cost {_usd(cost)}, at most {_usd(limit)} is allowed"
    )


def _usd(micro: int) -> str:
    """`0.05 USD`, every digit of it."""
    digits = f"{micro // 1_000_000}.{micro % 1_000_000:06d}".rstrip("0").rstrip(".")
    return f"{digits} USD"
