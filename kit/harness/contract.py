"""The two protocols of S2.H that are no data: what runs scenarios, and what judges a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kit.harness.eval_report import EvalReport
from kit.oracle.result import OracleResult
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace, Mode


class EvalHarness(Protocol):
    """Loads, executes and evaluates scenarios (S2-41)."""

    async def run(
        self, scenarios: list[Path], mode: Mode = "replay", baseline: Path | None = None
    ) -> EvalReport:
        """Run all scenarios and report."""
        ...

    async def run_one(self, scenario: Path, mode: Mode = "replay") -> OracleResult:
        """Run a single scenario, useful for debugging."""
        ...


class Oracle(Protocol):
    """Applies all conditions of `expected` to a trace (S2-42)."""

    async def evaluate(self, scenario: Scenario, trace: ExecutionTrace) -> OracleResult:
        """All conditions, no short-circuit (S2-44)."""
        ...
