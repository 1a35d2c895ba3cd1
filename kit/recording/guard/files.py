"""Which files a program may touch in replay.

Every path lies in a zone, the one whose folder is nearest above it:

    free      the workspace of a scenario, temporary folders, the user's cache, parts of /dev: anything goes
    project   the working directory of a tape (a program replayed without a scenario): creating and
    overwriting
              is allowed, since a program that writes its report again writes the same report; deleting or
              renaming a file that this run did not create is a side effect
    closed    everything else, and `.git`, `cassettes` and `baselines` in a project

Caches of tools (`__pycache__`, `.pytest_cache`, …) are free wherever they lie. An operation that can change
nothing (making a folder that is there, removing a file that is not) passes everywhere.
"""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from kit.recording.guard.allow import Allow, Forbidden

Zone = Literal["free", "project", "closed"]

_DEVICES = (
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/stdout", "/dev/stderr"),
    *("/dev/fd", "/dev/pts", "/dev/shm", "/dev/dri", "/proc/self"),  # noqa: S108 - shared memory, not a file
)
CACHES = frozenset(
    {"__pycache__", ".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache", ".ipynb_checkpoints"}
)
_CLOSED_IN_PROJECT = (".git", "cassettes", "baselines")


def zones(workspace: Path | None, project: Path) -> dict[str, Zone]:
    """The zones of one run by absolute folder.

    Args:
        workspace: the scenario's workspace; None for a tape, whose `project` may then be written to, and
        which may
            name the system's temporary folders outright.
        project: the working directory.
    """
    here = os.path.realpath(project)
    found: dict[str, Zone] = {here: "closed" if workspace else "project"}
    for name in _CLOSED_IN_PROJECT:
        found[os.path.join(here, name)] = "closed"  # noqa: PTH118 - the hook works on strings
    for device in _DEVICES:
        found[device] = "free"
    system = () if workspace else ("/tmp", "/var/tmp")  # noqa: S108 - they are let pass, not used
    for folder in (*user_caches(), *system, tempfile.gettempdir()):
        found[_place(folder)] = "free"
    if workspace:
        found[os.path.realpath(workspace)] = "free"
    return found


@functools.cache
def _place(folder: str) -> str:
    """Where a folder of the machine really lies: it does not move while runs go on."""
    return os.path.realpath(folder)


def user_caches() -> tuple[str, ...]:
    """Where the user's tools keep what they can make again; the general folder first."""
    home = os.path.expanduser("~")  # noqa: PTH111 - see above
    return (
        os.environ.get("XDG_CACHE_HOME") or f"{home}/.cache",
        os.environ.get("MPLCONFIGDIR") or f"{home}/.config/matplotlib",
        f"{home}/Library/Caches",
    )


class FileGuard:
    """Judges the audit events about files for one run, and remembers which files the run created."""

    def __init__(self, zones: dict[str, Zone], allow: Allow) -> None:
        self._zones = zones
        self._allow = allow
        self._created: set[str] = set()

    def opened(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`open` for writing: args are path, mode, flags."""
        return None if isinstance(args[0], int) else self._write(real_path(args[0]))

    def contents_changed(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.truncate`, `os.setxattr`, `os.removexattr`: the path comes first, there is no dir_fd."""
        return self._change(args[0], -1)

    def attributes_changed(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.chmod`, `os.chown`, `os.utime`: the path comes first, dir_fd last."""
        return self._change(args[0], args[-1])

    def folder_made(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.mkdir`: path, mode, dir_fd."""
        path = _entry(args[0], args[2])
        return None if os.path.isdir(path) else self._write(path, "make the folder")  # noqa: PTH112

    def removed(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.remove` and `os.rmdir`: path, dir_fd."""
        _real_folder.cache_clear()
        path = _entry(args[0], args[1])
        if not os.path.lexists(path):
            return None
        return self._take_away(path, f"delete {path}")

    def renamed(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.rename` and `os.replace`: source, destination, and their dir_fds."""
        _real_folder.cache_clear()
        source, target = _entry(args[0], args[2]), _entry(args[1], args[3])
        if not os.path.lexists(source):
            return None
        forbidden = self._write(target) or self._take_away(source, f"rename {source}")
        if forbidden is None and source in self._created:
            self._created.add(target)
        return forbidden

    def linked(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.link` and `os.symlink`: source, destination, …; the destination's dir_fd is last."""
        _real_folder.cache_clear()
        return self._write(_entry(args[1], args[-1]), "make the link")

    def database(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`sqlite3.connect`: the database, a path or a `file:` URI."""
        name = os.fsdecode(args[0])
        if name in {"", ":memory:"} or (
            name.startswith("file:") and ("mode=memory" in name or "mode=ro" in name)
        ):
            return None
        path = name.removeprefix("file:").partition("?")[0] if name.startswith("file:") else name
        if path in {"", ":memory:"}:
            return None
        return self._write(real_path(path), "open the database")

    def socket_file(self, path: str) -> Forbidden | None:
        """A Unix socket that is connected to or made."""
        return self._write(real_path(path), "use the socket")

    def _change(self, target: Any, dir_fd: int) -> Forbidden | None:
        if isinstance(target, int):
            return None
        path = real_path(target, dir_fd)
        return self._write(path, "change") if os.path.lexists(path) else None

    def _write(self, path: str, verb: str = "write") -> Forbidden | None:
        zone = self._zone(path)
        if zone == "free" or self._allow.may_write(path):
            return None
        if zone == "closed":
            return Forbidden(f"{verb} {path}", f"write:{path}")
        if not os.path.lexists(path):
            self._created.add(path)
        return None

    def _take_away(self, path: str, act: str) -> Forbidden | None:
        zone = self._zone(path)
        if zone == "free" or self._allow.may_write(path):
            return None
        if zone == "project" and path in self._created:
            return None
        return Forbidden(act, f"write:{path}")

    def _zone(self, path: str) -> Zone:
        parts = path.split("/")
        if not CACHES.isdisjoint(parts):
            return "free"
        for length in range(len(parts), 1, -1):
            zone = self._zones.get("/".join(parts[:length]))
            if zone is not None:
                return zone
        return "closed"


def _absolute(path: Any, dir_fd: int) -> str:
    text = os.fsdecode(path)
    if dir_fd >= 0 and not text.startswith(os.sep):
        # `TemporaryDirectory` and `rmtree` work relative to open folders.
        with contextlib.suppress(OSError):
            text = f"{os.readlink(f'/proc/self/fd/{dir_fd}')}/{text}"  # noqa: PTH115
    return os.path.abspath(text)  # noqa: PTH100


def real_path(path: Any, dir_fd: int = -1) -> str:
    """The file itself, links followed: what is written to. Devices keep the name they were called by."""
    absolute = _absolute(path, dir_fd)
    if absolute.startswith(("/dev/", "/proc/")):
        return absolute
    entry = _entry_of(absolute)
    return os.path.realpath(entry) if os.path.islink(entry) else entry  # noqa: PTH114 - strings, see above


def _entry(path: Any, dir_fd: int) -> str:
    """The folder's entry, a last link not followed: what is removed or renamed."""
    return _entry_of(_absolute(path, dir_fd))


def _entry_of(absolute: str) -> str:
    parent, _, name = absolute.rpartition("/")
    return f"{_real_folder(parent or '/').rstrip('/')}/{name}"


@lru_cache(maxsize=1024)
def _real_folder(folder: str) -> str:
    """Cached, since it asks the system once for each part of the path; forgotten when links change."""
    return os.path.realpath(folder)
