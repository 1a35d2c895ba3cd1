from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

from kit.recording.wrapper import process
from kit.recording.wrapper.process import Ending, ended_by, run_child


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def test_exit_code_and_signal_are_told() -> None:
    """The child's way to end comes back as it was."""
    environment = dict(os.environ)
    assert run_child(python("raise SystemExit(7)"), environment) == Ending(7, is_interrupted=False)
    assert run_child(python("import os; os.kill(os.getpid(), 9)"), environment) == Ending(
        -9, is_interrupted=False
    )
    assert ended_by(7) == "exited with 7"
    assert ended_by(-15) == "was ended by SIGTERM"
    assert ended_by(-99) == "was ended by signal 99"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_reaches_the_child_which_decides(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """The child ends in its own way, and the parent gets its handlers back."""
    monkeypatch.setattr(process, "_terminal_tells_both", lambda: False)
    before = signal.getsignal(number)
    code = (
        "import os, signal\n"
        f"signal.signal({int(number)}, lambda *_: os._exit(9))\n"
        f"os.kill(os.getppid(), {int(number)})\n"
        "signal.pause()\n"
    )
    assert run_child(python(code), dict(os.environ)) == Ending(9, is_interrupted=True)
    assert signal.getsignal(number) is before


def test_a_signal_while_the_child_is_started_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child was faster than its parent, which is told to end before it knows its child."""

    class Slow(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **told: Any) -> None:
            super().__init__(*args, **told)
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(subprocess, "Popen", Slow)
    ending = run_child(python("import time; time.sleep(30)"), dict(os.environ))
    assert ending == Ending(-signal.SIGTERM, is_interrupted=True)


def test_interrupt_from_the_terminal_is_not_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal tells the whole foreground group; a second interrupt would disturb the child's end."""
    monkeypatch.setattr(process, "_terminal_tells_both", lambda: True)
    code = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGINT, lambda *_: os._exit(9))\n"
        "os.kill(os.getppid(), signal.SIGINT)\n"
        "time.sleep(0.2)\n"
    )
    assert run_child(python(code), dict(os.environ)) == Ending(0, is_interrupted=True)


def test_child_runs_from_another_thread_too() -> None:
    """Signals are the main thread's business; without it the child simply runs."""
    seen: list[Ending] = []
    thread = threading.Thread(target=lambda: seen.append(run_child(python(""), dict(os.environ))))
    thread.start()
    thread.join()
    assert seen == [Ending(0, is_interrupted=False)]
