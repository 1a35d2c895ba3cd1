"""One cell: run it, judge it, keep what was recorded; every way it can end is a result (S2-44)."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kit import clock, durable, git
from kit.agent.load import load_agent
from kit.agent.protocol import Agent, ModelEndpoint
from kit.cassette.interaction import Interaction
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.errors import EXIT_BUG, ConfigError, KitError
from kit.harness.bug import report_bug
from kit.harness.fork import served_part, with_faults
from kit.harness.judges import judge_cost, live_judge, replayed_judge, unasked
from kit.harness.plan import Cell, Fork, record_command
from kit.harness.recorded import read_recorded, shown
from kit.harness.setting import agent_name, options_of, replayed, spec_of
from kit.harness.staleness import refuse_expired, staleness
from kit.harness.verdict import error_result, judged_result
from kit.harness.world import World, folder_of, redactor_of, way_of
from kit.oracle.check import check
from kit.oracle.critic import JudgeAnswer, JudgeQuestion
from kit.oracle.finding import Finding
from kit.oracle.result import OracleResult
from kit.recording.options import SessionResult
from kit.run.runner import MakeOptions, RunResult, RunSpec, run_scenario
from kit.trace.export import to_json_lines

if TYPE_CHECKING:
    from kit.harness.keep import Kept


@dataclass(frozen=True, slots=True)
class CellResult:
    """What became of a cell.

    Attributes:
        result: its verdict.
        kept: where a live run was kept.
        judge_micro_usd: what a live judge cost; None where that is unknown.
    """

    result: OracleResult
    kept: Kept | None = None
    judge_micro_usd: int | None = 0


def run_cell(cell: Cell, world: World) -> CellResult:
    """Run one cell; errors of environment, harness and cassette become a verdict `error`.

    Raises:
        ConfigError: the agent cannot be imported, or a model would judge itself.
        Interrupted: Ctrl-C; what a live run recorded until then is kept as a partial cassette.
    """
    name = agent_name(cell, world.settings)
    agent = load_agent(name, world.settings.root)
    try:
        if world.mode == "replay":
            return _replay(cell, world, agent)
        return _live(cell, world, agent, name)
    except ConfigError:
        raise
    except Exception as error:  # noqa: BLE001 - a bug that one cell meets must not cost the others (S2-44)
        return CellResult(_failed(cell, world, error))


def _failed(cell: Cell, world: World, error: Exception) -> OracleResult:
    if isinstance(error, KitError):
        return error_result(cell, str(error), error.exit_code)
    if isinstance(error, OSError) and durable.is_of_the_disk(error):
        told = durable.fault("the disk refuses", error.filename or durable.HOME, error)
        return error_result(cell, str(told), told.exit_code)
    target = folder_of(cell, world) / f"bug-{cell.cassette(world.settings.root).stem}.log"
    text = report_bug(error, target, shown(target, world.settings.root))
    return error_result(cell, text, EXIT_BUG)


def _replay(cell: Cell, world: World, agent: Agent) -> CellResult:
    redactor = redactor_of(world.settings)
    path = cell.recording(world.settings.root)
    keyer = Keyer(redactor)
    root = world.settings.root
    command = record_command(cell, root)
    cassette = read_recorded(path, root, command, keyer)
    refuse_expired(cassette.header, shown(path, root), command)
    run = replayed(cell, world, agent, cassette.header, redactor, Playlist(cassette.interactions, keyer))
    notices = [f"{shown(path, root)} was edited by hand since it was recorded"] if cassette.edited else []
    # Only a miss proves that the recording no longer holds (decision 11).
    notices += staleness(cassette.header, cell, world.settings).reasons
    with live_judge(cell, world) if world.rejudges else replayed_judge(cell, world, path) as judge:
        judged = _judged(cell, run, judge, is_live=world.rejudges)
    result = _result(cell, world, run, judged, (*notices, *unasked(judge)))
    if not world.rejudges:
        return CellResult(result)
    from kit.harness.keep import keep_judged  # replay keeps nothing

    cost = judge_cost(judge.interactions, world.settings)
    return CellResult(
        result, keep_judged(path, cassette.header, result, judge.interactions, git.commit(root)), cost
    )


def _live(cell: Cell, world: World, agent: Agent, name: str) -> CellResult:
    from kit.harness.keep import Interrupted, Provenance, keep_pending, keep_stopped  # replay keeps nothing
    from kit.recording.pending import pending

    facts = world.servers.check(cell.model)
    endpoint = world.servers.live(cell.model, cell.replicate, cell.selected.suite)
    redactor = redactor_of(world.settings)
    redactor.expect([endpoint.api_key])
    began, playlist = clock.now().replace(microsecond=0), None
    if cell.fork is not None:
        began, playlist = _beginning(cell, cell.fork, world, Keyer(redactor))
        cell = with_faults(cell, cell.fork.faults)
    provenance = Provenance(cell, world.settings.root, endpoint, facts, name, began)
    make = options_of(cell, world, endpoint, redactor, began, playlist)
    lived = functools.partial(_lived, cell, world, spec_of(cell, world, name), agent, endpoint, make)
    if not world.keep:
        try:
            return CellResult(lived()[0])
        except KeyboardInterrupt as stop:
            raise Interrupted(None) from stop
    draft = provenance.header(None, SessionResult())
    with pending(way_of(cell, world), cell.cassette(world.settings.root), draft) as way:
        try:
            result, run, judged = lived()
        except BaseException as stop:
            # Ctrl-C, a disk that is full, or a bug: what the model was asked for stays.
            kept = keep_stopped(way, provenance, stop)
            if not isinstance(stop, Exception) or isinstance(stop, ConfigError):
                raise
            return CellResult(_failed(cell, world, stop), kept)
        kept = keep_pending(way, provenance, result, run, judged)
        return CellResult(result, kept, judge_cost(judged, world.settings))


def _lived(
    cell: Cell, world: World, spec: RunSpec, agent: Agent, endpoint: ModelEndpoint, make: MakeOptions
) -> tuple[OracleResult, RunResult, Sequence[Interaction]]:
    """The result of a live run, the run, and what its judge was asked."""
    run = run_scenario(spec, agent, endpoint, make)
    with live_judge(cell, world) as judge:
        judged = _judged(cell, run, judge)
    return _result(cell, world, run, judged, ()), run, judge.interactions


def _beginning(cell: Cell, fork: Fork, world: World, keyer: Keyer) -> tuple[dt.datetime, Playlist]:
    """When the run that is left began, and what is served of it."""
    root = world.settings.root
    cassette = read_recorded(fork.source, root, record_command(cell, root), keyer)
    served = served_part(cassette.interactions, fork.until, shown(fork.source, root))
    return clock.parse_iso(cassette.header.start), Playlist(served, keyer)


def _judged(
    cell: Cell, run: RunResult, judge: Callable[[JudgeQuestion], JudgeAnswer], *, is_live: bool = False
) -> tuple[Finding, ...]:
    # A live judge is not paid to look at an answer that may be none (decision 6).
    if run.verdict_error is not None and (is_live or not run.is_conditional):
        return ()
    selected = cell.selected
    return check(selected.scenario, run.trace, judge, suite=selected.suite)


def _result(
    cell: Cell, world: World, run: RunResult, findings: tuple[Finding, ...], notices: tuple[str, ...]
) -> OracleResult:
    root = world.settings.root
    trace_path = Path("traces") / f"{cell.cassette(root).stem}.jsonl"
    target = folder_of(cell, world) / trace_path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(to_json_lines(run.trace), encoding="utf-8", errors="backslashreplace")
    return judged_result(cell, run, findings, trace_path, notices, root=root)
