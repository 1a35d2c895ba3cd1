"""`kit hook`, as git calls it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.fakes.repository import repository
from tests.fakes.stub_project import StubProject
from tests.unit.cli.conftest import Ran

Kit = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _in_a_repository(project: StubProject, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario, recorded and accepted; then one that fails is staged."""
    monkeypatch.delenv("CI", raising=False)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    made = repository(project.root)
    project.scenario()
    assert kit("record").code == 0
    assert kit("accept", "--reason", "right").code == 0
    made.commit("start")
    project.scenario(says="never said")
    made.git("add", "-A")


def test_the_three_stages(project: StubProject, kit: Kit) -> None:
    """Report, block, pass with a reason, and the line in the log."""
    first = kit("hook", "pre-commit")
    assert first.code == 0
    assert "gate: block" in first.out
    assert "kit: replayed for scenarios/home/001_x.yaml" in first.out
    message = project.write("message", "x\n")
    assert kit("hook", "commit-msg", str(message)).code == 1
    message.write_text("x\n\neval-override: why\n", encoding="utf-8")
    second = kit("hook", "commit-msg", str(message))
    assert (second.code, "overridden: why" in second.out) == (0, True)
    message.unlink()
    repository(project.root).git("commit", "-q", "-m", "x\n\neval-override: why")
    third = kit("hook", "post-commit")
    assert third.code == 0
    assert "wrote the entry of this commit to baselines/regressions.md" in third.out


def test_a_stage_is_named(kit: Kit) -> None:
    """A mistyped stage is a usage error."""
    assert kit("hook", "pre-push").code == 2
