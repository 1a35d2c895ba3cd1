"""Accept verdicts: replay, show what would change, then write `baselines/` (decision 16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kit import clock, git
from kit.baseline.accepted import Acceptance, CellId
from kit.baseline.plan import Entry, apply, plan
from kit.baseline.store import load as load_baseline
from kit.baseline.trace_change import TraceChange
from kit.cassette.paths import file_name
from kit.errors import UsageError
from kit.harness.eval_report import EvalReport
from kit.harness.exit_code import worst
from kit.scenario.load import load_suites
from kit.workflow.project import Project, refuse_in_ci
from kit.workflow.scenarios import RunOutcome, RunRequest, run_scenarios
from kit.workflow.traces import trace_changes


@dataclass(frozen=True, slots=True)
class AcceptResult:
    """What accepting did.

    Attributes:
        entries: one a cell, in the order of the reports.
        written: baseline files written or removed, relative to the project.
        exit_code: 0, or that of the results that could not be accepted.
    """

    entries: tuple[Entry, ...]
    written: tuple[Path, ...]
    exit_code: int


def accept(
    project: Project,
    *,
    wanted: tuple[str, ...],
    only: tuple[str, ...],
    model: str | None,
    reason: str,
    dry_run: bool,
    show: Callable[[tuple[Entry, ...]], None],
) -> AcceptResult:
    """Replay, show the plan, write it.

    Args:
        project: whose baselines.
        wanted: as for a replay.
        only: as for a replay.
        model: as for a replay.
        reason: why the verdicts are right.
        dry_run: stop after the plan was shown.
        show: gets the plan before anything is written.

    Raises:
        UsageError: CI is set, or the reason is empty.
    """
    refuse_in_ci(project, "accept")
    if not reason.strip():
        raise UsageError(
            "an acceptance needs a reason", next_command='kit accept --reason "why this is right"'
        )
    outcome = run_scenarios(project, RunRequest(mode="replay", wanted=wanted, only=only, model=model))
    owner = git.user(project.root) or "unknown"
    acceptance = Acceptance(reason=reason.strip(), owner=owner, date=clock.now().date().isoformat())
    sizes = {loaded.suite.name: len(loaded.scenarios) for loaded in load_suites(project.root)}
    entries = tuple(
        entry
        for report in outcome.reports
        for entry in plan(
            load_baseline(project.root, report.suite, report.model),
            report.scenarios,
            acceptance,
            complete=_ran(report) == sizes[report.suite],
            traces=_traces(project, outcome, report),
        )
    )
    show(entries)
    written = () if dry_run else apply(project.root, entries)
    refused = worst(result.exit_code for report in outcome.reports for result in report.scenarios)
    return AcceptResult(entries, tuple(path.relative_to(project.root) for path in written), refused)


def _traces(project: Project, outcome: RunOutcome, report: EvalReport) -> dict[CellId, TraceChange]:
    if outcome.folder is None:
        return {}
    folder = project.root / outcome.folder / file_name(report.suite) / file_name(report.model)
    accepted = load_baseline(project.root, report.suite, report.model)
    return trace_changes(project.settings, project.root, accepted, report.scenarios, folder)


def _ran(report: EvalReport) -> int:
    return len({result.scenario_id for result in report.scenarios})
