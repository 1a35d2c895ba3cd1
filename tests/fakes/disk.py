"""A disk that fails, kills or forgets: every system call of a save, counted, and what a crash leaves."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

CALLS = (
    *("open", "write", "fsync", "close", "replace", "rename", "mkdir", "link", "unlink", "remove", "rmdir"),
    *("fchmod", "chmod", "stat", "lstat", "fstat", "scandir", "listdir", "readlink", "ftruncate", "utime"),
)
"""Names in `os` through which files are reached; `io.open` and `fcntl.flock` are counted beside them."""

KILLED = 86
"""Exit code of a child that was ended in the middle."""
How = Literal["fail", "fill", "kill", "kill after", "tear"]
_WRITING = frozenset(
    {"open", "write", "mkdir", "link", "replace", "rename", "fchmod", "chmod", "fsync", "io.open", "unlink"}
)


@dataclass
class FaultyDisk:
    """Lets the n-th call fail, or ends the process there.

    Attributes:
        nth: which call, counted from 1; 0 lets all pass and only counts.
        how: `fail` raises, `fill` makes every writing call from there on fail, `kill` ends the process before
            the call, `kill after` behind it, and `tear` writes half of what was to be written and ends it.
        error: number of the error that `fail` raises.
        below: only calls about files below these folders count; empty counts all.
        count: calls so far.
        names: what was called, in order.
    """

    nth: int = 0
    how: How = "fail"
    error: int = errno.EIO
    below: tuple[Path, ...] = ()
    count: int = 0
    names: list[str] = field(default_factory=list)
    _descriptors: dict[int, str] = field(default_factory=dict)

    @contextlib.contextmanager
    def spinning(self) -> Iterator[None]:
        """While the body of the `with` lasts, calls are counted and the n-th meets its fate."""
        with pytest.MonkeyPatch.context() as patch:
            for name in CALLS:
                patch.setattr(os, name, self._around(name, getattr(os, name)))
            patch.setattr(io, "open", self._around("io.open", io.open))
            patch.setattr(fcntl, "flock", self._around("flock", fcntl.flock))
            yield

    @property
    def is_over(self) -> bool:
        """Whether there was no n-th call any more."""
        return self.count < self.nth

    def _around(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if not self._counts(args):
                return real(*args, **kwargs)
            self.count += 1
            self.names.append(name)
            is_full = self.how == "fill" and 0 < self.nth < self.count and _is_writing(name, args)
            if self.count != self.nth and not is_full:
                return self._done(name, args, real(*args, **kwargs))
            return self._fate(name, real, args, kwargs)

        return call

    def _counts(self, args: tuple[Any, ...]) -> bool:
        if not self.below or not args:
            return True
        if isinstance(args[0], int):
            return args[0] in self._descriptors
        named = [str(one) for one in args[:2] if isinstance(one, str | os.PathLike)]
        return any(one.startswith(str(folder)) for one in named for folder in self.below)

    def _done(self, name: str, args: tuple[Any, ...], result: Any) -> Any:
        if name == "open":
            self._descriptors[result] = str(args[0])
        if name == "close":
            self._descriptors.pop(args[0], None)
        return result

    def _fate(
        self, name: str, real: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        if self.how == "fill" and not _is_writing(name, args):
            return self._done(name, args, real(*args, **kwargs))
        if self.how in {"fail", "fill"}:
            if name == "close":
                # The descriptor is gone all the same.
                self._done(name, args, real(*args, **kwargs))
            raise OSError(self.error, os.strerror(self.error))
        if self.how == "tear" and name == "write":
            real(args[0], bytes(args[1])[: len(args[1]) // 2])
        elif self.how == "kill after":
            with contextlib.suppress(OSError):
                real(*args, **kwargs)
        os._exit(KILLED)


def _is_writing(name: str, args: tuple[Any, ...]) -> bool:
    if name == "open":
        return bool(args[1] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    if name == "io.open":
        return len(args) > 1 and any(letter in str(args[1]) for letter in "wax+")
    return name in _WRITING


def in_child(call: Callable[[], object]) -> int:
    """Runs something in a forked child and returns its exit code: 0, or `KILLED`, or 1 where it raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        code = 1
        try:
            call()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@dataclass
class Inode:
    """Content of a file: what was written, and what of it is on the disk."""

    content: bytes = b""
    synced: bytes = b""


@dataclass(frozen=True)
class Change:
    """A change of a folder: `inode` now stands at `path`; None takes the name away; a folder has itself."""

    path: str
    inode: Inode | Literal["folder"] | None


