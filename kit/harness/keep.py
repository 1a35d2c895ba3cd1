"""What a live run leaves behind: its cassette, or a partial one beside an intact old one (decision 9)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import kit
from kit import clock, git
from kit.agent.protocol import ModelEndpoint
from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.interaction import Interaction
from kit.cassette.order import in_order
from kit.cassette.paths import judge_path, partial_path
from kit.cassette.store import Seen, write, write_partial
from kit.errors import EnvironmentFault
from kit.harness.agent_reads import read_at_import
from kit.harness.inputs import files_read, inputs_of
from kit.harness.plan import Cell
from kit.models.endpoint import ServerFacts
from kit.oracle.result import OracleResult
from kit.recording.journal import read_journal
from kit.recording.options import SessionResult
from kit.recording.pending import Pending
from kit.run.runner import RunResult


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a header says beside the run itself (decision 11)."""

    cell: Cell
    root: Path
    endpoint: ModelEndpoint
    facts: ServerFacts
    agent: str
    began: dt.datetime

    def header(self, result: OracleResult | None, session: SessionResult) -> Header:
        """The header of the run's cassette; `result` is None for an interrupted one."""
        cell, endpoint = self.cell, self.endpoint
        return Header(
            suite=cell.selected.suite.name,
            scenario=cell.selected.scenario.id,
            variant=cell.variant,
            fork=cell.fork.told(self.root) if cell.fork else {},
            replicate=cell.replicate,
            model=cell.model,
            model_digest=self.facts.model_digest,
            server=self.facts.server,
            base_url=endpoint.base_url,
            sampling={"temperature": endpoint.temperature, "max_tokens": endpoint.max_tokens},
            seed=cell.replicate,
            start=clock.iso(self.began),
            recorded=clock.iso(clock.now()),
            agent=self.agent,
            inputs=self._inputs(session),
            kit=kit.__version__,
            commit=git.commit(self.root),
            cost_micro_usd=result.cost_micro_usd if result else None,
            verdict=result.verdict if result else None,
        )

    def _inputs(self, session: SessionResult) -> dict[str, str]:
        reads = (*read_at_import(self.agent, self.root), *session.reads)
        return files_read(reads, session.writes, self.root) | inputs_of(self.cell.selected, self.root)


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a run was kept.

    Attributes:
        path: the cassette, or the partial one.
        is_partial: the run ended in an error; an earlier recording stays as it was.
        is_changed: it differs from the earlier recording outside header and volatile.
        displaced: where another recording is kept that another kit wrote while this run went on.
    """

    path: Path
    is_partial: bool
    is_changed: bool
    displaced: Path | None = None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a live run; `kept` is the partial cassette of what was recorded so far, None without any."""

    def __init__(self, kept: Path | None) -> None:
        super().__init__()
        self.kept = kept


def keep_pending(
    way: Pending,
    provenance: Provenance,
    result: OracleResult,
    run: RunResult,
    judged: Sequence[Interaction],
) -> Kept | None:
    """`keep_run`, and its journals go once the cassette is on the disk.

    Raises:
        EnvironmentFault: the disk refuses; the journals stay, and the text says how to get at them.
    """
    done = way.over(provenance.header(result, run.session))
    try:
        kept = keep_run(provenance, result, run, judged, done.since)
    except EnvironmentFault as error:
        raise done.told(error) from error
    done.settled()
    return kept


def keep_stopped(way: Pending, provenance: Provenance, stop: BaseException) -> Kept | None:
    """`keep_interrupted` of a run that `stop` has ended, and its journals go once that is on the disk.

    Raises:
        Interrupted: it was Ctrl-C.
        EnvironmentFault: the disk refuses; the journals stay, and the text says how to get at them.
    """
    is_asked = isinstance(stop, KeyboardInterrupt)
    try:
        kept = keep_interrupted(provenance, way.journals / "run.jsonl")
    except EnvironmentFault as error:
        if is_asked:
            raise Interrupted(way.folder) from stop
        raise way.told(error) from error
    way.settled()
    if is_asked:
        raise Interrupted(kept) from stop
    return None if kept is None else Kept(kept, is_partial=True, is_changed=True)


def keep_run(
    provenance: Provenance,
    result: OracleResult,
    run: RunResult,
    judged: Sequence[Interaction],
    since: Seen | None = None,
) -> Kept | None:
    """Write the cassette of a run and, where a judge was asked, the judge's beside it.

    A verdict `fail` is a complete recording, `error` is not. Returns None where there is nothing to keep.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    path = provenance.cell.cassette(provenance.root)
    header = provenance.header(result, run.session)
    cassette = Cassette(header, run.session.interactions)
    if result.verdict == "error":
        if not cassette.interactions:
            return None
        return Kept(write_partial(path, cassette), is_partial=True, is_changed=True)
    written = write(path, cassette, since)
    partial_path(path).unlink(missing_ok=True)
    beside = judge_path(path)
    if judged:
        write(beside, Cassette(judge_header(header, judged), tuple(judged)))
    else:
        beside.unlink(missing_ok=True)
    return Kept(path, is_partial=False, is_changed=written.changed, displaced=written.displaced)


def keep_judged(
    path: Path,
    header: Header,
    result: OracleResult,
    judged: Sequence[Interaction],
    commit: str | None,
) -> Kept | None:
    """Write what a live judge said of a recorded run beside the run, which stays as it is (decision 12).

    Args:
        path: the run's cassette.
        header: the run's.
        result: of this replay; an error keeps nothing.
        judged: the judge's calls.
        commit: of the project.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    if result.verdict == "error" or not judged:
        return None
    now = clock.iso(clock.now())
    said = replace(judge_header(header, judged), start=now, recorded=now, kit=kit.__version__, commit=commit)
    written = write(judge_path(path), Cassette(said, tuple(judged)))
    return Kept(written.path, is_partial=False, is_changed=written.changed)


def keep_interrupted(provenance: Provenance, journal: Path) -> Path | None:
    """Keep what an interrupted run recorded until then, from its journal."""
    session = read_journal(journal).result
    if not session.interactions:
        return None
    path = provenance.cell.cassette(provenance.root)
    recorded = in_order(session.interactions).interactions
    return write_partial(path, Cassette(provenance.header(None, session), recorded))


def judge_header(header: Header, judged: Sequence[Interaction]) -> Header:
    """The header of the judge's cassette, from that of the run it judged."""
    from kit.trace.model_call import model_calls

    calls = model_calls(judged)
    base_url = calls[0].request.url.removesuffix("/chat/completions") if calls else None
    return replace(
        header,
        kind="judge",
        model=calls[0].model() if calls else None,
        model_digest=None,
        server=None,
        base_url=base_url,
        sampling={},
        fork={},
        seed=1,
        agent=None,
        inputs={},
        cost_micro_usd=None,
        verdict=None,
    )
