"""Runs a program twice, first against the provider and then against its cassette with the provider dead."""

from __future__ import annotations

import asyncio
import datetime as dt
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.cassette.store import read, write
from kit.recording.options import SessionOptions, SessionResult
from kit.recording.session import start
from kit.redaction.redactor import Redactor
from kit.redaction.rule import parse_rules
from kit.trace.build import build_trace
from kit.trace.run_facts import RunFacts
from kit.trace.trace import ExecutionTrace
from tests.clients.provider.server import Provider, is_of_dialect

START = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
HEADER = Header(
    scenario="client", start="2026-01-02T03:04:05Z", recorded="2026-01-02T03:05:05Z", agent="tests", kit="0"
)
Program = Callable[[], Any]


@dataclass
class Both:
    """What one program did, recorded and replayed.

    Attributes:
        output: what it returned, both times.
        recorded: what the recording session tells.
        replayed: what the replaying session tells.
        text: of the cassette.
    """

    output: Any
    recorded: SessionResult
    replayed: SessionResult
    text: str

    @property
    def trace(self) -> ExecutionTrace:
        """The trace of the replay."""
        facts = RunFacts(
            scenario_id="client",
            model="",
            mode="replay",
            interactions=self.replayed.interactions,
            outcome="success",
        )
        return build_trace(facts)

    @property
    def statuses(self) -> list[int]:
        """HTTP statuses, in order of start."""
        return [
            one.response.status
            for one in self.recorded.interactions
            if isinstance(one.response, HttpResponse)
        ]

    @property
    def tools(self) -> list[tuple[str, dict[str, Any]]]:
        """The tool calls that crossed kit's boundary."""
        return [
            (one.request.name, one.request.arguments)
            for one in self.recorded.interactions
            if isinstance(one.request, ToolRequest)
        ]


@dataclass
class Stage:
    """One provider, one folder."""

    provider: Provider
    folder: Path
    model_urls: tuple[str, ...] = ()
    effects: list[str] = field(default_factory=list)

    def both(self, program: Program, *, lane: str = "model") -> Both:
        """Record `program`, kill the provider, replay it, and check what must hold for every client.

        Args:
            program: sync or async; what it returns is compared.
            lane: of its HTTP requests.
        """
        path = self.folder / "cassette.yaml"
        output, recorded = self.record(program)
        assert output, "a program that tells nothing proves nothing"
        assert not (recorded.escapes or recorded.misses or recorded.side_effects), recorded
        wrong = [
            one.request
            for one in recorded.interactions
            if one.lane != lane and isinstance(one.request, HttpRequest) and is_of_dialect(one.request.url)
        ]
        assert not wrong, wrong
        write(path, Cassette(HEADER, recorded.interactions))
        self.provider.die()  # first: a thread of the client may still ask from before
        hits = self.provider.hits
        again, replayed = self.replay(program, path)
        assert self.provider.hits == hits
        assert replayed.live_requests == 0
        told = (
            replayed.misses,
            replayed.side_effects,
            replayed.escapes,
            replayed.leftovers,
            replayed.tool_drift,
        )
        assert told == ((), (), (), (), ())
        assert again == output, f"{again}\n{output}"
        return Both(output, recorded, replayed, path.read_text(encoding="utf-8"))

    def record(self, program: Program) -> tuple[Any, SessionResult]:
        """What the program returned and what was recorded; every hit of the provider is an interaction."""
        before = self.provider.hits
        with start(self._options("record", None)) as session:
            output = _run(program)
        result = session.result
        answered = [
            one
            for one in result.interactions
            if isinstance(one.response, HttpResponse) and one.response.status
        ]
        assert len(answered) == self.provider.hits - before, [self.provider.asked, result]
        return output, result

    def replay(self, program: Program, path: Path) -> tuple[Any, SessionResult]:
        """What the program returned and what became of the session."""
        keyer = Keyer(Redactor(parse_rules({})))
        playlist = Playlist(read(path, keyer).interactions, keyer)
        with start(self._options("replay", playlist)) as session:
            output = _run(program)
        return output, session.result

    def _options(self, mode: Any, playlist: Playlist | None) -> SessionOptions:
        journal = self.folder / f"{mode}.jsonl"
        journal.unlink(missing_ok=True)
        return SessionOptions(
            mode=mode,
            name="client",
            start=START,
            seed=1,
            journal=journal,
            redactor=Redactor(parse_rules({})),
            playlist=playlist,
            model_urls=self.model_urls,
        )


def _run(program: Program) -> Any:
    if inspect.iscoroutinefunction(program):
        return asyncio.run(program())
    return program()


def model_interactions(result: SessionResult) -> list[Interaction]:
    """Those of lane `model`."""
    return [one for one in result.interactions if one.lane == "model"]
