"""`kit gate --base REF`, as CI calls it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.fakes.repository import Repository, repository
from tests.fakes.stub_project import StubProject
from tests.unit.cli.conftest import Ran

Kit = Callable[..., Ran]


@pytest.fixture
def branch(project: StubProject, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A branch with a regression that nobody gives a reason for."""
    monkeypatch.delenv("CI", raising=False)
    made = repository(project.root)
    project.scenario()
    assert kit("record").code == 0
    assert kit("accept", "--reason", "right").code == 0
    made.commit("start")
    made.git("checkout", "-q", "-b", "work")
    project.scenario(says="never said")
    made.commit("Expect more")
    return made


def test_blocks_then_logs_then_passes(branch: Repository, kit: Kit) -> None:
    """Exit code 1 without a reason, 0 with one that is logged."""
    blocked = kit("gate", "--base", "main")
    assert blocked.code == 1
    assert "gate: block" in blocked.out
    assert "git commit --allow-empty -m 'eval-override: <reason>'" in blocked.out
    branch.commit("Say why\n\neval-override: it was too mild")
    logged = kit("gate", "--base", "main", "--log")
    assert logged.code == 0
    assert "wrote the entry of" in logged.out
    branch.commit("Log it")
    passed = kit("gate", "--base", "main", "--strict")
    assert passed.code == 0
    assert "gate: block, overridden" in passed.out


def test_json_stays_json(branch: Repository, kit: Kit) -> None:
    """What is said of the branch goes to the other stream."""
    ran = kit("gate", "--base", "main", "--json")
    assert ran.code == 1
    (report,) = json.loads(ran.out)
    assert (report["gate"], report["overridden"]) == ("block", False)
    assert "compared with what was accepted at" in ran.err


def test_a_base_is_needed(kit: Kit) -> None:
    """There is no guessing what a branch is merged into."""
    assert kit("gate").code == 2
