"""The cells of a plan on their way."""

from __future__ import annotations

import gc
from functools import partial

import pytest

from kit.harness.servers import Servers
from kit.harness.world import World
from kit.workflow.cells import CellRuns
from tests.fakes.stub_project import StubProject


@pytest.mark.parametrize("workers", [1, 2])
def test_results_are_in_the_order_of_the_plan(
    project: StubProject, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is told as it comes, with its key, and kept."""
    for name in ("001_x", "002_y", "003_z"):
        project.scenario(name)
    project.record()
    opened = project.open()
    cells = tuple(project.cell(name) for name in ("003_z", "001_x", "002_y"))
    lines: list[str] = []
    seen: dict[str, str] = {}
    collections: list[str] = []
    for name in ("freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, partial(collections.append, name))
    with Servers(opened.settings) as servers:
        world = World(opened.settings, "replay", False, opened.scratch("reports"), servers)
        runs = CellRuns(
            opened, cells, world, lines.append, lambda cell, one: seen.update({cell.key: one.result.verdict})
        )
        done = runs.run(workers)
    assert [one.result.scenario_id for one in done] == ["003_z", "001_x", "002_y"]
    assert seen == {cell.key: "pass" for cell in cells}
    assert lines.count("  pass") == 3
    assert {line for line in lines if line != "  pass"} == {f"{cell.name} …" for cell in cells}
    assert gc.isenabled()
    assert collections == ["freeze", "unfreeze"]
