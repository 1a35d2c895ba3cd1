"""What was accepted at another git ref."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kit.errors import UsageError
from kit.workflow.ref import baselines_at
from tests.fakes.stub_project import StubProject


def git(root: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
        cwd=root,
        check=True,
        capture_output=True,
    )


def committed(project: StubProject) -> None:
    git(project.root, "init", "-q", "-b", "main")
    project.write("baselines/home/stub/001_x.yaml", "then\n")
    git(project.root, "add", "baselines")
    git(project.root, "commit", "-q", "-m", "one")
    project.write("baselines/home/stub/001_x.yaml", "now\n")


def test_files_are_those_of_the_commit(project: StubProject) -> None:
    """The working tree has others; asking again gives the same folder."""
    committed(project)
    root = baselines_at(project.open(), "main")
    assert (root / "baselines/home/stub/001_x.yaml").read_text("utf-8") == "then\n"
    assert root.parent == project.root / ".kit" / "refs"
    assert baselines_at(project.open(), "HEAD") == root
    assert len(list(root.parent.iterdir())) == 1


def test_a_ref_without_baselines_is_an_empty_folder(project: StubProject) -> None:
    """Nothing was accepted then, which is no mistake of who asks."""
    git(project.root, "init", "-q", "-b", "main")
    git(project.root, "add", "pyproject.toml")
    git(project.root, "commit", "-q", "-m", "one")
    assert list(baselines_at(project.open(), "main").iterdir()) == []


def test_an_unknown_ref_says_what_exists(project: StubProject) -> None:
    """Exit code 2; outside a repository there is none at all."""
    with pytest.raises(UsageError, match="is in no git repository"):
        baselines_at(project.open(), "main")
    committed(project)
    with pytest.raises(UsageError, match="`mian` names no commit") as refused:
        baselines_at(project.open(), "mian")
    assert refused.value.why == "there are main"


def test_two_runs_may_want_the_same_ref(project: StubProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second finds what the first has written meanwhile."""
    committed(project)
    first = baselines_at(project.open(), "main")
    monkeypatch.setattr(Path, "is_dir", _once_not(Path.is_dir, first))
    assert baselines_at(project.open(), "main") == first


def _once_not(real: object, folder: Path) -> object:
    asked: list[Path] = []

    def is_dir(path: Path, **how: bool) -> bool:
        if path == folder and not asked:
            asked.append(path)
            return False
        return bool(real(path, **how))  # type: ignore[operator]

    return is_dir
