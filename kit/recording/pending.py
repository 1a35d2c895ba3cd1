"""Recordings on their way: until the cassette is written, all that it is made of lies in `.kit/journals`.

Each has a folder with its journals and a note of what they are to become. It goes when the cassette is on
the disk; where a kill, a full disk or a bug came between, it stays, and `kit cassette recover` makes it one.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit import durable
from kit.cassette.header import Header
from kit.cassette.store import Seen, seen
from kit.errors import EnvironmentFault
from kit.recording.wrapper.job import JOURNALS

FOLDER = "journals"
NOTE = "cassette.json"
RECOVER = "kit cassette recover"
_LOCK = "running"


@dataclass(frozen=True, slots=True)
class Pending:
    """A recording whose cassette is not written yet.

    Attributes:
        folder: where its journals lie.
        path: the cassette that it is to become.
        header: as far as it is known.
        since: what was in the cassette's file when the run began.
        is_over: the run came to its end, and `header` says how.
    """

    folder: Path
    path: Path
    header: Header
    since: Seen
    is_over: bool = False

    @property
    def journals(self) -> Path:
        """Folder of the run's own journals; a judge's lies above it."""
        return self.folder / JOURNALS

    @property
    def judge_journal(self) -> Path:
        """Where the judge's calls are kept meanwhile."""
        return self.folder / "judge.jsonl"

    def over(self, header: Header) -> Pending:
        """The run came to its end: whoever recovers it knows the verdict."""
        done = dataclasses.replace(self, header=header, is_over=True)
        # On a full disk the note stays as it was: the recording is then recovered as a partial one.
        with contextlib.suppress(OSError):
            _write_note(done)
        return done

    def settled(self) -> None:
        """The cassette is on the disk, or there was nothing to keep: the folder goes."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for folder in self.folder.parents[:4]:
            if folder.name == FOLDER:
                return
            with contextlib.suppress(OSError):
                folder.rmdir()

    def told(self, error: EnvironmentFault) -> EnvironmentFault:
        """The error of a save, with the way back to what was recorded."""
        first = f"{error.next_command}; then " if error.next_command else ""
        return EnvironmentFault(
            error.what,
            where=error.where,
            why=f"{error.why}; " * bool(error.why)
            + f"what was recorded is not lost: it lies in {self.folder}",
            next_command=f"{first}{RECOVER}",
        )


@contextlib.contextmanager
def pending(folder: Path, path: Path, header: Header) -> Iterator[Pending]:
    """Makes the folder of a recording; while the body of the `with` lasts, nobody takes it for an orphan.

    Args:
        folder: of this run alone, somewhere below `.kit/journals`.
        path: the cassette.
        header: as far as it is known before the run.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    one = Pending(folder, path, header, seen(path))
    try:
        one.journals.mkdir(parents=True, exist_ok=True)
        _write_note(one)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise durable.fault(
            "nothing can be recorded: the journal cannot be written", folder, error
        ) from error
    try:
        _is_locked(lock, fcntl.LOCK_SH)
        yield one
    finally:
        os.close(lock)


def left(home: Path) -> tuple[Pending, ...]:
    """Recordings that no cassette was written of and whose run is over or dead, the oldest first.

    Args:
        home: the project's `.kit`.
    """
    notes = sorted((home / FOLDER).rglob(NOTE), key=_age)
    return tuple(found for note in notes if not is_running(note.parent) and (found := _read_note(note)))


def _age(note: Path) -> tuple[int, Path]:
    try:
        return note.stat().st_mtime_ns, note
    except OSError:  # its kit has just settled it
        return 0, note


def is_running(folder: Path) -> bool:
    """Whether the kit that records there is alive."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _is_locked(lock, fcntl.LOCK_EX)
    finally:
        os.close(lock)


def _is_locked(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks: then nobody can tell, and the recording counts as left.
        return True
    return True


def _write_note(one: Pending) -> None:
    note = {
        "path": str(one.path),
        "header": dataclasses.asdict(one.header),
        "since": one.since,
        "is_over": one.is_over,
    }
    text = json.dumps(note, ensure_ascii=False, indent=1)
    # Beside the journal, on the same disk.
    durable.write(one.folder / NOTE, text.encode("utf-8", "backslashreplace"), one.folder)


def _read_note(note: Path) -> Pending | None:
    """None where a crash has torn it: it names no cassette then."""
    try:
        found = json.loads(note.read_text("utf-8"))
        header = Header(**_known(found["header"]))
        return Pending(note.parent, Path(found["path"]), header, Seen(found["since"]), bool(found["is_over"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _known(values: dict[str, Any]) -> dict[str, Any]:
    names = {field.name for field in dataclasses.fields(Header)}
    return {name: value for name, value in values.items() if name in names}
