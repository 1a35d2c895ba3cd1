"""Who judges the answers of a cell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kit.errors import CassetteMissing, ConfigError
from kit.harness.judges import judge_model, live_judges, replayed_judge
from kit.harness.servers import Servers
from kit.harness.world import World
from kit.oracle.critic import JudgeQuestion
from tests.fakes.stub_project import StubProject


@pytest.fixture
def world(project: StubProject) -> Iterator[World]:
    """What the cells of a live run share."""
    opened = project.open()
    with Servers(opened.settings) as servers:
        yield World(opened.settings, "live", True, opened.scratch("reports"), servers)


def test_judge_must_be_named_and_another(project: StubProject, world: World) -> None:
    """Decision 12: no judge, or the model under test as its own judge, is refused before anything runs."""
    project.scenario(judged=True)
    cell = project.cell()
    assert judge_model(cell, world, "frontier") == "stub-judge"
    assert live_judges((cell, cell), world) == ("stub-judge",)
    with pytest.raises(ConfigError, match="would judge its own answers"):
        live_judges((project.cell(model="stub-judge"),), world)
    with pytest.raises(ConfigError, match="no model is configured to judge answers"):
        judge_model(cell, world, "economy")


def test_scenarios_without_a_critic_need_no_judge(project: StubProject, world: World) -> None:
    """Nothing has to be configured for what nobody asks."""
    project.scenario()
    assert live_judges((project.cell(),), world) == ()


def test_a_variant_is_judged_anew_as_itself(project: StubProject, world: World) -> None:
    """Not the plain run in its place: its own answers are the ones that nobody judged."""
    project.scenario(judged=True)
    cell = project.cell(variant="tried", replicate=2)
    with (
        pytest.raises(CassetteMissing) as missing,
        replayed_judge(cell, world, cell.cassette(project.root)) as judge,
    ):
        judge(JudgeQuestion("Does it greet?", "frontier", "rubric", "ciao", "Yes"))
    assert missing.value.next_command == "kit record --judge-only --model stub 001_x.tried@2"
