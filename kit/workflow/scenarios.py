"""Run scenarios, replayed or live, and report: one EvalReport per suite and model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from kit import git
from kit.agent.load import load_agent
from kit.baseline.store import load as load_baseline
from kit.errors import Problem
from kit.gate.thresholds import parse_policy
from kit.harness.cell import CellResult, World, agent_name, folder_of, live_judges, run_cell
from kit.harness.eval_report import EvalReport
from kit.harness.keep import Interrupted
from kit.harness.plan import Cell, cells_to_record, cells_to_replay
from kit.harness.servers import Servers
from kit.oracle.result import OracleResult
from kit.recording.patching import installed
from kit.scenario.load import LoadedSuite, load_suites
from kit.scenario.select import select
from kit.trace.trace import Mode
from kit.workflow.gating import LetThrough, Ran, gate_exit_code, gated_report
from kit.workflow.project import Project, refuse_in_ci
from kit.workflow.ref import baselines_at
from kit.workflow.traces import records, trace_changes

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """Which scenarios to run, and how.

    Attributes:
        mode: replay or live.
        keep: keep a live run's recordings as cassettes.
        wanted: ids, suites or paths; empty takes the default suites.
        only: categories.
        model: replay only: this model's cassettes; None takes every recorded model.
        missing: live only: leave out what has a cassette.
        replicates: live only: how often each scenario runs.
        baseline_root: the checkout whose `baselines/` counts; None is the project itself.
        strict: a warning of the gate stops like a block.
        let_through: asked of each report that blocks: whether a stated reason passes it.
        against: a git ref whose `baselines/` count instead.
    """

    mode: Mode
    keep: bool = False
    wanted: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    model: str | None = None
    missing: bool = False
    replicates: int = 1
    baseline_root: Path | None = None
    strict: bool = False
    let_through: LetThrough | None = None
    against: str | None = None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What running gave.

    Attributes:
        reports: one for each suite and model, in the order of the plan.
        folder: where traces and report.json lie; None where nothing was run.
        kept: what was written to cassettes/, a line each.
        warnings: what is allowed in scenario files but probably not meant.
        exit_code: decision 14.
    """

    reports: tuple[EvalReport, ...]
    folder: Path | None
    kept: tuple[str, ...]
    warnings: tuple[Problem, ...]
    exit_code: int


def run_scenarios(project: Project, request: RunRequest, progress: Progress | None = None) -> RunOutcome:
    """Run what a command means, and compare it with what was accepted.

    Args:
        project: whose scenarios.
        request: which and how.
        progress: told a line before and after each live run, which takes its time.

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
        refuse_in_ci(project, "record")
    parse_policy(settings.gate)  # a wrong threshold must cost no recording
    suites = load_suites(project.root)
    selected = select(suites, request.wanted, request.only)
    warnings = tuple(problem for suite in suites for problem in suite.warnings)
    if request.mode == "replay":
        cells = cells_to_replay(selected, request.model, project.root, to_record=settings.model)
    else:
        cells = cells_to_record(
            selected, settings.model, project.root, replicates=request.replicates, missing=request.missing
        )
    if not cells:
        return RunOutcome(
            (), None, ("nothing to record: every selected scenario has a cassette",), warnings, 0
        )
    folder = project.scratch("reports")
    # Patching in is the dear part of a session: done once here, each cell's session finds it in place.
    with Servers(settings) as servers, installed(virtual_time=True):
        world = World(settings, request.mode, request.keep, folder, servers)
        _check_agents(cells, world)
        judges = live_judges(cells, world)
        if request.mode == "live":
            for model in (settings.model, *judges):
                servers.check(model)
        done: list[CellResult] = []
        try:
            done.extend(_run(cell, world, progress) for cell in cells)
        except KeyboardInterrupt as stop:
            _tell_interrupted(project, list(zip(cells, done, strict=False)), stop, progress)
            raise
    reports = _reports(project, request, suites, cells, done, world)
    kept = tuple(_kept(project, cell, one) for cell, one in zip(cells, done, strict=True) if request.keep)
    exit_code = gate_exit_code(reports, strict=request.strict)
    return RunOutcome(reports, folder.relative_to(project.root), kept, warnings, exit_code)


def _check_agents(cells: tuple[Cell, ...], world: World) -> None:
    """Import every agent before the first run, so that a wrong one costs no recording."""
    for name in dict.fromkeys(agent_name(cell, world.settings) for cell in cells):
        load_agent(name, world.settings.root)


def _run(cell: Cell, world: World, progress: Progress | None) -> CellResult:
    if progress is not None:
        progress(f"{cell.name} …")
    done = run_cell(cell, world)
    if progress is not None:
        progress(f"  {done.result.verdict}{_first(done.result)}")
    return done


def _tell_interrupted(
    project: Project,
    done: list[tuple[Cell, CellResult]],
    stop: KeyboardInterrupt,
    progress: Progress | None,
) -> None:
    """Say what Ctrl-C left behind: there will be no report."""
    if progress is None:
        return
    for cell, one in done:
        if one.kept is not None:
            progress(_kept(project, cell, one))
    if isinstance(stop, Interrupted) and stop.kept is not None:
        path = stop.kept.relative_to(project.root)
        progress(f"kept {path}: the run was interrupted, an earlier recording stays as it was")


def _first(result: OracleResult) -> str:
    reasons = (*result.errors, *result.failures)
    return f": {reasons[0].splitlines()[0]}" if reasons else ""


def _reports(
    project: Project,
    request: RunRequest,
    suites: Iterable[LoadedSuite],
    cells: tuple[Cell, ...],
    done: list[CellResult],
    world: World,
) -> tuple[EvalReport, ...]:
    sizes = {loaded.suite.name: len(loaded.scenarios) for loaded in suites}
    groups: dict[tuple[str, str], list[tuple[Cell, OracleResult]]] = {}
    for cell, one in zip(cells, done, strict=True):
        groups.setdefault((cell.selected.suite.name, cell.model), []).append((cell, one.result))
    policy = parse_policy(project.settings.gate)
    commit = git.commit(project.root)
    root = request.baseline_root or project.root
    policy = parse_policy(project.settings.gate)
    root = request.baseline_root or project.root
    commit = git.commit(project.root)
    reports = []
    for (suite, model), members in groups.items():
        results = tuple(result for _, result in members)
        folder = folder_of(members[0][0], world)
        accepted = load_baseline(root, suite, model)
        ran = Ran(
            suite=suite,
            model=model,
            mode=request.mode,
            commit=commit,
            results=results,
            is_complete=len({result.scenario_id for result in results}) == sizes[suite],
            against=request.against,
            drift=records(trace_changes(project.settings, root, accepted, results, folder)),
        )
        report = gated_report(ran, accepted, policy, let_through=request.let_through)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(report.model_dump_json(indent=2) + "\n", encoding="utf-8")
        reports.append(report)
    return tuple(reports)


def _kept(project: Project, cell: Cell, done: CellResult) -> str:
    if done.kept is None:
        return f"kept nothing of {cell.name}"
    path = done.kept.path.relative_to(project.root).as_posix()
    if done.kept.is_partial:
        return f"kept {path}: the run ended in an error, an earlier recording stays as it was"
    return f"recorded {path}" + ("" if done.kept.is_changed else " (the same answers as before)")
