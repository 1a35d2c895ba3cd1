"""Run the golden set, or play what was recorded of it, and hold every pass against its floor (S4)."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from kit import clock
from kit.cassette.paths import FOLDER, file_name
from kit.cassette.store import read
from kit.errors import (
    EXIT_BLOCKED,
    EXIT_BUG,
    EXIT_CASSETTE,
    EXIT_OK,
    CassetteMissing,
    ConfigError,
    ModelUnreachable,
    UsageError,
)
from kit.gate.floor import FloorVerdict, compare, read_floors
from kit.golden.answers import answers_digest
from kit.golden.history import append, history_path, read_history
from kit.golden.passes import Pass, pass_of, without_lent
from kit.golden.seed import DEFAULT_MODEL, MODEL_VARIABLE, run_seed
from kit.harness.cell import CellResult
from kit.harness.plan import Cell, cells_to_replay, recorded_models
from kit.harness.servers import Servers
from kit.harness.world import World
from kit.oracle.result import OracleResult
from kit.recording.patching import installed
from kit.scenario.load import load_suites
from kit.scenario.select import Selected, select
from kit.trace.prices import STUBS
from kit.workflow.cells import CellRuns, Progress, kept_line
from kit.workflow.project import Project, refuse_in_ci

BANNER = "NOT deterministic: a golden run asks a real model. Run it deliberately, not in CI."


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenRequest:
    """Which passes, and how.

    Attributes:
        mode: live asks the model; replay plays what was recorded and needs no network.
        model: tag; None takes `GOLDEN_SET_QA_MODEL`, then live the source's default, in replay every
            recorded model.
        passes: live: how many, pass n with seed n; replay: at most so many; None is one live, all in replay.
        keep: live: keep the runs as cassettes; a case that has one is played instead of run again.
        seed: hook that prepares the cases; None takes the configured one, else the suite's own cases.
        log: replay: append the passes to the history, those that are not in it; a live pass of a real
            model always is.
    """

    mode: Literal["live", "replay"] = "live"
    model: str | None = None
    passes: int | None = None
    keep: bool = False
    seed: str | None = None
    log: bool = False


@dataclass(frozen=True, slots=True)
class JudgedPass:
    """A pass and what the floor of its model says of it.

    Attributes:
        measured: the pass.
        floor: what the floor says.
        notices: of its runs, as that a recording was edited by hand or what it was made from has changed.
    """

    measured: Pass
    floor: FloorVerdict
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldenOutcome:
    """What running the golden set gave.

    Attributes:
        passes: in order of model and number.
        kept: what was written to cassettes/, a line each.
        folder: where traces lie, from the project's root.
        logged: passes that were appended to the history.
        exit_code: decision 14; 1 where a pass is below its floor.
        seed: the object of the seed hook as it came (S4-30); None without a hook.
        away: why the passes ended early: the server went away between two of them; None where it stayed.
    """

    passes: tuple[JudgedPass, ...]
    kept: tuple[str, ...]
    folder: Path
    logged: int
    exit_code: int
    seed: str | None = None
    away: ModelUnreachable | None = None


def model_under_test(model: str | None, environ: Mapping[str, str] | None = None) -> str:
    """The model of a live run: as told, else by `GOLDEN_SET_QA_MODEL`, else the source's default (S4-11)."""
    environ = os.environ if environ is None else environ
    return model or environ.get(MODEL_VARIABLE) or DEFAULT_MODEL


def run_golden(project: Project, request: GoldenRequest, progress: Progress | None = None) -> GoldenOutcome:
    """Run or play passes over the golden set.

    Args:
        project: opened for the model under test where the mode is live.
        request: which passes, and how.
        progress: told a line before and after each case, as that takes its time.

    Raises:
        UsageError: there is no such suite, CI is set and recordings would be kept, or nothing could replay
            them.
        ScenarioError: a scenario or suite is invalid.
        ConfigError: the floor file, the history or the seed is wrong.
        CassetteMissing: replay, and nothing is recorded.
        ModelUnreachable: live, and the model does not answer; nothing was run.
    """
    suite_name = project.settings.golden.suite
    floors = read_floors(project.root, suite_name)  # a wrong file must cost no run, here and below
    if request.mode == "live" or request.log:
        read_history(history_path(project.root, suite_name))
    selected = select(load_suites(project.root), (suite_name,))
    folder = project.scratch("golden")
    kept: list[str] = []
    seed = None
    if request.mode == "live":
        if request.keep:
            refuse_in_ci(project, "golden --keep")
        selected, model, seed = _prepared(project, request, selected)
        project = Project(project.settings.model_copy(update={"model": model}))
        measured = _live(_Run(project, folder, kept, progress), request, selected, model)
    else:
        measured = _replayed(_Run(project, folder, kept, None), request, selected)
    judged, codes, logged, away = [], set[int](), 0, None
    try:
        for one, found in measured:
            judged.append(JudgedPass(one, compare(floors, one.model, one.hits, one.of), _notices(found)))
            codes.update(result.exit_code for result in found)
            if (request.mode == "live" and one.model not in STUBS) or request.log:
                logged += append(history_path(project.root, suite_name), (one,))
    except ModelUnreachable as gone:
        if not judged:
            raise
        away = gone  # what was measured before took its time and is told
    where = folder.relative_to(project.root)
    code = away.exit_code if away else _exit_code(request.mode, judged, codes)
    return GoldenOutcome(tuple(judged), tuple(kept), where, logged, code, seed, away)


