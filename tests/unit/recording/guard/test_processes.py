from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from kit.recording.guard.allow import Allow, parse_allow
from kit.recording.guard.processes import CHILD_FOLDER_ENV, ProcessGuard


def popen(argv: object, allow: Allow | None = None, env: dict[str, str] | None = None) -> str | None:
    """What the guard says of `subprocess.Popen(argv)`."""
    found = ProcessGuard(allow or Allow()).popen((None, argv, None, env))
    return found.act if found else None


def test_program_is_stopped_and_named() -> None:
    """The command line is shown as one would type it, and the rule that allows it is given."""
    found = ProcessGuard(Allow()).popen(("sendmail", ["sendmail", "-t", "a b"], None, None))
    assert found is not None
    assert found.act == "run `sendmail -t 'a b'`"
    assert found.rule == "run:sendmail -t"


def test_rule_proposed_for_a_shell_holds_its_whole_line() -> None:
    """A rule that ended behind `-c` would let everything pass."""
    found = ProcessGuard(Allow()).popen((None, ["/bin/sh", "-c", "echo 1 >> x"], None, None))
    assert found is not None
    assert found.rule == "run:/bin/sh -c 'echo 1 >> x'"
    assert popen(["/bin/sh", "-c", "echo 1 >> x"], parse_allow([found.rule])) is None


def test_declared_program_may_run_in_a_shell_too() -> None:
    """`shell=True` is seen through as long as the shell starts one program and nothing else."""
    allow = parse_allow(["run:git log"])
    assert popen(["git", "log", "-3"], allow) is None
    assert popen(["/bin/sh", "-c", "git log -3"], allow) is None
    assert popen(["/bin/sh", "-c", "git log; rm -rf /"], allow) is not None
    assert popen(["/bin/sh", "-c", "git log 'unbalanced"], allow) is not None
    assert ProcessGuard(allow).system((b"git log",)) is None
    assert ProcessGuard(allow).system((b"git push",)) is not None


@pytest.mark.parametrize("argv", [["uname", "-p"], ["/sbin/ldconfig", "-p"], ["fc-list", "--format=%{file}"]])
def test_innocent_questions_pass(argv: list[str]) -> None:
    """Libraries ask the system what it is; nothing is repeated by that."""
    assert popen(argv) is None


def test_every_way_to_start_a_program_is_judged() -> None:
    """exec, posix_spawn, spawn and pty are the same to the guard."""
    guard = ProcessGuard(Allow())
    assert guard.exec_or_spawn(("/bin/ls", ["ls"], {})) is not None
    assert guard.spawned((0, "/bin/ls", ["ls"], {})) is not None
    assert guard.pty((["ls"],)) is not None
    assert guard.popen(("ls", "ls", None, None)) is not None


def test_python_child_passes_where_it_is_guarded_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the wrapper a Python child runs under guard, unless it is told not to read its environment."""
    monkeypatch.delenv(CHILD_FOLDER_ENV, raising=False)
    assert popen([sys.executable, "worker.py"]) is not None
    monkeypatch.setenv(CHILD_FOLDER_ENV, "/kit/door")
    monkeypatch.setenv("PYTHONPATH", f"/kit/door{os.pathsep}/else")
    assert popen([sys.executable, "worker.py", "-S"]) is None
    assert popen([sys.executable, "-c", "print(1)"]) is None
    assert popen([sys.executable, "-X", "dev", "-I", "worker.py"]) is not None
    assert popen([sys.executable, "-uS", "worker.py"]) is not None
    assert popen([sys.executable, "worker.py"], env={"PYTHONPATH": "/else"}) is not None
    assert popen(["bash", "worker.sh"]) is not None


def test_process_may_signal_itself_and_its_children() -> None:
    """A signal to anybody else is a side effect; asking whether somebody lives is not."""
    guard = ProcessGuard(parse_allow(["run:kill 1"]))
    assert guard.killed((os.getpid(), signal.SIGUSR1)) is None
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE
    ) as child:
        assert guard.killed((child.pid, signal.SIGTERM)) is None
        child.communicate()
    assert guard.killed((os.getppid(), 0)) is None
    assert guard.killed((1, signal.SIGTERM)) is None
    assert guard.killed((-os.getpgrp(), signal.SIGTERM)) is None
    assert guard.group_killed((os.getpgrp(), signal.SIGTERM)) is None
    assert guard.group_killed((1_999_999_999, signal.SIGTERM)) is not None
    found = ProcessGuard(Allow()).killed((os.getppid(), signal.SIGTERM))
    assert found is not None
    assert found.act == f"send SIGTERM to process {os.getppid()}"
