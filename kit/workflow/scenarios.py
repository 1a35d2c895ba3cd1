"""Run scenarios, replayed or live, and report: one EvalReport per suite and model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kit import git
from kit.errors import EXIT_OK, Problem
from kit.gate.thresholds import parse_policy
from kit.harness.address import select_addressed
from kit.harness.cell import CellResult
from kit.harness.eval_report import EvalReport
from kit.harness.plan import Cell, cells_to_record, cells_to_replay
from kit.harness.servers import Servers
from kit.harness.shard import Shard
from kit.harness.world import World
from kit.recording.patching import installed
from kit.scenario.load import LoadedSuite, load_suites
from kit.trace.trace import Mode
from kit.workflow.cells import CellRuns, Progress, kept_line
from kit.workflow.foretold import Foretold, foretell
from kit.workflow.gating import LetThrough, gate_exit_code
from kit.workflow.project import Project, refuse_in_ci
from kit.workflow.ref import baselines_at
from kit.workflow.reports import Measured, write_reports

if TYPE_CHECKING:
    from kit.harness.fork import Branching


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """Which scenarios to run, and how.

    Attributes:
        mode: replay or live.
        keep: keep a live run's recordings as cassettes.
        command: how that was typed, behind `kit`, for a refusal.
        wanted: ids, suites or paths; empty takes the default suites.
        only: categories.
        model: replay only: this model's cassettes; None takes every recorded model.
        baseline_root: the checkout whose `baselines/` counts; None is the project itself.
        strict: a warning of the gate stops like a block.
        let_through: asked of each report that blocks: whether a stated reason passes it.
        against: a git ref whose `baselines/` count instead.
        workers: processes to run cells in; 1 runs them in this one.
        shard: only this part of the plan.
        changed: a git ref; only what changed since then can affect.
        branching: the one run that is selected leaves its recording.
        cells: the plan itself, where the caller made it; nothing is selected then.
        may_start: asked before each run; where it refuses, the rest of the plan is left.
        seen: told each run that is over, whatever comes after.
        rejudges: replay: ask the judge live about the recorded answers and keep what it says.
        is_gate: replay: the gate warns of recordings that are stale.
    """

    mode: Mode
    keep: bool = False
    command: str = "record"
    wanted: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    model: str | None = None
    baseline_root: Path | None = None
    strict: bool = False
    let_through: LetThrough | None = None
    against: str | None = None
    workers: int = 1
    shard: Shard | None = None
    changed: str | None = None
    branching: Branching | None = None
    cells: tuple[Cell, ...] | None = None
    may_start: Callable[[Cell], bool] | None = None
    seen: Callable[[Cell, CellResult], None] | None = None
    rejudges: bool = False
    is_gate: bool = False


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What running gave.

    Attributes:
        reports: one for each suite and model, in the order of the plan.
        folder: where traces and report.json lie; None where nothing was run.
        kept: what was written to cassettes/, a line each.
        warnings: what is allowed in scenario files but probably not meant.
        exit_code: decision 14.
        root: of the project; `folder` is below it.
        notes: what was left out, and why, a line each.
    """

    reports: tuple[EvalReport, ...]
    folder: Path | None
    kept: tuple[str, ...]
    warnings: tuple[Problem, ...]
    exit_code: int
    root: Path = Path()
    notes: tuple[str, ...] = ()


