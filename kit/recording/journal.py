"""The journal: what the running side appends while it runs, so that nothing is ever lost (decision 9).

One JSON object a line, each written by a single `write` on a file opened for appending, so that neither a
crash nor a forked child can tear another's line. The other side reads it, assembles and checks.
"""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import orjson

from kit.cassette.interaction import (
    HttpRequest,
    HttpResponse,
    Interaction,
    ToolRequest,
    ToolResponse,
)
from kit.errors import EnvironmentFault
from kit.recording.guard.passing import own_writes
from kit.recording.options import SessionResult, Sleep

if TYPE_CHECKING:
    from kit.cassette.divergence import Divergence

FoundKind = Literal["misses", "side_effects", "escapes", "tool_drift", "notices"]
"""What a session may find wrong or worth saying; the names of the fields of `SessionResult`."""

_BY_STANDARD_LIBRARY = b" "
"""Marks a line that orjson would read otherwise than it was meant: big integers as floats."""


class Journal:
    """Appends to one journal file; safe to use from any thread.

    Args:
        path: the file.
        tells_at_once: write also what was served at once: under the wrapper the parent computes the result
            from this file alone, and a forked or killed worker never comes to its next line.

    Raises:
        EnvironmentFault: the file cannot be opened.
    """

    def __init__(self, path: Path, *, tells_at_once: bool = False) -> None:
        try:
            with own_writes():
                self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise EnvironmentFault(f"the journal {path} cannot be opened: {error.strerror}") from error
        self._lock = threading.Lock()
        self._tells_at_once = tells_at_once
        self._played: list[int] = []

    def start(self, name: str, mode: str) -> None:
        """Marks that a session began, with the process it lives in."""
        self._append({"start": {"name": name, "mode": mode, "pid": os.getpid()}})

    def interaction(self, interaction: Interaction) -> None:
        """Keeps one recorded interaction."""
        self._append({"interaction": _interaction_line(interaction)})

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
        """Marks that the session ended in good order, and closes the file."""
        self._append({"end": {"ended_ms": ended_ms, "live_requests": live_requests, "pid": os.getpid()}})
        with self._lock:
            fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def _append(self, line: dict[str, Any]) -> None:
        with self._lock:
            if self._played:
                line = {"played": self._played, **line}
            octets = _dumps(line) + b"\n"
            if self._fd >= 0:
                os.write(self._fd, octets)
            self._played = []


@dataclass(frozen=True, slots=True)
class JournalContents:
    """What a journal says.

    Attributes:
        started: whether any session began.
        ended: whether each session that began also ended.
        result: what happened, as far as the journal got; in replay `interactions` is empty, see `played`.
        played: numbers of the interactions served in replay, in order.
        pids: processes that wrote, in order of their start.
    """

    started: bool
    ended: bool
    result: SessionResult
    played: tuple[int, ...]
    pids: tuple[int, ...]

    def replayed(self, recorded: tuple[Interaction, ...]) -> SessionResult:
        """The result of a replay: played interactions and leftovers looked up in what was recorded."""
        by_number = {interaction.number: interaction for interaction in recorded}
        played = tuple(by_number[number] for number in self.played if number in by_number)
        left = [interaction for interaction in recorded if interaction.number not in set(self.played)]
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
    """Reads a journal as far as it goes; a torn last line is what a kill leaves and is passed over.

    Returns an empty, not started one where the file does not exist: nothing was intercepted.
    """
    try:
        octets = path.read_bytes()
    except FileNotFoundError:
        octets = b""
    reader = _Reader()
    for line in octets.splitlines():
        parsed = _loads(line)
        if isinstance(parsed, dict):
            for mark, content in parsed.items():
                reader.read(mark, content)
    return reader.contents()


class _Reader:
    def __init__(self) -> None:
        self.interactions: list[Interaction] = []
        self.sleeps: list[Sleep] = []
        self.found: dict[str, list[str]] = {
            kind: [] for kind in ("misses", "side_effects", "escapes", "tool_drift", "notices")
        }
        self.divergences: list[Divergence] = []
        self.played: list[int] = []
        self.pids: list[int] = []
        self.ended_ms = 0
        self.live_requests = 0
        self.ends = 0

    def read(self, mark: str, content: Any) -> None:
        if mark == "start":
            self.pids.append(content["pid"])
        elif mark == "interaction":
            self.interactions.append(_interaction(content))
        elif mark == "played":
            self.played.extend(content)
        elif mark == "found":
            self.found[content["kind"]].append(content["text"])
        elif mark == "diverged":
            self.divergences.append(_divergence(content))
        elif mark == "sleep":
            self.sleeps.append(Sleep(*content))
        elif mark == "end":
            self.ends += 1
            self.ended_ms = max(self.ended_ms, content["ended_ms"])
            self.live_requests += content["live_requests"]

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
            started, started and self.ends >= len(self.pids), result, tuple(self.played), tuple(self.pids)
        )


def _dumps(line: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(line)
    except TypeError:
        # Integers beyond 64 bits, lone surrogates: what orjson does not write it would not read either.
        return _BY_STANDARD_LIBRARY + json.dumps(line, separators=(",", ":")).encode()


def _loads(line: bytes) -> Any:
    loads = json.loads if line.startswith(_BY_STANDARD_LIBRARY) else orjson.loads
    try:
        return loads(line)
    except ValueError:
        return None


def _divergence(content: list[Any]) -> Divergence:
    # Read only where a run diverged.
    from kit.cassette.differences import Difference
    from kit.cassette.divergence import Divergence

    interaction, changes, places = content
    return Divergence(interaction, tuple(changes), tuple(Difference(*place) for place in places))


def _body_line(body: bytes) -> dict[str, str]:
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode()}


def _body(line: dict[str, str]) -> bytes:
    return base64.b64decode(line["base64"]) if "base64" in line else line["text"].encode()


def _interaction_line(interaction: Interaction) -> dict[str, Any]:
    request, response = interaction.request, interaction.response
    line: dict[str, Any] = {
        "number": interaction.number,
        "lane": interaction.lane,
        "started_ms": interaction.started_ms,
        "ended_ms": interaction.ended_ms,
    }
    if isinstance(request, HttpRequest):
        line["http"] = [request.method, request.url, request.headers, _body_line(request.body)]
    else:
        line["tool"] = [request.name, request.arguments]
    if isinstance(response, HttpResponse):
        line["answer"] = [
            response.status,
            response.headers,
            _body_line(response.body),
            response.chunks,
            response.failure,
        ]
    else:
        line["result"] = [response.result, response.failure, response.executed]
    return line


def _interaction(line: dict[str, Any]) -> Interaction:
    request: HttpRequest | ToolRequest
    response: HttpResponse | ToolResponse
    if "http" in line:
        method, url, headers, body = line["http"]
        request = HttpRequest(method, url, _headers(headers), _body(body))
    else:
        request = ToolRequest(*line["tool"])
    if "answer" in line:
        status, headers, body, chunks, failure = line["answer"]
        response = HttpResponse(status, _headers(headers), _body(body), tuple(chunks), failure)
    else:
        response = ToolResponse(*line["result"])
    return Interaction(line["number"], line["lane"], request, response, line["started_ms"], line["ended_ms"])


def _headers(pairs: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in pairs)