@dataclass(frozen=True, slots=True)
class _Run:
    """What all passes share."""

    project: Project
    folder: Path
    kept: list[str]
    progress: Progress | None


_Measured = tuple[Pass, tuple[OracleResult, ...]]
"""A pass and the results of its cases."""


def _prepared(
    project: Project, request: GoldenRequest, selected: tuple[Selected, ...]
) -> tuple[tuple[Selected, ...], str, str | None]:
    """The cases, the model they are for, and the seed's object."""
    model = model_under_test(request.model)
    hook = project.settings.golden.seed if request.seed is None else request.seed
    if hook is None:
        return selected, model, None
    if request.keep:
        raise UsageError(
            "cases of a seed hook are not kept: nothing in this project could replay them",
            next_command="kit golden without --keep",
        )
    seeded = run_seed(hook, model, selected[0].suite, project.root)
    is_told = bool(request.model or os.environ.get(MODEL_VARIABLE))
    if is_told and seeded.model != model:
        raise ConfigError(
            f"the seed prepared cases for {seeded.model}, asked was {model}",
            where=hook,
            why=f"the model of a run is fixed; the hook is told it in {MODEL_VARIABLE}",
        )
    return seeded.selected, seeded.model, seeded.text


def _live(
    run: _Run, request: GoldenRequest, selected: tuple[Selected, ...], model: str
) -> Iterator[_Measured]:
    for number in range(1, (request.passes or 1) + 1):
        cells = tuple(Cell(item, model, number) for item in selected)
        known = tuple(cell for cell in cells if request.keep and cell.cassette(run.project.root).exists())
        began = clock.now()
        done = _results(run, known, "replay", keep=False)
        done |= _results(run, tuple(cell for cell in cells if cell not in known), "live", keep=request.keep)
        yield _recorded(run, cells, done) if request.keep else _measured(cells, done, began, "live")


def _replayed(run: _Run, request: GoldenRequest, selected: tuple[Selected, ...]) -> Iterator[_Measured]:
    root, name = run.project.root, selected[0].suite.name
    told = request.model or os.environ.get(MODEL_VARIABLE)
    recorded_tags = tuple(recorded_models(root / FOLDER / file_name(name)))
    if not recorded_tags or (told and told not in recorded_tags):
        raise CassetteMissing(
            f"nothing is recorded of {name}{f' on {told}' if told else ''}",
            where=f"{FOLDER}/{file_name(name)}/",
            why=f"there is {', '.join(recorded_tags)}" if recorded_tags else None,
            next_command=f"kit golden --keep --model {told or 'TAG'}",
        )
    for model in (told,) if told else recorded_tags:
        recorded = cells_to_replay(selected, model, root)
        # A case that a pass lacks is in the plan: its run is an error, never left out in silence.
        for number in sorted({cell.replicate for cell in recorded})[: request.passes]:
            cells = tuple(Cell(item, model, number) for item in selected)
            yield _recorded(run, cells, _results(run, cells, "replay", keep=False))


def _results(
    run: _Run, cells: tuple[Cell, ...], mode: Literal["live", "replay"], *, keep: bool
) -> dict[str, CellResult]:
    """The result of each cell by its key; a crash of one is its result, and the others go on."""
    if not cells:
        return {}
    settings = run.project.settings
    with Servers(settings) as servers, installed(virtual_time=True):
        world = World(settings, mode, keep, run.folder, servers)
        done = CellRuns(run.project, cells, world, run.progress).run()
    if keep:
        run.kept.extend(kept_line(run.project, cell, one) for cell, one in zip(cells, done, strict=True))
    return {cell.key: one for cell, one in zip(cells, done, strict=True)}


def _recorded(run: _Run, cells: tuple[Cell, ...], done: dict[str, CellResult]) -> _Measured:
    """A pass out of cassettes: it happened when the last of them was recorded."""
    files = {cell.selected.scenario.id: cell.cassette(run.project.root) for cell in cells}
    cassettes = {case: read(file) for case, file in files.items() if file.exists()}
    headers = {case: cassette.header for case, cassette in cassettes.items()}
    moments = [header.recorded for header in headers.values() if header.recorded]
    when = max((clock.parse_iso(moment) for moment in moments), default=clock.now())
    one, results = _measured(cells, done, when, "recorded")
    said = answers_digest(cassette.interactions for cassette in cassettes.values())
    one = replace(one, answers=said)
    return without_lent(one, {case for case, header in headers.items() if header.migrated}), results


def _measured(
    cells: tuple[Cell, ...],
    done: dict[str, CellResult],
    when: dt.datetime,
    source: Literal["live", "recorded"],
) -> _Measured:
    results = tuple(done[cell.key].result for cell in cells)
    one = pass_of(cells[0].model, cells[0].replicate, results, when, source)
    return one, results


def _notices(results: Sequence[OracleResult]) -> tuple[str, ...]:
    return tuple(f"{result.scenario_id}: {notice}" for result in results for notice in result.notices)


def _exit_code(mode: Literal["live", "replay"], judged: Sequence[JudgedPass], codes: Collection[int]) -> int:
    """Bugs, and in replay cassettes that do not hold, are told as such; other trouble the floor counts."""
    for code in (EXIT_BUG,) if mode == "live" else (EXIT_BUG, EXIT_CASSETTE):
        if code in codes:
            return code
    return EXIT_OK if all(one.floor.is_met for one in judged) else EXIT_BLOCKED