def run_scenarios(
    project: Project, request: RunRequest, progress: Progress | None = None, *, before: Progress | None = None
) -> RunOutcome:
    """Run what a command means, and compare it with what was accepted.

    Args:
        project: whose scenarios.
        request: which and how.
        progress: told a line before and after each live run, which takes its time.
        before: told, before the first replay, which recordings are stale and what mends them.

    Raises:
        UsageError: nothing is selected, CI is set and recordings would be kept, or there is no such ref.
        ScenarioError: any scenario or suite is invalid.
        ConfigError: a threshold is wrong, the agent cannot be imported, or no judge is configured.
        CassetteMissing: replay, and nothing is recorded.
        ModelUnreachable: live, and the model or its judge does not answer; nothing was run.
    """
    settings = project.settings
    if request.against is not None:
        request = replace(request, baseline_root=baselines_at(project, request.against))
    if request.keep:
        refuse_in_ci(project, request.command)
    parse_policy(settings.gate)  # a wrong threshold must cost no recording
    suites = load_suites(project.root)
    warnings = tuple(problem for suite in suites for problem in suite.warnings)
    plan = _plan(project, request, suites)
    if not plan.mine and request.shard is None:
        return RunOutcome((), None, (), warnings, EXIT_OK, project.root, plan.notes)
    told = _foretold(project, request, plan.mine, before)
    commit = git.commit(project.root)
    folder = project.scratch("reports")
    # Patching in is the dear part of a session: done once here, each cell's session finds it in place.
    with Servers(settings) as servers, installed(virtual_time=True):
        world = World(settings, request.mode, request.keep, folder, servers, request.rejudges)
        seen = request.seen if request.shard is None else _writer(request, plan, commit, folder)
        runs = CellRuns(project, plan.mine, world, progress, seen, may_start=request.may_start)
        done = runs.run(request.workers)
    pairs = list(zip([plan.mine[index] for index in sorted(runs.done)], done, strict=True))
    measured = _measured(request, told, commit, folder)
    reports = write_reports(project, suites, [(cell, one.result) for cell, one in pairs], measured)
    kept = tuple(kept_line(project, cell, one) for cell, one in pairs if request.keep)
    exit_code = gate_exit_code(reports, strict=request.strict)
    where = folder.relative_to(project.root)
    return RunOutcome(reports, where, kept, warnings, exit_code, project.root, plan.notes)


def _measured(request: RunRequest, told: Foretold, commit: str | None, folder: Path) -> Measured:
    return Measured(
        mode=request.mode,
        commit=commit,
        folder=folder,
        against=request.against,
        baseline_root=request.baseline_root,
        let_through=request.let_through,
        stale=told.by_key if request.is_gate else {},
    )


def _foretold(
    project: Project, request: RunRequest, cells: Sequence[Cell], before: Progress | None
) -> Foretold:
    """What is said before a replay; a live run makes recordings anew."""
    if request.mode != "replay" or request.rejudges:
        return Foretold()
    told = foretell(project, cells)
    if before is not None:
        for line in told.lines():
            before(line)
    return told


@dataclass(frozen=True, slots=True)
class _Planned:
    """The cells of all shards, those to run here, and why others are left out."""

    cells: tuple[Cell, ...]
    mine: tuple[Cell, ...]
    notes: tuple[str, ...] = ()


def _plan(project: Project, request: RunRequest, suites: Sequence[LoadedSuite]) -> _Planned:
    if request.cells is not None:
        return _Planned(request.cells, request.cells)
    selected, samples = select_addressed(suites, request.wanted, request.only)
    root, model = project.root, project.settings.model
    if request.mode == "replay" or request.branching is not None:
        cells = cells_to_replay(selected, request.model, root, to_record=model, samples=samples)
        if request.branching is not None:
            from kit.harness.fork import branch, the_only

            cells = (branch(the_only(cells), root, request.branching),)
    else:
        cells = cells_to_record(selected, model, root, samples=samples)
    notes: tuple[str, ...] = ()
    if request.changed is not None:
        from kit.workflow.affected import affected_since

        found = affected_since(project, cells, request.changed, request.mode)
        cells, notes = found.cells, found.lines
    if request.shard is None:
        return _Planned(cells, cells, notes)
    mine = tuple(cell for cell in cells if request.shard.takes(cell))
    return _Planned(
        cells,
        mine,
        (*notes, f"shard {request.shard}: {len(mine)} of {len(cells)} runs; kit merge joins them"),
    )


def _writer(
    request: RunRequest, plan: _Planned, commit: str | None, folder: Path
) -> Callable[[Cell, CellResult], None] | None:
    """Keeps each result of a shard as soon as it is there."""
    shard = request.shard
    if shard is None:
        return None
    from kit.harness.results_file import Plan, ResultsWriter

    whole = Plan(
        cells=tuple(cell.key for cell in plan.cells),
        mode=request.mode,
        commit=commit,
        against=request.against,
        shards=shard.count,
    )
    writer = ResultsWriter(folder, whole, shard.number)
    return lambda cell, done: writer.add(cell.key, done.result)
