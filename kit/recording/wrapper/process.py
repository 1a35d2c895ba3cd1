"""Runs one child in the foreground and passes signals on to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended.

    Attributes:
        returncode: its exit code, negative for the signal that ended it.
        is_interrupted: whether somebody asked it to end, by Ctrl-C or a signal to kit.
    """

    returncode: int
    is_interrupted: bool


def run_child(command: Sequence[str], environment: dict[str, str], cwd: Path | None = None) -> Ending:
    """Runs a program with this process's terminal until it ends.

    Raises:
        OSError: it cannot be started.
    """
    with _signals_passed_on() as passing, subprocess.Popen(list(command), env=environment, cwd=cwd) as child:
        passing.begin(child)
        returncode = child.wait()
    return Ending(returncode, bool(passing.seen) or returncode in {-signal.SIGINT, 128 + signal.SIGINT})


def ended_by(returncode: int) -> str:
    """How a program ended, in words: `exited with 3`, `was ended by SIGTERM`."""
    if returncode >= 0:
        return f"exited with {returncode}"
    try:
        return f"was ended by {signal.Signals(-returncode).name}"
    except ValueError:
        return f"was ended by signal {-returncode}"


@dataclass(slots=True)
class _Passing:
    """Signals on their way to a child.

    Attributes:
        seen: all that came.
        early: those that came while the child was being started, and nobody was there to send them to.
    """

    seen: list[int] = field(default_factory=list)
    early: list[int] = field(default_factory=list)
    child: subprocess.Popen[bytes] | None = None

    def begin(self, child: subprocess.Popen[bytes]) -> None:
        """The child is there; on a busy machine it may have worked for long by now."""
        self.child = child
        while self.early:
            child.send_signal(self.early.pop(0))

    def pass_on(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - what signal.signal calls
        self.seen.append(number)
        if self.child is None:
            self.early.append(number)
        elif number != signal.SIGINT or not _terminal_tells_both():
            self.child.send_signal(number)


@contextlib.contextmanager
def _signals_passed_on() -> Iterator[_Passing]:
    """Sends the child what this process is sent; the child decides, this process only waits."""
    passing = _Passing()
    if threading.current_thread() is not threading.main_thread():
        yield passing
        return
    before = {number: signal.signal(number, passing.pass_on) for number in _PASSED_ON}
    try:
        yield passing
    finally:
        for number, action in before.items():
            signal.signal(number, action)


def _terminal_tells_both() -> bool:
    """Whether Ctrl-C reached the child already: the terminal sends it to the whole foreground group.

    A second interrupt would hit the child in the middle of its own way to end.
    """
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False
