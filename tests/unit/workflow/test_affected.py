"""What changed in git, and which runs that can affect."""

from __future__ import annotations

import subprocess

import pytest

from kit.errors import EnvironmentFault, UsageError
from kit.workflow.affected import affected_since
from tests.fakes.stub_project import StubProject


def git(project: StubProject, *words: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
    subprocess.run(command, cwd=project.root, check=True, capture_output=True)


@pytest.fixture
def committed(project: StubProject) -> StubProject:
    project.scenario("001_x")
    project.scenario("002_y")
    project.record()
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "one")
    return project


def ids(project: StubProject, ref: str = "main") -> list[str]:
    cells = (project.cell("001_x"), project.cell("002_y"))
    found = affected_since(project.open(), cells, ref, "replay")
    return [cell.selected.scenario.id for cell in found.cells]


def test_changed_new_and_committed_files_count(committed: StubProject) -> None:
    """What the branch did, whether committed or not; what came to `main` behind it does not."""
    assert ids(committed) == []
    git(committed, "checkout", "-q", "-b", "work")
    committed.scenario("001_x", description="other")
    assert ids(committed) == ["001_x"]
    git(committed, "commit", "-q", "-a", "-m", "two")
    assert ids(committed) == ["001_x"]
    git(committed, "checkout", "-q", "main")
    committed.scenario("002_y", description="other")
    git(committed, "commit", "-q", "-a", "-m", "three")
    git(committed, "checkout", "-q", "work")
    assert ids(committed) == ["001_x"]
    committed.write("baselines/home/stub/002_y.yaml", "new")
    assert ids(committed) == ["001_x", "002_y"]


def test_no_ref_and_no_repository(committed: StubProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each said, and so is a git that does not answer."""
    with pytest.raises(UsageError, match="`nowhere` names no commit"):
        ids(committed, "nowhere")
    monkeypatch.setattr("kit.git.changed_since", lambda root, commit: None)
    with pytest.raises(EnvironmentFault, match="git does not say what changed since main"):
        ids(committed)
