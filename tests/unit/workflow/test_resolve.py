"""End a conflict; `tests/functional/test_cassette_conflict.py` does it in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.header import Header
from kit.errors import CassetteInvalid, UsageError
from kit.workflow.conflict import Conflict, Side
from kit.workflow.resolve import find_conflict, header_of, model_of, take
from tests.fakes.repository import repository
from tests.fakes.stub_project import StubProject

GONE = Side("ours", None, None, problem="it is deleted on this side")
PATH = "cassettes/home/stub/001_x.yaml"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


def test_file_without_a_conflict_is_named(project: StubProject) -> None:
    """The message says which cassettes are in conflict."""
    repository(project.root).commit("First")
    with pytest.raises(UsageError, match="cassettes in conflict: none"):
        find_conflict(project.open(), Path("cassettes/home/stub/001_x.yaml"))


def test_broken_side_is_not_taken(project: StubProject) -> None:
    """What cannot be played is nobody's choice; nothing is written."""
    broken = Side("theirs", None, _blob(project, "x"), "x", problem="this is no cassette of kit, nor LFS's")
    conflict = Conflict(PATH, "merge", GONE, broken)
    with pytest.raises(CassetteInvalid, match="theirs cannot be taken"):
        take(project.open(), conflict, "theirs")
    assert not project.cassette().exists()
    with pytest.raises(UsageError, match="neither side can be read"):
        header_of(conflict)


def test_pointer_of_lfs_is_taken(project: StubProject) -> None:
    """It stands for the recording; whether it is one does not hang on how that is worded."""
    pointer = Side("theirs", None, _blob(project, POINTER), problem="not fetched", is_pointer=True)
    done = take(project.open(), Conflict(PATH, "merge", GONE, pointer), "theirs")
    assert done.staged == (PATH,)
    assert project.cassette().read_text("utf-8") == POINTER


def _blob(project: StubProject, text: str) -> str:
    file = project.write("blob.txt", text)
    return repository(project.root).git("hash-object", "-w", file.name)


def test_model_under_test_of_a_judge_is_that_of_its_run(project: StubProject) -> None:
    """The judge's own header names the judge."""
    project.scenario(judged=True)
    project.record()
    header = Header(scenario="001_x", start="", recorded="", kind="judge", model="stub-judge")
    opened = project.open()
    assert model_of(opened, "cassettes/home/stub/001_x.judge.yaml", header) == "stub"
    with pytest.raises(UsageError, match="the run that was judged is not there"):
        model_of(opened, "cassettes/home/stub/002_y.judge.yaml", header)
