"""`kit accept --reason …`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]


def test_shows_then_writes(project: StubProject, kit: Kit) -> None:
    """What changes stands above what was written; the second time nothing changes."""
    project.scenario()
    project.record()
    ran = kit("accept", "--reason", "looked at it")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "add     home/001_x on stub"
    assert lines[-2:] == [
        "wrote baselines/home/stub/001_x.yaml",
        "wrote baselines/home/stub/001_x.trace.yaml",
    ]
    assert kit("accept", "--reason", "again").out == "1 baseline unchanged\n"


def test_dry_run(project: StubProject, kit: Kit) -> None:
    """The plan alone."""
    project.scenario()
    project.record()
    out = kit("accept", "--reason", "r", "--dry-run").out
    assert "add     home/001_x on stub" in out
    assert "wrote" not in out
    assert not (project.root / "baselines").exists()


def test_exit_codes(project: StubProject, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty reason and CI are 2; a scenario that cannot be accepted gives its own code."""
    project.scenario()
    project.scenario("002_y")
    project.record("001_x")
    assert kit("accept", "--reason", " ").code == 2
    ran = kit("accept", "--reason", "r")
    assert ran.code == 3
    assert "refuse  home/002_y on stub" in ran.out
    monkeypatch.setenv("CI", "1")
    assert kit("accept", "--reason", "r").code == 2
