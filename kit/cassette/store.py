"""Cassettes on disk: never lost, never half a file, writers one after the other (decision 9)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from kit.canonical import digest
from kit.cassette.cassette import Cassette
from kit.cassette.keying import Keys
from kit.cassette.load import loads, reviewed
from kit.cassette.paths import FOLDER, partial_path, record_command
from kit.errors import CassetteInvalid, CassetteMissing, EnvironmentFault

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_LOCK_SECONDS = 60


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What writing did; `changed` is False where old and new are equal outside header and volatile."""

    path: Path
    changed: bool


def read(path: Path, keyer: Keys | None = None) -> Cassette:
    """The cassette in a file.

    Args:
        path: the file.
        keyer: gives each interaction its key.

    Raises:
        CassetteMissing: there is no such file.
        CassetteInvalid: it is no cassette that this kit can read.
    """
    return loads(_text(path), str(path), keyer)


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise CassetteMissing(
            "nothing was recorded yet",
            where=str(path),
            next_command=record_command(path),
        ) from None
    except OSError as error:
        raise CassetteInvalid(f"cannot be read: {error.strerror}", where=str(path)) from error
    if content.startswith(_LFS_POINTER):
        raise CassetteInvalid(
            "this is a pointer of git LFS, not the cassette", where=str(path), next_command="git lfs pull"
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CassetteInvalid(
            "this is not UTF-8",
            where=f"{path}:{line}",
            next_command=f"git checkout -- {path}, or {record_command(path)}",
        ) from error


def write(path: Path, cassette: Cassette) -> WriteResult:
    """Put a cassette in its file, whole or not at all.

    Args:
        path: the file; its folder is made.
        cassette: what was recorded.

    Raises:
        EnvironmentFault: the disk refuses, or another writer does not let go.
    """
    from kit.cassette.emit import dumps  # replay writes no cassette

    text = dumps(cassette)
    with _locked(path):
        old = path.read_text("utf-8", errors="replace") if path.exists() else ""
        _replace(path, text)
    return WriteResult(path, changed=reviewed(old) != reviewed(text))


def write_partial(path: Path, cassette: Cassette) -> Path:
    """Keep what an interrupted run recorded beside the cassette, which stays as it is; returns the path."""
    return write(partial_path(path), cassette).path


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    import filelock

    lock = lock_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.parent.mkdir(parents=True, exist_ok=True)
        _ignore(lock.parent.parent)
        with filelock.FileLock(lock, timeout=_LOCK_SECONDS):
            yield
    except filelock.Timeout as error:
        raise EnvironmentFault(
            f"another kit has been writing this cassette for {_LOCK_SECONDS} s", where=str(path)
        ) from error
    except OSError as error:
        raise EnvironmentFault(f"the cassette cannot be written: {error}", where=str(path)) from error


def lock_path(path: Path) -> Path:
    """The lock of a cassette: in `.kit/locks` of the project, a folder that git is told to ignore."""
    folder = path.absolute().parent
    project = next((parent.parent for parent in (folder, *folder.parents) if parent.name == FOLDER), folder)
    return project / ".kit" / "locks" / f"{digest(str(path.absolute()).encode())}.lock"


def _ignore(folder: Path) -> None:
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", "utf-8")


def _replace(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode(path))
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(path.parent)


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777 if path.exists() else 0o644


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable; some file systems refuse, and then there is nothing to be done."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
