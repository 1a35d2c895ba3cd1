"""The recording of one test: what its session is told, whether it proves anything, and what is kept of it."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import kit
from kit import clock, durable, git
from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.cassette.paths import partial_path
from kit.cassette.peek import peek
from kit.cassette.store import write, write_partial
from kit.errors import CassetteMissing, EnvironmentFault, ReplayStop, UsageError
from kit.harness.recorded import read_recorded
from kit.pytest_plugin.told import NOTHING, left_over, place_in
from kit.recording.context import belonging_to
from kit.recording.guard.allow import parse_allow
from kit.recording.options import SessionMode, SessionOptions, SessionResult
from kit.recording.pending import FOLDER, Pending, pending
from kit.redaction.redactor import Redactor
from kit.redaction.rule import parse_rules
from kit.workflow.recovering import displaced_notice

if TYPE_CHECKING:
    from kit.config.settings import Settings
    from kit.pytest_plugin.options import Marked, RecordMode
    from kit.recording.session import Session
    from kit.trace.trace import ExecutionTrace

ALIAS = "/kit-tmp"
"""What stands in a cassette for pytest's temporary folder, whose name counts the sessions."""


@dataclass(frozen=True, slots=True)
class TapeFacts:
    """What decides how a test is recorded.

    Attributes:
        root: of the project.
        settings: the project's.
        test_id: `tests/test_agent.py::test_asks`, from the root.
        node_id: what pytest calls it, for commands to type.
        path: its cassette.
        marked: what its marker says.
        temporary: pytest's temporary folder.
        journal: where a replay appends; what is recorded goes to `.kit/journals`.
    """

    root: Path
    settings: Settings
    test_id: str
    node_id: str
    path: Path
    marked: Marked
    temporary: Path
    journal: Path

    @property
    def shown(self) -> str:
        """The cassette's path for messages."""
        return self.path.relative_to(self.root).as_posix()

    def command(self, mode: RecordMode) -> str:
        """What to type to record this test."""
        return f"pytest --kit-record={mode} {shlex.quote(self.node_id)}"


