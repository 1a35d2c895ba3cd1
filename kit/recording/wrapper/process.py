"""Runs one child in the foreground and passes signals on to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_child(command: Sequence[str], environment: dict[str, str], cwd: Path | None = None) -> int:
    """Runs a program with this process's terminal until it ends.

    Returns:
        Its exit code, negative for the signal that ended it.

    Raises:
        OSError: it cannot be started.
    """
    with _signals_passed_on() as children, subprocess.Popen(list(command), env=environment, cwd=cwd) as child:
        children.append(child)
        return child.wait()


def ended_by(returncode: int) -> str:
    """How a program ended, in words: `exited with 3`, `was ended by SIGTERM`."""
    if returncode >= 0:
        return f"exited with {returncode}"
    try:
        return f"was ended by {signal.Signals(-returncode).name}"
    except ValueError:
        return f"was ended by signal {-returncode}"


@contextlib.contextmanager
def _signals_passed_on() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Sends the child what this process is sent; the child decides, this process only waits."""
    children: list[subprocess.Popen[bytes]] = []
    if threading.current_thread() is not threading.main_thread():
        yield children
        return

    def pass_on(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - what signal.signal calls
        if number == signal.SIGINT and _terminal_tells_both():
            return
        for child in children:
            child.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in _PASSED_ON}
    try:
        yield children
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
