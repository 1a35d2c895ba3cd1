"""Which files of the project a run reads while it is recorded: its inputs (decision 11).

What counts is what the program opens as data: prompts, templates, tables, whatever their format. Left out
are Python modules (which of them are loaded depends on what ran before in the process, and a change of code
either changes a request, which is a miss, or nothing that a recording holds), what kit itself reads, what
lies in folders that tools make, `.env` files, and what the run wrote. What a program reads without Python's
own `open` (a database, a child that is not Python) is not seen, and neither is what an earlier run in the
same process left in a cache.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Literal, Protocol

from kit.recording.guard.allow import Forbidden
from kit.recording.guard.files import real_path
from kit.recording.guard.frames import is_kit_at_work, outward

_ASIDE = frozenset(
    {
        *(".git", ".hg", ".svn", ".kit", ".venv", "venv", "site-packages", "dist-packages", "node_modules"),
        *("__pycache__", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"),
    }
)
_ASIDE_AT_TOP = frozenset({"cassettes", "baselines"})
_COMPILED = (".pyc", ".pyo", ".so", ".pyd")
_SOURCE = (".py", ".pyi", ".pyw")
_LOADERS = frozenset({"linecache", "tokenize", "runpy", "pkgutil", "zipimport", "inspect", "traceback"})


class Reader(Protocol):
    """Who keeps what was read: the session."""

    def report(self, kind: Literal["reads", "writes"], text: str) -> None:
        """Keeps one line; `reads` as `FileRead.text` writes it, `writes` as a path."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file as it was when a run first read it.

    Attributes:
        path: real and absolute.
        modified_ns: its time of modification.
        size: in bytes.
    """

    path: str
    modified_ns: int
    size: int

    @property
    def text(self) -> str:
        """One line for the journal."""
        return f"{self.modified_ns} {self.size} {self.path}"

    @classmethod
    def parse(cls, text: str) -> FileRead:
        """The inverse of `text`."""
        modified_ns, size, path = text.split(" ", 2)
        return cls(path, int(modified_ns), int(size))

    def is_as_read(self) -> bool:
        """Whether the file is still what the run read."""
        return _look_at(self.path) == self


class ReadFiles:
    """Tells a session which files below the project it reads and writes, each once.

    Args:
        root: the project.
        reader: the session.
        workspace: the folder of a scenario's run, which is not the project even where it lies in it.
    """

    def __init__(self, root: Path, reader: Reader, workspace: Path | None = None) -> None:
        self._root = os.path.realpath(root) + os.sep
        own = (sys.prefix, sys.base_prefix, *([str(workspace)] if workspace else []))
        self._not_below = tuple(os.path.realpath(folder) + os.sep for folder in own)
        self._reader = reader
        self._seen: set[str] = set()

    def read(self, target: Any, *, is_known: bool) -> None:
        """A file was opened for reading.

        Args:
            target: what was opened, as the audit event names it.
            is_known: whether the context says that this run does it.
        """
        path = self._path(target)
        if path is None or path in self._seen or path.endswith(_COMPILED):
            return
        if path.endswith(_SOURCE) and _is_loading_code():
            return
        found = _look_at(path)
        if found is None or is_kit_at_work(through_libraries=not is_known):
            return
        self._seen.add(path)
        self._reader.report("reads", found.text)

    def opened(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`open` for writing: path, mode, flags; nothing is forbidden here."""
        self._wrote(args[0])
        return None

    def renamed(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.rename` and `os.replace`: source, destination, their dir_fds; nothing is forbidden here."""
        self._wrote(args[1])
        return None

    def _wrote(self, target: Any) -> None:
        path = self._path(target)
        if path is not None:
            self._seen.add(path)
            self._reader.report("writes", path)

    def _path(self, target: Any) -> str | None:
        """The real path of a file that may be an input; None for all others."""
        if isinstance(target, int):
            return None
        path = real_path(target)
        if not path.startswith(self._root) or path.startswith(self._not_below):
            return None
        folders = path[len(self._root) :].split("/")
        if folders[0] in _ASIDE_AT_TOP or not _ASIDE.isdisjoint(folders):
            return None
        return None if folders[-1] == ".env" or folders[-1].startswith(".env.") else path


def _look_at(path: str) -> FileRead | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - called inside the audit hook, strings only
    except OSError:
        return None
    return FileRead(path, status.st_mtime_ns, status.st_size)


def _is_loading_code() -> bool:
    """Whether a source file is opened to be imported, or to be shown in a traceback."""
    frame: FrameType | None = next(outward(), None)
    if frame is None:
        return True  # Python opens the script it was called with before any code of it runs
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith("<frozen importlib") or frame.f_globals.get("__name__") in _LOADERS:
            return True
        if frame.f_globals.get("__name__") not in {"io", "_io", "pathlib", "pathlib._local", "codecs"}:
            return False
        frame = frame.f_back
    return False