@dataclass
class ForgetfulDisk:
    """Notes what a save does, and says which states a power cut may leave behind.

    The model: a file holds after a crash what was synced, and of the rest nothing, half or all. A name holds
    what its folder held at its last sync, and of later changes a file system keeps the first few, in order.

    Attributes:
        is_deaf: as if the save never synced its files.
    """

    is_deaf: bool = False
    ops: list[tuple[str, Any]] = field(default_factory=list)
    files: dict[str, Inode] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    _open: dict[int, str] = field(default_factory=dict)
    _inodes: dict[int, Inode] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path) -> ForgetfulDisk:
        """A disk that holds what is below a folder, all of it durable."""
        disk = cls()
        for path in root.rglob("*"):
            if path.is_dir():
                disk.folders.add(str(path))
            else:
                disk.files[str(path)] = Inode(path.read_bytes(), path.read_bytes())
        disk.folders.add(str(root))
        return disk

    @contextlib.contextmanager
    def noting(self) -> Iterator[None]:
        """While the body of the `with` lasts, what is done to files is noted."""
        with pytest.MonkeyPatch.context() as patch:
            for name in ("open", "write", "fsync", "close", "replace", "mkdir", "unlink"):
                patch.setattr(os, name, self._noted(name, getattr(os, name)))
            yield

    def _noted(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        note = getattr(self, f"_on_{name}")

        def call(*args: Any, **kwargs: Any) -> Any:
            result = real(*args, **kwargs)
            note(result, *args)
            return result

        return call

    def _on_open(self, fd: int, path: Any, flags: int, *_: Any) -> None:
        self._open[fd] = str(path)
        if flags & os.O_CREAT and str(path) not in self.files:
            self._inodes[fd] = self.files[str(path)] = Inode()
            self.ops.append(("name", Change(str(path), self._inodes[fd])))

    def _on_write(self, written: int, fd: int, octets: bytes, *_: Any) -> None:
        if fd in self._inodes:
            self.ops.append(("write", (self._inodes[fd], bytes(octets[:written]))))

    def _on_fsync(self, _result: None, fd: int) -> None:
        inode = self._inodes.get(fd)
        if inode is not None and self.is_deaf:
            return
        self.ops.append(("sync", inode) if inode is not None else ("sync folder", self._open.get(fd, "")))

    def _on_close(self, _result: None, fd: int) -> None:
        self._open.pop(fd, None)
        self._inodes.pop(fd, None)

    def _on_replace(self, _result: None, source: Any, target: Any) -> None:
        inode = self.files.pop(str(source))
        self.files[str(target)] = inode
        # Both names change at once; what is lost of the old one only leaves a file too many.
        self.ops.append(("name", Change(str(target), inode)))

    def _on_mkdir(self, _result: None, path: Any, *_: Any) -> None:
        self.ops.append(("name", Change(str(path), "folder")))

    def _on_unlink(self, _result: None, path: Any, *_: Any) -> None:
        self.files.pop(str(path), None)
        self.ops.append(("name", Change(str(path), None)))

    def states(self, before: ForgetfulDisk) -> Iterator[tuple[int, dict[str, bytes]]]:
        """Every state that a crash may leave, as content by path, each with the number of calls before it."""
        for count in range(len(self.ops) + 1):
            done = self.ops[:count]
            for kept in ("nothing", "half", "all"):
                contents = _contents(done, kept)
                late = [op for kind, op in done if kind == "name" and not _is_synced(op, done)]
                for first in range(len(late) + 1):
                    yield count, _state(before, done, set(map(id, late[first:])), contents)


def _contents(done: list[tuple[str, Any]], kept: str) -> dict[int, bytes]:
    """Content of each new file: what was synced, and some of the rest."""
    whole: dict[int, bytes] = {}
    synced: dict[int, bytes] = {}
    for kind, op in done:
        if kind == "write":
            inode, octets = op
            whole[id(inode)] = whole.get(id(inode), b"") + octets
        elif kind == "sync":
            synced[id(op)] = whole.get(id(op), b"")
    found = {}
    for key, content in whole.items():
        safe = len(synced.get(key, b""))
        rest = len(content) - safe
        found[key] = content[: safe + {"nothing": 0, "half": rest // 2, "all": rest}[kept]]
    return found


def _is_synced(change: Change, done: list[tuple[str, Any]]) -> bool:
    position = next(index for index, (_, op) in enumerate(done) if op is change)
    folder = str(Path(change.path).parent)
    return any(kind == "sync folder" and op == folder for kind, op in done[position:])


def _state(
    before: ForgetfulDisk, done: list[tuple[str, Any]], lost: set[int], contents: dict[int, bytes]
) -> dict[str, bytes]:
    files = {path: inode.synced for path, inode in before.files.items()}
    folders = set(before.folders)
    for kind, op in done:
        if kind != "name" or id(op) in lost:
            continue
        if op.inode == "folder":
            folders.add(op.path)
        elif op.inode is None:
            files.pop(op.path, None)
        else:
            files[op.path] = contents.get(id(op.inode), b"")
    return {path: content for path, content in files.items() if _is_reachable(path, folders, before)}


def _is_reachable(path: str, folders: set[str], before: ForgetfulDisk) -> bool:
    root = min(before.folders, key=len)
    folder = str(Path(path).parent)
    while len(folder) > len(root):
        if folder not in folders:
            return False
        folder = str(Path(folder).parent)
    return True
