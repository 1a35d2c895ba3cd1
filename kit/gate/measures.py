"""The three numbers of what was accepted and of what ran, over the same cells, in integers (decision 15)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kit.baseline.compare import Change
from kit.stats import Rate, mean_micro, p95


@dataclass(frozen=True, slots=True)
class Measures:
    """One side of a comparison.

    Attributes:
        success: passes of the cells that have a verdict.
        avg_cost_micro_usd: mean cost; None of nothing, and where any price is unknown (X-05).
        p95_latency_ms: 95th percentile of recorded latency; None of nothing.
    """

    success: Rate
    avg_cost_micro_usd: int | None
    p95_latency_ms: int | None


Run = tuple[bool, int | None, int | None]
"""One cell: passed, cost in micro-USD, latency in ms."""


def compared(changes: Iterable[Change]) -> tuple[Measures, Measures]:
    """What was accepted and what ran, over the cells that have both; a new scenario moves neither (G11)."""
    before: list[Run] = []
    after: list[Run] = []
    for change in changes:
        was, now = change.before, change.after
        if was is not None and now is not None and now.verdict in {"pass", "fail"}:
            before.append((was.verdict == "pass", was.metrics.cost_micro_usd, was.metrics.latency_ms))
            after.append((now.passed, now.cost_micro_usd, now.latency_ms))
    return _measured(before), _measured(after)


def success_of_run(changes: Iterable[Change]) -> Rate:
    """Passes of everything that ran and has a verdict, new scenarios included."""
    results = [change.after for change in changes if change.after is not None]
    executed = [result for result in results if result.verdict in {"pass", "fail"}]
    return Rate(sum(result.passed for result in executed), len(executed))


def _measured(runs: list[Run]) -> Measures:
    return Measures(
        Rate(sum(passed for passed, _, _ in runs), len(runs)),
        mean_micro([cost for _, cost, _ in runs]),
        p95([latency for _, _, latency in runs if latency is not None]),
    )
