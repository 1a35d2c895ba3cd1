"""What a session is told, and what it tells when it is over (values only)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kit.cassette.interaction import HttpRequest, Interaction
from kit.recording.guard.allow import Allow

if TYPE_CHECKING:
    from kit.cassette.divergence import Divergence
    from kit.cassette.match import Playlist
    from kit.recording.faults import Fault, FaultMet
    from kit.redaction.redactor import Redactor

SessionMode = Literal["record", "replay"]


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Everything that decides how one run is recorded or replayed.

    Attributes:
        mode: `record` lets traffic through and keeps it; `replay` serves it and lets nothing through.
        name: scenario id or tape name, for messages.
        start: instant at which the virtual clock starts, aware.
        seed: seed of the run's chance.
        journal: file to which the running side appends; must not exist yet or is continued.
        redactor: the session's own redactor, since it numbers masks in order of appearance.
        playlist: what is served, in replay. In record the beginning of another run: it is served first, and
            once all of it was, the run goes on live.
        workspace: folder in which the agent may write.
        paths: `(real, alias)`: real paths that must not be recorded, and what stands for them.
        model_urls: base URLs whose traffic is of lane `model` even if no dialect knows it.
        allow: side effects the user declared harmless.
        virtual_time: whether the run sees the virtual clock; off, it sees the real one.
        ignore: fields of a request that do not count when matching; the playlist's keyer must know the same.
        next_command: what a miss tells the user to type.
        is_wrapped: whether another process computes the result from the journal alone.
        faults: what goes wrong on purpose, live and in replay; the first that is about a call counts.
        is_conditional: replay: whether a request whose prompt, tools or parameters changed gets the recorded
            answer all the same (decision 6); whoever asks for it must look at `divergences`.
        project: record: the project whose files are inputs where the run reads them; None notes none.
    """

    mode: SessionMode
    name: str
    start: datetime
    seed: int
    journal: Path
    redactor: Redactor
    playlist: Playlist | None = None
    workspace: Path | None = None
    paths: tuple[tuple[str, str], ...] = ()
    model_urls: tuple[str, ...] = ()
    allow: Allow = field(default_factory=Allow)
    virtual_time: bool = True
    ignore: frozenset[str] = frozenset()
    next_command: str = "kit record --missing"
    is_wrapped: bool = False
    faults: tuple[Fault, ...] = ()
    is_conditional: bool = False
    project: Path | None = None


@dataclass(frozen=True, slots=True)
class Sleep:
    """Time the program slept on purpose, on the virtual clock; `where` is the `file:line` that asked."""

    started_ms: int
    ended_ms: int
    where: str


@dataclass(frozen=True, slots=True)
class SessionResult:
    """What became of a session.

    Attributes:
        interactions: record: what was recorded, by number; replay: the recorded ones in the order in which
            they were played, numbers kept.
        leftovers: replay: recorded in lane `model` or `tool` but never played.
        misses: whole explanations; kept even where the agent swallowed the `Miss`.
        side_effects: what the guard stopped.
        escapes: traffic that tried to pass by the recording.
        tool_drift: executed tools whose result differs from the recording.
        sleeps: in order of start.
        notices: what a person should know but what is no error.
        live_requests: requests that left the program for real.
        ended_ms: the virtual clock at the end.
        faults: calls as the agent met them, where a fault was injected, by number; what was recorded is in
            `interactions`.
        divergences: replay: requests that were answered on the condition that the model would have said the
            same; any of them means that the run proves nothing.
        asked: replay: by number of the interaction, the request that was made instead of the recorded one.
        numbers: record: the number by start of each interaction → the one it has in `interactions`.
        reads: record: files of the project that were read, as `guard.reads.FileRead` writes them.
        writes: record: files of the project that were written, by path.
    """

    interactions: tuple[Interaction, ...] = ()
    leftovers: tuple[Interaction, ...] = ()
    misses: tuple[str, ...] = ()
    side_effects: tuple[str, ...] = ()
    escapes: tuple[str, ...] = ()
    tool_drift: tuple[str, ...] = ()
    sleeps: tuple[Sleep, ...] = ()
    notices: tuple[str, ...] = ()
    live_requests: int = 0
    ended_ms: int = 0
    faults: tuple[FaultMet, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    asked: Mapping[int, HttpRequest] = field(default_factory=dict)
    numbers: Mapping[int, int] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
