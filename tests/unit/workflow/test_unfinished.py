"""Recordings that did not come to their end."""

from __future__ import annotations

import pytest

from kit.errors import UsageError
from kit.scenario.load import load_suites
from kit.scenario.select import select
from kit.workflow.unfinished import find_unfinished, recording
from tests.fakes.stub_project import StubProject


def test_what_is_left_of_an_interrupted_plan(project: StubProject) -> None:
    """Runs that ended in an error are left like those that never began; one in force is not found."""
    for name in ("001_x", "002_y"):
        project.scenario(name)
    opened = project.open()
    cells = [project.cell("001_x"), project.cell("001_x", replicate=2), project.cell("002_y")]
    with pytest.raises(KeyboardInterrupt), recording(opened, cells) as log:
        log.add(cells[0], "fail")
        log.add(cells[1], "error")
        assert log.left == 2
        with pytest.raises(UsageError, match="no recording was interrupted"):
            find_unfinished(opened)
        raise KeyboardInterrupt
    found = find_unfinished(opened)
    assert (found.model, found.agent, found.done) == ("stub", None, 1)
    every = select(load_suites(project.root))
    assert found.plan(every) == ((cells[1], cells[2]), ())
    assert found.plan(every[:1]) == ((cells[1],), ("home/002_y",))
    with pytest.raises(UsageError):
        find_unfinished(opened, "other:1b")
    with recording(opened, cells[1:], found.path) as log:
        log.add(cells[1], "pass")
        log.add(cells[2], "pass")
    with pytest.raises(UsageError):
        find_unfinished(opened)


def test_file_that_a_kill_cut_short_is_passed_over(project: StubProject) -> None:
    """And so is what another version wrote."""
    opened = project.open()
    project.write(".kit/unfinished/2.jsonl", '{"kit": "recording 1", "model"')
    project.write(".kit/unfinished/1.jsonl", '{"kit": "recording 9"}\n')
    with pytest.raises(UsageError, match="no recording was interrupted"):
        find_unfinished(opened)
