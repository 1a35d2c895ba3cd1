"""What the staged files of a commit can change."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import EnvironmentFault, UsageError
from kit.workflow.concern import staged_concern, staged_tree
from tests.fakes.repository import Repository, repository
from tests.fakes.stub_project import SETTINGS, StubProject


@pytest.fixture
def staged(project: StubProject) -> Repository:
    """A repository with the project committed."""
    project.scenario()
    project.write("scenarios/quiz/suite.yaml", 'description: d\ncategories: [c]\nagent: "pkg.mod:agent"\n')
    made = repository(project.root)
    made.commit("start")
    return made


def stage(project: StubProject, git: Repository, *paths: str) -> None:
    for path in paths:
        project.write(path, "x = 1\n")
    git.git("add", "-A")


@pytest.mark.parametrize(
    ("paths", "files", "suites"),
    [
        (["README.md"], [], []),
        (["baselines/regressions.md"], [], []),
        (["pkg/other.py", "README.md"], ["pkg/other.py"], []),
        (["tests/fakes/agents.py"], ["tests/fakes/agents.py"], []),
        (["scenarios/quiz/001_y.yaml"], ["scenarios/quiz/001_y.yaml"], ["quiz"]),
        (["cassettes/home/m/001_x.yaml"], ["cassettes/home/m/001_x.yaml"], ["home"]),
        (["cassettes/tapes/a.yaml"], ["cassettes/tapes/a.yaml"], []),
        (
            ["baselines/home/m/001_x.yaml", "fixtures/a.txt"],
            ["baselines/home/m/001_x.yaml", "fixtures/a.txt"],
            [],
        ),
    ],
)
def test_which_files_and_suites(
    project: StubProject, staged: Repository, paths: list[str], files: list[str], suites: list[str]
) -> None:
    """Files of one suite concern that suite, code and fixtures all of them, prose none."""
    stage(project, staged, *paths)
    found = staged_concern(project.open())
    assert (list(found.files), list(found.suites)) == (files, suites)
    assert found.tree == staged.git("write-tree") == staged_tree(project.open())


def test_configured_paths_replace_the_usual_ones(project: StubProject, staged: Repository) -> None:
    """The agents' own packages stay in."""
    project.write("pyproject.toml", SETTINGS + '[tool.kit.gate]\npaths = ["prompts/"]\n')
    stage(project, staged, "prompts/a.md", "kit/b.py", "pkg/c.py")
    assert staged_concern(project.open()).files == ("pkg/c.py", "prompts/a.md")


def test_a_deleted_and_a_renamed_file_concern_too(project: StubProject, staged: Repository) -> None:
    """What is gone can change a run as much as what is new."""
    staged.git("mv", "scenarios/home/001_x.yaml", "notes.yaml")
    assert staged_concern(project.open()).files == ("scenarios/home/001_x.yaml",)


def test_the_folder_must_be_what_is_staged(project: StubProject, staged: Repository) -> None:
    """A replay reads the folder, and the commit will have something else."""
    stage(project, staged, "pkg/a.py", "README.md")
    project.write("README.md", "other\n")
    assert staged_concern(project.open()).files == ("pkg/a.py",)
    project.write("pkg/a.py", "x = 2\n")
    with pytest.raises(UsageError) as caught:
        staged_concern(project.open())
    assert "pkg/a.py changed since" in caught.value.what


def test_files_that_git_does_not_know_are_named(project: StubProject, staged: Repository) -> None:
    """A cassette that was recorded and not added makes a replay pass that CI cannot."""
    stage(project, staged, "pkg/a.py")
    project.write("cassettes/home/m/002_y.yaml", "x\n")
    assert staged_concern(project.open()).untracked == ("cassettes/home/m/002_y.yaml",)


def test_without_git(project: StubProject, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """There is nothing staged where there is no repository."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(EnvironmentFault):
        staged_concern(project.open())
