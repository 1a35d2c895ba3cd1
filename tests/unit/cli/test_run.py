"""`kit run --mode live|replay`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from kit.cli.run import ModeChoice
from tests.fakes.stub_project import StubProject

Kit = Callable[..., Any]


def test_modes_are_exactly_two() -> None:
    """S2-17."""
    assert [mode.value for mode in ModeChoice] == ["replay", "live"]


def test_replay_is_the_default(project: StubProject, kit: Kit) -> None:
    """It never asks a model, even where nothing is recorded (S2-46 11)."""
    project.scenario()
    assert kit("run").code == 3
    project.record()
    ran = kit("run")
    assert ran.code == 0
    assert ran.out.startswith("home on stub, replay")


@pytest.mark.parametrize("command", [("run",), ("run", "--mode", "replay")])
def test_what_is_stale_is_said_as_by_kit_replay(
    project: StubProject, kit: Kit, command: tuple[str, ...]
) -> None:
    """Before the report, or beside what a program reads."""
    project.scenario()
    project.record()
    project.scenario(description="another")
    said = kit("replay").out.partition("home on stub")[0]
    assert "changed since it was recorded" in said
    assert kit(*command).out.startswith(said)
    for form in (("--json",), ("--format", "junit")):
        ran = kit(*command, *form)
        assert ran.err == said
        assert said not in ran.out


def test_live_keeps_no_cassette(project: StubProject, kit: Kit) -> None:
    """That is `kit record`; progress is told, since it takes its time."""
    project.scenario()
    ran = kit("run", "--mode", "live")
    assert ran.code == 0
    assert ran.out.startswith("home/001_x on stub …\n  pass\nhome on stub, live")
    assert not project.cassette().exists()


def test_live_keeps_what_it_is_told_to_keep(project: StubProject, kit: Kit) -> None:
    """`--keep` is `kit record` in other words; a replay has nothing to keep."""
    project.scenario()
    ran = kit("run", "--mode", "live", "--keep")
    assert ran.code == 0
    assert project.cassette().exists()
    refused = kit("run", "--keep")
    assert refused.code == 2
    assert "next: kit run --mode live --keep" in refused.err


def test_live_json_has_no_progress(project: StubProject, kit: Kit) -> None:
    """Nothing but the JSON stands on stdout."""
    project.scenario()
    assert json.loads(kit("run", "--mode", "live", "--json").out)[0]["mode"] == "live"


def test_selection_and_model(project: StubProject, kit: Kit) -> None:
    """The same words as for replay."""
    project.scenario()
    project.scenario("002_y", category="security")
    project.record()
    (report,) = json.loads(kit("run", "--only", "security", "--json").out)
    assert [one["scenario_id"] for one in report["scenarios"]] == ["002_y"]
    assert kit("run", "--model", "m:1b").code == 3
