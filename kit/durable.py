"""Files that are whole or not there: how kit replaces a file that somebody needs (decision 9).

Content goes to a new file, which is synced and renamed; then the folder is synced, and each folder that was
made for it. A crash at any point leaves the old file or the new one.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from kit.canonical import digest
from kit.clock import fresh_id
from kit.errors import EnvironmentFault

HOME = ".kit"
LOCK_SECONDS = 60
_NOT_SYNCED = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM, errno.ENOSYS})
"""What file systems answer that cannot sync a folder; then there is nothing to be done."""
_ADVICE = {
    errno.ENOSPC: "free some space on this disk, then the same command again",
    errno.EDQUOT: "free some space, the quota is used up, then the same command again",
    errno.EIO: "see what the system says of this disk (dmesg), then the same command again",
    errno.EROFS: "make this file system writable, then the same command again",
    errno.EACCES: "chmod u+w (u+r to read it), or chown, what is refused, then the same command again",
    errno.EPERM: "chmod u+w (u+r to read it), or chown, what is refused, then the same command again",
    errno.EISDIR: "move the folder that stands in the place of this file, then the same command again",
    errno.ENOTDIR: "move the file that stands in the place of a folder, then the same command again",
    errno.EEXIST: "move the file that stands in the place of a folder, then the same command again",
}


def fault(what: str, path: Path | str, error: OSError) -> EnvironmentFault:
    """What a person is told of a disk that refuses: what, which file, why, and what helps.

    Args:
        what: `the cassette cannot be written`.
        path: what was to be written or read.
        error: what the system said.
    """
    reason = error.strerror or str(error)
    named = f" ({error.filename})" if error.filename and str(error.filename) != str(path) else ""
    return EnvironmentFault(
        f"{what}: {reason}{named}", where=str(path), next_command=_ADVICE.get(error.errno or 0)
    )


def is_of_the_disk(error: OSError) -> bool:
    """Whether an error that nobody expected is the disk's, and no bug of kit."""
    return error.errno in _ADVICE or error.errno in {errno.ENOLCK, errno.EMFILE, errno.ENFILE}


def write(path: Path, content: str | bytes, home: Path) -> None:
    """Put content in a file, whole or not at all, and on the disk when this returns.

    A mode that the old file had is kept; a symbolic link stays one, and what it leads to is replaced.

    Args:
        path: the file; its folder is made.
        content: all of it; text is written as UTF-8, without a change of line ends.
        home: the project's `.kit`: until it is whole the new file lies there, where git does not see it.

    Raises:
        OSError: the disk refuses; the old file is as it was, or the new one stands there, not yet synced.
        ValueError: `home` lies in no `.kit`.
    """
    octets = content.encode("utf-8") if isinstance(content, str) else content
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    make_folder(target.parent)
    private_folder(home, "writing")
    try:
        _write_from(home / "writing", target, octets)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # `.kit` lies on another disk than the file.
        _write_from(target.parent, target, octets)
    sync_folder(target.parent)


def _write_from(folder: Path, target: Path, octets: bytes) -> None:
    temporary = folder / f".{_name(target)}-{fresh_id()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        try:
            _write_all(descriptor, octets)
            os.fchmod(descriptor, _mode(target))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, target)  # noqa: PTH105 - every system call of a save is plain to see here
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _write_all(descriptor: int, octets: bytes) -> None:
    rest = memoryview(octets)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _mode(target: Path) -> int:
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        return 0o644


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, each durably: a file in a folder that is lost is lost too.

    Raises:
        OSError: the disk refuses, or a file stands in its place.
    """
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            folder.mkdir()
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make what was renamed or made in a folder durable, where the file system can.

    Raises:
        OSError: the disk fails.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except PermissionError:
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NOT_SYNCED:
            raise
    finally:
        os.close(descriptor)


def private_folder(home: Path, *names: str) -> Path:
    """A folder below `.kit`, which git is told to ignore.

    Raises:
        OSError: the disk refuses.
        ValueError: `home` lies in no `.kit`: git would be told to ignore what is not kit's.
    """
    if HOME not in home.parts:
        raise ValueError(f"{home} lies in no {HOME}: git would be told to ignore all that is in it")
    folder = home.joinpath(*names)
    folder.mkdir(parents=True, exist_ok=True)
    ignore = home / ".gitignore"
    # A full disk may have left it empty.
    if not ignore.is_file() or not ignore.stat().st_size:
        ignore.write_text("*\n", "utf-8")
    return folder


@contextlib.contextmanager
def alone(path: Path, home: Path) -> Iterator[None]:
    """Let one writer of a file in at a time, of all threads and processes; a killed one holds nobody up.

    What earlier writers left half-written of this file, when they were killed, is removed.

    Raises:
        EnvironmentFault: another writer does not let go.
        OSError: the disk refuses.
    """
    import filelock  # replay writes nothing

    lock = private_folder(home, "locks") / f"{_name(path)}.lock"
    try:
        with filelock.FileLock(lock, timeout=LOCK_SECONDS):
            _sweep(path, home)
            yield
    except filelock.Timeout as error:
        raise EnvironmentFault(
            f"another kit has been writing this file for {LOCK_SECONDS} s",
            where=str(path),
            next_command=f"wait for it, or end it (lsof {lock} names it), then the same command again",
        ) from error


def _sweep(path: Path, home: Path) -> None:
    for folder in (home / "writing", path.parent):
        for stray in folder.glob(f".{_name(path)}-*"):
            with contextlib.suppress(OSError):
                stray.unlink()


def _name(path: Path) -> str:
    return digest(os.fsencode(os.path.realpath(path)))
