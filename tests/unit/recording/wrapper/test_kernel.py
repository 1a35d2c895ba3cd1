"""A program started under the kernel's guard, and what is known of it afterwards."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from kit.errors import EnvironmentFault
from kit.recording.wrapper import kernel, launcher
from kit.recording.wrapper.kernel import KernelGuard, run_guarded
from kit.recording.wrapper.kernel_rules import KernelRules
from kit.recording.wrapper.process import Ending
from tests.fakes.kernel import need

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the launcher is for Linux")
WRITES = KernelRules(writable=("/dev", "/proc"), lacks={"network": "declared"})


def run(rules: KernelRules, job: Path, *command: str) -> tuple[Ending, KernelGuard]:
    return run_guarded(command, dict(os.environ), job, rules, job)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache folder, which is not there yet."""
    folder = tmp_path / "caches" / "mine"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@LINUX
def test_what_it_held_and_lacked(tmp_path: Path, cache: Path) -> None:
    """The program's exit code, the parts that held, the reasons for the others; the cache folder is there."""
    need("writes")
    ending, guard = run(WRITES, tmp_path, "sh", "-c", "exit 5")
    assert (ending.returncode, guard) == (5, KernelGuard(("writes",), {"network": "declared"}))
    assert cache.is_dir()


def test_nothing_asked_starts_no_launcher(tmp_path: Path, cache: Path) -> None:
    """Where all is switched off the program is started as ever."""
    ending, guard = run(KernelRules(lacks={"writes": "off", "network": "off"}), tmp_path, "true")
    assert (ending.returncode, guard) == (0, KernelGuard((), {"writes": "off", "network": "off"}))
    assert not (tmp_path / launcher.REPORT_FILE).exists()
    assert not cache.exists()


def test_another_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run goes on with the hook alone, and says why; what was left out keeps its own reason."""
    monkeypatch.setattr(sys, "platform", "darwin")
    ending, guard = run(WRITES, tmp_path, "true")
    assert ending.returncode == 0
    assert guard == KernelGuard(
        lacks={"writes": "darwin has no namespaces and no Landlock", "network": "declared"}
    )


@LINUX
@pytest.mark.parametrize(
    ("program", "error"), [("no-such-program", FileNotFoundError), ("/etc/passwd", PermissionError)]
)
def test_a_program_that_cannot_be_started(tmp_path: Path, program: str, error: type[OSError]) -> None:
    """The same error as without the launcher."""
    with pytest.raises(error, match=program):
        run(WRITES, tmp_path, program)


@LINUX
def test_a_launcher_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program never began: an error of the environment that says what to type, never a verdict."""
    monkeypatch.setattr(launcher, "__file__", "/not/there.py")
    with pytest.raises(EnvironmentFault, match="before it could start 'true'") as caught:
        run(WRITES, tmp_path, "true")
    assert "kernel_guard" in str(caught.value)


@LINUX
def test_a_run_that_ended_before_it_began(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the first milliseconds is an interruption, no fault."""
    monkeypatch.setattr(kernel, "run_child", lambda *_: Ending(-2, is_interrupted=True))
    ending, guard = run(WRITES, tmp_path, "true")
    assert ending.is_interrupted
    assert guard.holds == ()


@LINUX
def test_a_relative_cache_folder_is_nobodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the home folder is unknown nothing is made in the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    run(WRITES, tmp_path, "true")
    assert not (tmp_path / "relative").exists()
