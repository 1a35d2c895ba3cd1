"""What the cells of one run share."""

from __future__ import annotations

from kit.harness.servers import Servers
from kit.harness.world import World, folder_of, journal_of
from tests.fakes.stub_project import StubProject


def test_every_replicate_has_its_own_journal(project: StubProject) -> None:
    """Two runs of one scenario append to two files below the folder of suite and model."""
    project.scenario()
    opened = project.open()
    with Servers(opened.settings) as servers:
        world = World(opened.settings, "live", False, opened.scratch("reports"), servers)
    first, second = project.cell(), project.cell(replicate=2)
    assert folder_of(first, world) == folder_of(second, world) == world.folder / "home" / "stub"
    paths = [journal_of(first, world), journal_of(second, world), journal_of(first, world, ".judge")]
    assert [path.name for path in paths] == ["001_x.jsonl", "001_x@2.jsonl", "001_x.judge.jsonl"]
