"""The harness of S2.H for a program: the same runs as `kit run`, awaited instead of typed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from kit.errors import UsageError
from kit.harness.eval_report import EvalReport
from kit.oracle.result import OracleResult
from kit.trace.trace import Mode
from kit.workflow.project import Project, open_project
from kit.workflow.scenarios import RunRequest, run_scenarios


class LocalHarness:
    """Runs scenarios of this machine's project; an `EvalHarness` (S2-41).

    The runs go on in a thread of their own, so a scenario's time limit, which needs the main thread, is not
    watched: a notice of the result says so.

    Args:
        model: tag of the model; the configured one by default.
        start: a folder of the project; the working directory by default.
        base_url: address of the model server for live runs.

    Raises:
        ConfigError: `[tool.kit]` is wrong.
    """

    def __init__(
        self, model: str | None = None, *, start: Path | None = None, base_url: str | None = None
    ) -> None:
        self._project: Project = open_project(start=start, model=model, base_url=base_url)

    async def run(
        self, scenarios: list[Path], mode: Mode = "replay", baseline: Path | None = None
    ) -> EvalReport:
        """Load, execute and evaluate scenarios of one suite.

        Args:
            scenarios: their files.
            mode: live keeps no cassette.
            baseline: a checkout whose `baselines/` says what was accepted; the project itself by default.

        Raises:
            UsageError: no scenario, or scenarios of several suites: a report is of one suite and one model.
            KitError: as `kit run`.
        """
        if not scenarios:
            raise UsageError("no scenario is selected")
        request = RunRequest(
            mode=mode,
            wanted=tuple(str(path) for path in scenarios),
            model=self._project.settings.model,
            baseline_root=baseline,
        )
        outcome = await asyncio.to_thread(run_scenarios, self._project, request)
        if len(outcome.reports) != 1:
            suites = ", ".join(report.suite for report in outcome.reports)
            raise UsageError(f"these scenarios belong to several suites: {suites}")
        return outcome.reports[0]

    async def run_one(self, scenario: Path, mode: Mode = "replay") -> OracleResult:
        """Run a single scenario; raises as `run`."""
        report = await self.run([scenario], mode)
        return report.scenarios[0]
