"""Changes against a baseline in few words, for the gate's tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit.baseline.accepted import Acceptance, accept
from kit.baseline.compare import Change, compare
from kit.oracle.result import OracleResult

BY_ME = Acceptance(reason="r", owner="o", date="2026-11-29")


@dataclass(frozen=True)
class Run:
    """One side of a cell: verdict, micro-USD, ms."""

    verdict: str = "pass"
    cost: int | None = 0
    latency: int | None = 0

    def result(self, scenario: str, category: str) -> OracleResult:
        """The run as a result of the home suite on `m`."""
        return OracleResult.model_validate(
            {
                "scenario_id": scenario,
                "passed": self.verdict == "pass",
                "failures": ("it is wrong",) if self.verdict == "fail" else (),
                "trace_path": Path("t"),
                "verdict": self.verdict,
                "suite": "home",
                "category": category,
                "model": "m",
                "cost_micro_usd": self.cost,
                "latency_ms": self.latency,
            }
        )


def change(
    before: Run | str | None, after: Run | str | None, scenario: str = "001_x", category: str = "happy_path"
) -> Change:
    """One cell, before and after; a verdict alone is a run that cost and took nothing."""
    was = Run(before) if isinstance(before, str) else before
    now = Run(after) if isinstance(after, str) else after
    accepted = accept(was.result(scenario, category), BY_ME) if was else None
    if now is None:
        assert accepted is not None
        return Change(accepted.cell, "missing", accepted, None)
    return compare(accepted, now.result(scenario, category))


def changes(*cells: tuple[Run | str | None, Run | str | None]) -> tuple[Change, ...]:
    """A change for each pair, scenarios numbered from 000."""
    return tuple(change(before, after, f"{number:03d}_x") for number, (before, after) in enumerate(cells))
