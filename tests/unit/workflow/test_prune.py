"""Recordings that nothing owns any more."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.paths import judge_path, partial_path
from kit.cassette.store import write
from kit.errors import ScenarioError, UsageError
from kit.workflow.prune import prune
from tests.fakes.stub_project import StubProject


def _found(project: StubProject, *, tests: bool = False) -> dict[str, str]:
    done = prune(project.open(), tests=tests)
    assert not done.are_deleted
    return {Path(one.path).relative_to("cassettes").as_posix(): one.why for one in done.orphans}


@pytest.fixture
def recorded(project: StubProject) -> StubProject:
    """Two scenarios in one suite, one of them judged, and one in another suite."""
    project.scenario("001_x", judged=True)
    project.scenario("002_y")
    project.write("scenarios/other/suite.yaml", "description: d\ncategories: [happy_path]\n")
    project.scenario("003_z", suite="other")
    project.record("home", "other", replicates=2)
    return project


def test_every_recording_has_its_owner(recorded: StubProject) -> None:
    """Replicates, judges, tapes and files of other kinds included."""
    _tape(recorded, "tapes/agent.yaml", "agent")
    _tape(recorded, "tests/test_x/test_a.yaml", "tests/test_x.py::test_a")
    recorded.write("cassettes/README.md", "Ours.")
    recorded.write("cassettes/home/stub/broken.txt", "x")
    assert _found(recorded) == {}


def test_gone_scenario_and_suite(recorded: StubProject) -> None:
    """Their recordings go with all replicates and judges, once somebody says yes."""
    (recorded.root / "scenarios/home/001_x.yaml").unlink()
    for file in (recorded.root / "scenarios/other").iterdir():
        file.unlink()
    (recorded.root / "scenarios/other").rmdir()
    assert _found(recorded) == {
        "home/stub/001_x.judge.yaml": "home has no scenario of this name",
        "home/stub/001_x.yaml": "home has no scenario of this name",
        "home/stub/001_x@2.judge.yaml": "home has no scenario of this name",
        "home/stub/001_x@2.yaml": "home has no scenario of this name",
        "other/stub/003_z.yaml": "there is no suite other",
        "other/stub/003_z@2.yaml": "there is no suite other",
    }
    done = prune(recorded.open(), delete=True)
    assert done.are_deleted
    left = sorted(file.name for file in (recorded.root / "cassettes").rglob("*") if file.is_file())
    assert left == ["002_y.yaml", "002_y@2.yaml"]
    assert not (recorded.root / "cassettes/other").exists()
    assert prune(recorded.open()).orphans == ()


def test_judge_without_run_or_without_question(recorded: StubProject) -> None:
    """A critic that was taken out of the scenario leaves calls that nobody asks for."""
    recorded.cassette().unlink()
    recorded.scenario("002_y", judged=True)
    assert _found(recorded) == {"home/stub/001_x.judge.yaml": "the run that was judged is not there"}
    recorded.record("001_x")
    recorded.scenario("001_x")
    why = "its scenario asks no judge any more"
    assert _found(recorded) == {"home/stub/001_x.judge.yaml": why, "home/stub/001_x@2.judge.yaml": why}


def test_what_writers_left(recorded: StubProject) -> None:
    """An attempt that failed stays until the run was recorded whole; what a kill left stays for an hour."""
    path = recorded.cassette("002_y")
    partial_path(path).write_bytes(path.read_bytes())
    fresh = recorded.write("cassettes/home/stub/.002_y.yaml.abc.partial", "x")
    assert _found(recorded) == {}
    os.utime(fresh, (1, 1))
    text = partial_path(path).read_text("utf-8")
    day = text.partition("recorded: '")[2][:10]
    partial_path(path).write_text(text.replace(f"recorded: '{day}", "recorded: '2020-01-01"), "utf-8")
    assert _found(recorded) == {
        "home/stub/.002_y.yaml.abc.partial": "a writer that was killed left it",
        "home/stub/002_y.yaml.partial": "it was recorded whole since",
    }


def test_recordings_of_tests_only_where_asked(recorded: StubProject) -> None:
    """Their owner is a function in a module of tests."""
    recorded.write("tests/test_x.py", "class TestA:\n    async def test_a(self):\n        pass\n")
    _tape(recorded, "tests/test_x/TestA.test_a.1.yaml", "tests/test_x.py::TestA::test_a[1]")
    _tape(recorded, "tests/test_x/test_b.yaml", "tests/test_x.py::test_b")
    _tape(recorded, "tests/test_y/test_c.yaml", "tests/test_y.py::test_c")
    assert _found(recorded) == {}
    assert _found(recorded, tests=True) == {
        "tests/test_x/test_b.yaml": "tests/test_x.py has no test_b",
        "tests/test_y/test_c.yaml": "there is no tests/test_y.py",
    }


def test_project_of_tapes(project: StubProject) -> None:
    """It has no `scenarios/`, and may still have recordings of tests and what a kill left."""
    shutil.rmtree(project.root / "scenarios")
    _tape(project, "tapes/agent.yaml", "agent")
    _tape(project, "tests/test_y/test_c.yaml", "tests/test_y.py::test_c")
    os.utime(project.write("cassettes/tapes/.agent.yaml.abc.partial", "x"), (1, 1))
    assert list(_found(project)) == ["tapes/.agent.yaml.abc.partial"]
    assert len(prune(project.open(), delete=True, tests=True).orphans) == 2
    left = [file.name for file in (project.root / "cassettes").rglob("*") if file.is_file()]
    assert left == ["agent.yaml"]


@pytest.mark.parametrize("is_readable", [True, False])
def test_without_scenarios_no_recording_of_a_suite_is_deleted(
    recorded: StubProject, *, is_readable: bool
) -> None:
    """A folder that was not checked out owns more than nothing: all is listed, and nothing deleted."""
    shutil.rmtree(recorded.root / "scenarios")
    if not is_readable:
        for file in (recorded.root / "cassettes").rglob("*.yaml"):
            file.write_text("x", "utf-8")
    assert _found(recorded)["home/stub/001_x.yaml"] == "there is no suite home"
    before = sorted((recorded.root / "cassettes").rglob("*"))
    with pytest.raises(UsageError, match=r"recordings of suites would be deleted\n  next: git checkout"):
        prune(recorded.open(), delete=True)
    assert sorted((recorded.root / "cassettes").rglob("*")) == before


def test_invalid_scenario_owns_what_nobody_can_tell(recorded: StubProject) -> None:
    """Nothing is listed, let alone deleted, while the project cannot be read."""
    recorded.write("scenarios/home/001_x.yaml", "id: [")
    with pytest.raises(ScenarioError):
        prune(recorded.open(), delete=True)
    assert judge_path(recorded.cassette()).exists()


def test_deleting_is_refused_in_ci(recorded: StubProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision 16; looking is allowed."""
    monkeypatch.setenv("CI", "1")
    assert prune(recorded.open()).orphans == ()
    with pytest.raises(UsageError, match="kit cassette prune --yes is refused where CI is set"):
        prune(recorded.open(), delete=True)


def _tape(project: StubProject, path: str, name: str) -> None:
    moment = "2026-01-01T00:00:00Z"
    header = Header(scenario=name, start=moment, recorded=moment)
    write(project.root / "cassettes" / path, Cassette(header, ()))