class Tape:
    """One test under the recording.

    Args:
        facts: of the test.
        asked: what `--kit-record` says.

    Raises:
        CassetteMissing: nothing is recorded and nothing may be.
        CassetteInvalid: the file is no cassette.
        UsageError: recording would overwrite another test's cassette.
        ConfigError: a redaction or allow rule is wrong.
    """

    def __init__(self, facts: TapeFacts, asked: RecordMode) -> None:
        self.facts = facts
        is_there = facts.path.exists()
        self.mode: SessionMode = (
            "record" if asked == "all" or (asked == "missing" and not is_there) else "replay"
        )
        self.ended_well = False
        self.stop: str | None = None
        self.notices: tuple[str, ...] = ()  # worth saying, and no error
        self._session: Session | None = None
        self._aside = contextlib.ExitStack()
        self._aside_of_run = contextlib.ExitStack()
        if self.mode == "record":
            _refuse_other(facts, facts.path)
        elif not is_there:
            raise CassetteMissing(
                "nothing was recorded yet for this test",
                where=facts.shown,
                next_command=facts.command("missing"),
            )
        self.began = clock.now().replace(microsecond=0)
        self._way = self._on_its_way() if self.mode == "record" else None

    def _on_its_way(self) -> Pending:
        """Its journals lie in the project until the cassette is written: a kill costs nothing."""
        facts = self.facts
        folder = facts.root / durable.HOME / FOLDER / f"pytest-{clock.fresh_id()}" / facts.path.stem
        draft = self._header(SessionResult(), None)
        return self._aside_of_run.enter_context(pending(folder, facts.path, draft))

    def options(self) -> SessionOptions:
        """What its session is told."""
        facts, settings = self.facts, self.facts.settings
        redactor = Redactor(parse_rules(settings.redaction))
        start, playlist = self.began, None
        if self.mode == "replay":
            keyer = Keyer(redactor)
            cassette = read_recorded(facts.path, facts.root, facts.command("all"), keyer)
            start = clock.parse_iso(cassette.header.start)
            playlist = Playlist(cassette.interactions, keyer)
        urls = (settings.base_url, *(one.base_url for one in settings.models.values() if one.base_url))
        return SessionOptions(
            mode=self.mode,
            name=facts.test_id,
            start=start,
            seed=1,
            journal=self._way.journals / "run.jsonl" if self._way else facts.journal,
            redactor=redactor,
            playlist=playlist,
            paths=((str(facts.temporary), ALIAS),),
            model_urls=urls,
            allow=parse_allow((*settings.replay.allow, *facts.marked.allow)),
            virtual_time=facts.marked.virtual_time,
            next_command=facts.command("all"),
        )

    def began_in(self, session: Session) -> None:
        """The session is in force; code of the context belongs to it."""
        self._session = session

    def step_aside(self) -> None:
        """Until the test's own code runs, what pytest and other plugins do is not the test's.

        They read the clock for their reports and seed `random` before each call.
        """
        self._aside.enter_context(belonging_to(None))

    def step_back(self) -> None:
        """The end of `step_aside`."""
        self._aside.close()

    @contextlib.contextmanager
    def at_work(self) -> Iterator[Session]:
        """Around the test's own code; notes how it ended.

        Raises:
            Failed: replay stopped the test; in its place, since a runner of async tests may not outlive a
                BaseException that it does not know.
        """
        from kit.pytest_plugin.items import failed

        assert self._session is not None  # noqa: S101 - the fixture has run: it made this object known
        try:
            with belonging_to(self._session):
                yield self._session
        except ReplayStop as stop:
            self.stop = str(stop)
            raise failed(f"{stop}{place_in(stop.__traceback__)}") from None
        self.ended_well = True

    def finish(self, result: SessionResult) -> tuple[tuple[str, ...], Path | None]:
        """Keep what was recorded, once the session is over.

        Returns:
            Why the test proves nothing, a text each, and what was written.
        """
        if self._way is None:
            self.facts.journal.unlink(missing_ok=True)
            return self._unproven(result), None
        with self._aside_of_run:
            return self._kept(self._way, result)

    def stopped(self, error: EnvironmentFault) -> EnvironmentFault:
        """The journal could not be written, nothing comes after it: the error with the way back."""
        with self._aside_of_run:
            return self._way.told(error) if self._way else error

    def _kept(self, way: Pending, result: SessionResult) -> tuple[tuple[str, ...], Path | None]:
        from kit.run.proof import other_models

        trace = _trace(self.facts, result)
        others = other_models(result.interactions, trace.steps, "record", self.facts.settings.aliases)
        errors = (*result.escapes, *result.side_effects, *others)
        if not result.interactions:
            way.settled()
            return (*errors, *((NOTHING,) if self.ended_well else ())), None
        cassette = Cassette(self._header(result, trace), result.interactions)
        kept = self.facts.path
        try:
            if errors or not self.ended_well:
                kept = write_partial(kept, cassette)
            else:
                written = write(kept, cassette, way.over(cassette.header).since)
                self.notices = displaced_notice(self.facts.root, written.displaced)
                partial_path(kept).unlink(missing_ok=True)
                if written.displaced is not None:
                    _refuse_other(self.facts, written.displaced)
        except EnvironmentFault as error:
            return (*errors, str(way.told(error))), None
        except UsageError as error:
            errors = (str(error), *self.notices)
        way.settled()
        return errors, kept

    def _unproven(self, result: SessionResult) -> tuple[str, ...]:
        found = (*result.misses, *result.side_effects, *result.escapes, *result.tool_drift)
        told = tuple(text for text in found if text != self.stop)
        if told or not self.ended_well or not result.leftovers:
            return told
        return (left_over(result.leftovers, self.facts.command("all")),)

    def _header(self, result: SessionResult, trace: ExecutionTrace | None) -> Header:
        from kit.trace.model_call import model_calls

        return Header(
            scenario=self.facts.test_id,
            start=clock.iso(self.began),
            recorded=clock.iso(clock.now()),
            agent=self.facts.test_id,
            kit=kit.__version__,
            commit=git.commit(self.facts.root),
            cost_micro_usd=trace.cost_micro_usd if trace else None,
            verdict="pass" if self.ended_well else "fail",
            model=next((call.model() for call in model_calls(result.interactions)), None),
        )


def _refuse_other(facts: TapeFacts, path: Path) -> None:
    """A recording is never lost: two tests whose names lead to one file are told apart at once."""
    header = peek(path)
    if header is not None and header.scenario != facts.test_id:
        raise UsageError(
            f"this is the recording of another test, {header.scenario}",
            where=facts.shown,
            next_command='@pytest.mark.kit_cassette("another_name"), or delete the file if that test is gone',
        )


def _trace(facts: TapeFacts, result: SessionResult) -> ExecutionTrace:
    from kit.trace.build import build_trace
    from kit.trace.prices import price_table
    from kit.trace.run_facts import RunFacts

    run = RunFacts(
        scenario_id=facts.test_id,
        model="",
        mode="live",
        interactions=result.interactions,
        outcome="success",
        ended_ms=result.ended_ms,
    )
    return build_trace(run, price_table(facts.settings.price_table()), facts.settings.aliases)
