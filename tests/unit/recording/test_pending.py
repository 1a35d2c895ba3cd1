"""Recordings on their way."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kit import durable
from kit.cassette.store import Seen
from kit.errors import EnvironmentFault
from kit.recording.pending import NOTE, is_running, left, pending
from tests.fakes.cassettes import header


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The `.kit` of a project."""
    return tmp_path / ".kit"


@pytest.fixture
def folder(home: Path) -> Path:
    """Where a recording's journals lie."""
    return home / "journals" / "20261130T000000" / "home" / "stub" / "001_x"


def test_what_was_not_settled_is_left(home: Path, folder: Path, tmp_path: Path) -> None:
    """The note says which cassette it is to become, and its header."""
    path = tmp_path / "cassettes" / "home" / "stub" / "001_x.yaml"
    with pending(folder, path, header(suite="home")) as way:
        assert way.journals.is_dir()
        assert way.since == Seen("")
        assert left(home) == ()
        assert is_running(folder)
    assert left(home) == (way,)
    assert not is_running(folder)


def test_what_was_settled_leaves_nothing(home: Path, folder: Path, tmp_path: Path) -> None:
    """Neither its folder nor those above it."""
    with pending(folder, tmp_path / "c.yaml", header()) as way:
        way.settled()
    assert list((home / "journals").iterdir()) == []
    assert left(home) == ()


def test_a_run_that_is_over_has_its_verdict(home: Path, folder: Path, tmp_path: Path) -> None:
    """So what could not be saved is recovered as a whole recording."""
    with pending(folder, tmp_path / "c.yaml", header()) as way:
        done = way.over(header(verdict="fail"))
    assert left(home) == (done,)
    assert done.is_over
    assert done.header.verdict == "fail"


def test_a_full_disk_costs_only_the_verdict(
    home: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The note of the beginning stays."""
    with pending(folder, tmp_path / "c.yaml", header()) as way:

        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(durable, "write", full)
        assert way.over(header(verdict="pass")).is_over
    assert left(home) == (way,)


def test_no_folder_no_recording(home: Path, folder: Path, tmp_path: Path) -> None:
    """Nothing is asked of a model whose answers could not be kept."""
    home.mkdir()
    (home / "journals").write_bytes(b"")
    with (
        pytest.raises(EnvironmentFault, match="nothing can be recorded"),
        pending(folder, tmp_path, header()),
    ):
        raise AssertionError


HOLDER = """
import sys
from pathlib import Path
from kit.recording.pending import pending
from tests.fakes.cassettes import header
with pending(Path(sys.argv[1]), Path(sys.argv[2]), header()):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_killed_run_is_left_and_a_running_one_is_not(home: Path, folder: Path, tmp_path: Path) -> None:
    """Another kit that records at this moment is nobody's orphan."""
    command = [sys.executable, "-c", HOLDER, str(folder), str(tmp_path / "c.yaml")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert left(home) == ()
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert [one.folder for one in left(home)] == [folder]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"path": 1}', "\x00"])
def test_a_note_that_nobody_can_read_is_passed_over(
    home: Path, folder: Path, tmp_path: Path, text: str
) -> None:
    """It names no cassette."""
    with pending(folder, tmp_path / "c.yaml", header()):
        pass
    (folder / NOTE).write_text(text)
    assert left(home) == ()


def test_a_note_of_another_version_is_read(home: Path, folder: Path, tmp_path: Path) -> None:
    """A field that this kit does not know is no reason to lose a recording."""
    with pending(folder, tmp_path / "c.yaml", header()) as way:
        pass
    note = json.loads((folder / NOTE).read_text())
    note["header"]["invented"] = 1
    (folder / NOTE).write_text(json.dumps(note))
    assert left(home) == (way,)


def test_the_oldest_comes_first(home: Path, tmp_path: Path) -> None:
    """Whatever its folder is called."""
    folders = [home / "journals" / name for name in ("pytest-b", "20261130T000000", "pytest-a")]
    for age, folder in enumerate(folders, start=1):
        with pending(folder, tmp_path / "c.yaml", header()):
            pass
        os.utime(folder / NOTE, ns=(age, age))
    assert [one.folder for one in left(home)] == folders


def test_an_error_gets_the_way_back(folder: Path, tmp_path: Path) -> None:
    """What, where, why it is not lost, and both things to do."""
    with pending(folder, tmp_path / "c.yaml", header()) as way:
        pass
    told = way.told(EnvironmentFault("it is full", where="c.yaml", why="reasons", next_command="free some"))
    assert str(told) == (
        f"c.yaml: it is full\n  why:  reasons; what was recorded is not lost: it lies in {folder}\n"
        "  next: free some; then kit cassette recover"
    )
