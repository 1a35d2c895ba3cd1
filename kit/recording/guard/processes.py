"""Which programs may be started in replay, and which processes may be signalled.

Innocent questions that the standard library asks other programs pass (`platform` runs `uname -p`). So do
Python children where each of them is guarded like its parent, as the wrapper sees to.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
from collections.abc import Sequence
from typing import Any

from kit.recording.guard.allow import Allow, Forbidden
from kit.recording.guard.frames import calling_module

_ASKED_BY_STDLIB = {
    "platform": {"uname", "file"},
    "ctypes.util": {"ldconfig", "gcc", "cc", "ld", "objdump"},
    "uuid": {"ifconfig", "ip", "arp", "netstat", "lanscan"},
    "_osx_support": {"sw_vers", "xcrun", "cc", "clang"},
}
_HARMLESS = (("uname",), ("ldconfig", "-p"), ("fc-list",), ("nvidia-smi", "-L"))
_SHELLS = {"sh", "bash", "dash"}
_SHELL_SYNTAX = frozenset(";|&<>$`()\n*?")
_PYTHON = re.compile(r"python[0-9.]*")
_UNGUARDED = re.compile(r"-[a-zA-Z]*[IES]")
CHILD_FOLDER_ENV = "KIT_CHILD_FOLDER"
"""Where the wrapper put its `sitecustomize`; a Python child that finds it on its PYTHONPATH is guarded."""


class ProcessGuard:
    """Judges the audit events about processes for one run."""

    def __init__(self, allow: Allow) -> None:
        self._allow = allow

    def popen(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`subprocess.Popen`: executable, arguments, cwd, environment."""
        return self._start(_words(args[1], args[0]), args[3])

    def exec_or_spawn(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.exec` and `os.posix_spawn`: path, arguments, environment."""
        return self._start(_words(args[1], args[0]), args[2])

    def spawned(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.spawn`: mode, path, arguments, environment."""
        return self._start(_words(args[2], args[1]), args[3])

    def system(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.system`: a line for the shell."""
        return self._start(["sh", "-c", os.fsdecode(args[0])], None)

    def pty(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`pty.spawn`: the arguments."""
        return self._start(_words(args[0], None), None)

    def killed(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.kill`: a process may signal itself, its group and its children; a number below 0 is a group."""
        pid = args[0]
        return self._signal(-pid, args[1], own=os.getpgrp()) if pid < 0 else self._signal(pid, args[1])

    def group_killed(self, args: tuple[Any, ...]) -> Forbidden | None:
        """`os.killpg`: the group and the signal."""
        return self._signal(args[0], args[1], own=os.getpgrp())

    def _signal(self, target: int, number: int, own: int | None = None) -> Forbidden | None:
        if number == 0 or target in {0, own or os.getpid()} or _descends_from_this(target):
            return None
        if self._allow.may_run(["kill", str(target)]):
            return None
        return Forbidden(f"send {signal.Signals(number).name} to process {target}", f"run:kill {target}")

    def _start(self, argv: list[str], environment: Any) -> Forbidden | None:
        command = _inside_shell(argv)
        if self._allow.may_run(command) or _is_harmless(command) or _is_guarded_python(command, environment):
            return None
        text = shlex.join(command)
        # A rule that ended behind `sh -c` would let every line pass.
        rule = text if command[1:2] == ["-c"] else shlex.join(command[:2])
        return Forbidden(f"run `{text if len(text) < 200 else text[:200] + '…'}`", f"run:{rule}")


def _words(argv: Any, executable: Any) -> list[str]:
    if isinstance(argv, str | bytes | os.PathLike):
        return [os.fsdecode(argv)]
    words = [os.fsdecode(word) for word in argv] if isinstance(argv, Sequence) else []
    return words or [os.fsdecode(executable or "")]


def _inside_shell(argv: list[str]) -> list[str]:
    """`sh -c "git log -1"` is `git log -1`; a line that does more than start one program stays as it is."""
    if len(argv) == 3 and argv[0].rpartition("/")[2] in _SHELLS and argv[1] == "-c":
        line = argv[2]
        if _SHELL_SYNTAX.isdisjoint(line):
            try:
                return shlex.split(line) or argv
            except ValueError:
                return argv
    return argv


def _is_harmless(argv: list[str]) -> bool:
    plain = (argv[0].rpartition("/")[2], *argv[1:])
    if any(plain[: len(known)] == known for known in _HARMLESS):
        return True
    return plain[0] in _ASKED_BY_STDLIB.get(calling_module(), ())


def _is_guarded_python(argv: list[str], environment: Any) -> bool:
    folder = os.environ.get(CHILD_FOLDER_ENV)
    if not folder or not _PYTHON.fullmatch(argv[0].rpartition("/")[2]):
        return False
    if ignores_environment(argv):
        return False
    inherited = os.environ if environment is None else environment
    path = {os.fsdecode(name): os.fsdecode(value) for name, value in dict(inherited).items()}.get(
        "PYTHONPATH", ""
    )
    return folder in path.split(os.pathsep)


def ignores_environment(argv: Sequence[str]) -> str | None:
    """The option of a Python command line that keeps kit's door shut (`-E`, `-I`, `-S`), or None."""
    words = iter(argv[1:])
    for word in words:
        if not word.startswith("-") or word.startswith(("-c", "-m", "--")):
            return None
        if word in {"-X", "-W"}:
            next(words, None)
        elif _UNGUARDED.match(word) and not word.startswith(("-X", "-W")):
            return word
    return None


def _descends_from_this(pid: int) -> bool:
    """Whether this process started that one, or one between them did, like a fork server (Linux)."""
    own = os.getpid()
    while pid > 1:
        pid = _parent(pid)
        if pid == own:
            return True
    return False


def _parent(pid: int) -> int:
    """The parent of a process, 0 where that cannot be told (it is gone, or this is not Linux)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:  # noqa: PTH123
            return int(stat.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0
