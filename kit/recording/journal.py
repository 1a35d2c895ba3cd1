"""The journal: what the running side appends while it runs, so that nothing is ever lost (decision 9).

One JSON object a line, each written by a single `write` on a file opened for appending, so that neither a
crash nor a forked child can tear another's line. The other side reads it, assembles and checks.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args

from kit.cassette.interaction import HttpRequest, Interaction
from kit.errors import EnvironmentFault
from kit.recording.guard.passing import own_writes
from kit.recording.journal_line import (
    from_line,
    interaction_line,
    read_divergence,
    read_interaction,
    require,
    to_line,
)
from kit.recording.options import SessionResult, Sleep

if TYPE_CHECKING:
    from kit.cassette.divergence import Divergence
    from kit.recording.late import LateSecrets

_Kind = TypeVar("_Kind", int, str)
FoundKind = Literal["misses", "side_effects", "escapes", "tool_drift", "notices", "reads", "writes"]
"""What a session may find wrong, worth saying or keeping; the names of the fields of `SessionResult`."""


class Journal:
    """Appends to one journal file; safe to use from any thread.

    Args:
        path: the file.
        tells_at_once: write also what was served at once: under the wrapper the parent computes the result
            from this file alone, and a forked or killed worker never comes to its next line.
        late: record: masks in here what becomes known as a secret later on.

    Raises:
        EnvironmentFault: the file cannot be opened.
    """

    def __init__(self, path: Path, *, tells_at_once: bool = False, late: LateSecrets | None = None) -> None:
        try:
            with own_writes():
                self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise EnvironmentFault(
                f"the journal {path} cannot be opened: {error.strerror}", where=str(path)
            ) from error
        self._path = path
        self._late = late
        self._lock = threading.Lock()
        self._tells_at_once = tells_at_once
        self._played: list[int] = []
        self._torn = b""
        self._fault: OSError | None = None

    def start(self, name: str, mode: str) -> None:
        """Marks that a session began, with the process it lives in."""
        self._append({"start": {"name": name, "mode": mode, "pid": os.getpid()}})

    def interaction(self, interaction: Interaction) -> None:
        """Keeps one recorded interaction."""
        self._append({"interaction": interaction_line(interaction)})
        self._hide_late()

    def played(self, number: int) -> None:
        """Keeps that a recorded interaction was served; written with the next line."""
        self._played.append(number)
        if self._tells_at_once:
            self._append({})

    def found(self, kind: FoundKind, text: str) -> None:
        """Keeps a violation or a notice at once: a forked child may vanish right after."""
        self._append({"found": {"kind": kind, "text": text}})

    def diverged(self, divergence: Divergence) -> None:
        """Keeps that a request was answered on a condition, at once like a violation."""
        places = [[one.path, one.old, one.new] for one in divergence.differences]
        self._append({"diverged": [divergence.interaction, divergence.changes, places]})

    def sleep(self, sleep: Sleep) -> None:
        """Keeps one sleep."""
        self._append({"sleep": [sleep.started_ms, sleep.ended_ms, sleep.where]})

    def end(self, ended_ms: int, live_requests: int) -> None:
        """Marks that the session ended in good order, and closes the file.

        Raises:
            EnvironmentFault: a line could not be written, now or before: it was said then, but an agent or an
                SDK may have taken it for a failure of the model. Such a journal has no end mark.
        """
        try:
            self._hide_late()
            if self._fault is None:
                self._append(
                    {"end": {"ended_ms": ended_ms, "live_requests": live_requests, "pid": os.getpid()}}
                )
        finally:
            with self._lock:
                fd, self._fd = self._fd, -1
            if fd >= 0:
                os.close(fd)
        if self._fault is not None:
            raise self._told(self._fault)

    def _hide_late(self) -> None:
        if self._late is None:
            return
        with self._lock:
            try:
                self._late.hide(self._path, self._write)
            except OSError as error:
                self._fault = self._fault or error
                raise self._told(error) from error

    def _append(self, line: dict[str, Any]) -> None:
        with self._lock:
            if self._played:
                line = {"played": self._played, **line}
            octets = to_line(line)
            if self._fd >= 0:
                self._write(octets)
            self._played = []

    def _write(self, octets: bytes) -> None:
        """One `write`, or as many as a disk that is nearly full makes of it."""
        rest = self._torn + octets
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as error:
            # Ends the torn line, once there is room again: it must not swallow the next one.
            self._torn = b"\n"
            self._fault = self._fault or error
            raise self._told(error) from error
        self._torn = b""

    def _told(self, error: OSError) -> EnvironmentFault:
        return EnvironmentFault(
            f"the journal of this run cannot be written: {error.strerror}",
            where=str(self._path),
            why="what comes next would be asked of the model, paid for and lost",
        )


@dataclass(frozen=True, slots=True)
class JournalContents:
    """What a journal says.

    Attributes:
        started: whether any session began.
        ended: whether each session that began also ended.
        result: what happened, as far as the journal got; in replay `interactions` is empty, see `played`.
        played: numbers of the interactions served in replay, in order.
        pids: processes that wrote, in order of their start.
        damaged: lines that could not be read; a kill tears the last one.
    """

    started: bool
    ended: bool
    result: SessionResult
    played: tuple[int, ...]
    pids: tuple[int, ...]
    damaged: int = 0

    def replayed(self, recorded: tuple[Interaction, ...]) -> SessionResult:
        """The result of a replay: played interactions and leftovers looked up in what was recorded."""
        by_number = {interaction.number: interaction for interaction in recorded}
        played = tuple(by_number[number] for number in self.played if number in by_number)
        numbers = set(self.played)
        left = [interaction for interaction in recorded if interaction.number not in numbers]
        return replace(
            self.result,
            interactions=played,
            leftovers=tuple(interaction for interaction in left if interaction.lane != "other"),
            notices=(*self.result.notices, *leftover_notices(left)),
        )


def leftover_notices(leftovers: Sequence[Interaction]) -> tuple[str, ...]:
    """What to say of leftovers of lane `other`: they are no error (decision 7)."""
    return tuple(
        f"not played again: {interaction.request.method} {interaction.request.url} (lane other)"
        for interaction in leftovers
        if interaction.lane == "other" and isinstance(interaction.request, HttpRequest)
    )


def read_journal(path: Path) -> JournalContents:
    """Reads a journal as far as it goes: torn and damaged lines cost only themselves.

    Returns an empty, not started one where the file does not exist: nothing was intercepted.

    Raises:
        EnvironmentFault: the file is there, and cannot be read.
    """
    reader = _Reader()
    try:
        with path.open("rb") as file:
            for line in file:
                reader.read_line(line)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise EnvironmentFault(f"the journal cannot be read: {error.strerror}", where=str(path)) from error
    return reader.contents()


class _Reader:
    def __init__(self) -> None:
        self.interactions: list[Interaction] = []
        self.sleeps: list[Sleep] = []
        self.found: dict[str, list[str]] = {kind: [] for kind in get_args(FoundKind)}
        self.divergences: list[Divergence] = []
        self.played: list[int] = []
        self.pids: list[int] = []
        self.ended_ms = 0
        self.live_requests = 0
        self.ends = 0
        self.damaged = 0

    def read_line(self, line: bytes) -> None:
        """Takes what a line says; of a line that a kill tore or a crash filled with NUL, nothing."""
        if line == b"\n":
            return
        try:
            for mark, content in from_line(line).items():
                self._read(mark, content)
        except (ValueError, KeyError, TypeError, AttributeError):
            self.damaged += 1

    def _read(self, mark: str, content: Any) -> None:
        if mark == "start":
            self.pids.append(_checked(int, content["pid"]))
        elif mark == "interaction":
            self.interactions.append(read_interaction(content))
        elif mark == "played":
            self.played.extend([_checked(int, number) for number in content])
        elif mark == "found":
            self.found[content["kind"]].append(_checked(str, content["text"]))
        elif mark == "diverged":
            self.divergences.append(read_divergence(content))
        elif mark == "sleep":
            started_ms, ended_ms, where = content
            require(int, started_ms, ended_ms)
            self.sleeps.append(Sleep(started_ms, ended_ms, _checked(str, where)))
        elif mark == "end":
            self.ended_ms = max(self.ended_ms, _checked(int, content["ended_ms"]))
            self.live_requests += _checked(int, content["live_requests"])
            self.ends += 1

    def contents(self) -> JournalContents:
        last = max((interaction.ended_ms for interaction in self.interactions), default=0)
        result = SessionResult(
            interactions=tuple(sorted(self.interactions, key=lambda interaction: interaction.number)),
            sleeps=tuple(self.sleeps),
            live_requests=self.live_requests,
            ended_ms=max(self.ended_ms, last),
            divergences=tuple(self.divergences),
            **{kind: tuple(texts) for kind, texts in self.found.items()},  # type: ignore[arg-type]
        )
        started = bool(self.pids)
        return JournalContents(
            started,
            started and self.ends >= len(self.pids),
            result,
            tuple(self.played),
            tuple(self.pids),
            self.damaged,
        )


def _checked(kind: type[_Kind], value: Any) -> _Kind:
    require(kind, value)
    return cast("_Kind", value)
