"""A project with the scripted model for each test that asks for one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kit.workflow.accept import accept
from tests.fakes.repository import Repository, repository
from tests.fakes.stub_project import StubProject, stub_project
from tests.fakes.templates import Templates


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProject]:
    """A project without scenarios yet."""
    with stub_project(tmp_path, monkeypatch) as made:
        yield made


@dataclass
class Judged:
    """A project in a repository: one scenario, recorded, accepted as pass, committed."""

    project: StubProject
    repository: Repository

    def regress(self) -> None:
        """Expects an answer that the recording does not hold, and stages that."""
        self.project.scenario(says="never said")
        self.repository.git("add", "-A")


@pytest.fixture
def judged(project: StubProject, templates: Templates, monkeypatch: pytest.MonkeyPatch) -> Judged:
    """A repository where a commit can regress."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("CI", raising=False)
    templates.copy("judged", _make_judged, project.root)
    return Judged(project, Repository(project.root, minute=1))


def _make_judged(root: Path) -> None:
    made, project = repository(root), StubProject(root)
    project.scenario()
    project.record()
    opened = project.open()
    accept(opened, wanted=(), only=(), model=None, reason="right", dry_run=False, show=lambda _: None)
    made.commit("A scenario, recorded and accepted")
