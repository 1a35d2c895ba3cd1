"""Record scenarios: all, or those missing, stale or failed; with a limit of money; resumed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kit.errors import EXIT_INTERRUPTED, EXIT_OK
from kit.harness.address import select_addressed
from kit.harness.cell import CellResult
from kit.harness.exit_code import worst
from kit.harness.judges import judged_by
from kit.harness.plan import Cell, cells_to_replay
from kit.scenario.load import LoadedSuite, load_suites
from kit.scenario.select import select
from kit.workflow.budget import Budget
from kit.workflow.cells import Progress
from kit.workflow.project import Project, refuse_in_ci
from kit.workflow.scenarios import RunOutcome, RunRequest, run_scenarios
from kit.workflow.sizes import too_large
from kit.workflow.to_record import NO_REASONS, Reasons, chosen
from kit.workflow.unfinished import Log, Unfinished, forget, recording


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRequest:
    """What to record, and how.

    Attributes:
        wanted: ids, samples, suites or paths; empty takes the default suites.
        only: categories.
        reasons: narrows down to what has no cassette, is stale or failed.
        replicates: how often each scenario runs.
        workers: processes to run cells in; 1 runs them in this one.
        cells: the plan itself, where the caller made it; nothing is selected then.
        unfinished: the recording to go on with; nothing is selected then.
        budget_micro_usd: what may be spent; None is no limit.
        judge_only: replay the agents' recordings and record only what a live judge says of them.
    """

    wanted: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    reasons: Reasons = NO_REASONS
    replicates: int = 1
    workers: int = 1
    cells: tuple[Cell, ...] | None = None
    unfinished: Unfinished | None = None
    budget_micro_usd: int | None = None
    judge_only: bool = False


def record(project: Project, request: RecordRequest, progress: Progress | None = None) -> RunOutcome:
    """Record what a command means.

    Args:
        project: whose scenarios; its model is asked.
        request: which and how.
        progress: told a line before and after each run.

    Raises:
        UsageError: nothing is selected, or CI is set; else as `run_scenarios`.
        ConfigError: there is a limit of money, and the price of a model is unknown.
        CassetteMissing: only the judge is to be asked, and nothing is recorded to ask it about.
    """
    refuse_in_ci(project, "record")
    suites = load_suites(project.root)
    cells, notes = _plan(project, request, suites)
    if progress is not None and request.unfinished is not None:  # said before the runs, not after them
        for note in notes:
            progress(note)
        notes = ()
    if not cells:
        if request.unfinished is not None:  # all that was left is gone: the next --resume must not meet it
            forget(request.unfinished.path)
        return RunOutcome((), None, (), (), EXIT_OK, project.root, notes)
    budget = _budget(project, request, cells)
    run = RunRequest(
        mode="replay" if request.judge_only else "live",
        keep=True,
        cells=cells,
        workers=request.workers,
        rejudges=request.judge_only,
    )
    if request.judge_only:
        outcome, left = _run(project, run, progress, budget, None), 0
    else:
        before = request.unfinished.path if request.unfinished else None
        with recording(project, cells, before) as log:
            try:
                outcome = _run(project, run, progress, budget, log)
            except KeyboardInterrupt:
                if progress is not None:
                    progress(_to_resume(log.left, budget))
                raise
        left = log.left
    return _told(outcome, notes, budget, left, project)


def _plan(
    project: Project, request: RecordRequest, suites: Sequence[LoadedSuite]
) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    if request.cells is not None:
        return request.cells, ()
    if request.unfinished is not None:
        every = select(suites, [loaded.suite.name for loaded in suites])
        cells, gone = request.unfinished.plan(every)
        notes = [f"going on: {request.unfinished.done} runs are recorded, {len(cells)} are left"]
        notes[0] += f", on {request.unfinished.model}"
        notes += [f"no longer there, and left out: {', '.join(gone)}"] if gone else []
        return cells, tuple(notes)
    selected, samples = select_addressed(suites, request.wanted, request.only)
    if not request.judge_only:
        cells = chosen(project, selected, request.reasons, replicates=request.replicates, samples=samples)
        return cells, () if cells else (request.reasons.nothing(),)
    judged = tuple(item for item in selected if judged_by(item.scenario) is not None)
    if not judged:
        return (), ("nothing to judge: no selected scenario has a critic",)
    recorded = cells_to_replay(judged, project.settings.model, project.root, samples=samples)
    return tuple(cell for cell in recorded if cell.cassette(project.root).exists()), ()


def _budget(project: Project, request: RecordRequest, cells: Sequence[Cell]) -> Budget | None:
    if request.budget_micro_usd is None:
        return None
    settings = project.settings
    tiers = [(cell.model, tier) for cell in cells if (tier := judged_by(cell.selected.scenario))]
    judges = [settings.judge_for(model, tier) for model, tier in dict.fromkeys(tiers)]
    models = [] if request.judge_only else [settings.model]
    asked = [*models, *(one for one in judges if one)]
    return Budget(project, request.budget_micro_usd, asked, judge_only=request.judge_only)


def _run(
    project: Project, run: RunRequest, progress: Progress | None, budget: Budget | None, log: Log | None
) -> RunOutcome:
    def seen(cell: Cell, done: CellResult) -> None:
        if budget is not None:
            budget.add(cell, done)
        if log is not None:
            log.add(cell, done.result.verdict)

    def may_start(cell: Cell) -> bool:
        if budget is not None and not budget.may_start(cell):
            return False
        if log is not None:
            log.begin(cell)
        return True

    return run_scenarios(project, replace(run, may_start=may_start, seen=seen), progress)


def _told(
    outcome: RunOutcome, notes: tuple[str, ...], budget: Budget | None, left: int, project: Project
) -> RunOutcome:
    """The outcome with what to do next; a plan that money ended was interrupted (decision 14)."""
    kept = list(outcome.kept)
    is_stopped = budget is not None and budget.stopped is not None
    if budget is not None:
        kept.append(budget.told() + (f"; stopped, since {budget.stopped}" if is_stopped else ""))
    if left:
        kept.append(_to_resume(left, budget))
    kept += too_large(project)
    code = worst((outcome.exit_code, EXIT_INTERRUPTED if is_stopped else EXIT_OK))
    return replace(outcome, kept=tuple(kept), notes=(*notes, *outcome.notes), exit_code=code)


def _to_resume(left: int, budget: Budget | None) -> str:
    """How many runs are left, and what goes on with them: a limit counts for one command, so it is named."""
    verb = "is" if left == 1 else "are"
    limit = "" if budget is None else f" --max-cost {budget.limit}"
    return f"{left} of the planned runs {verb} not recorded\n  next: kit record --resume{limit}"
