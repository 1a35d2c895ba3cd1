"""Recordings that did not come to their end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kit.errors import ModelUnreachable, UsageError
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
    assert (found.model, found.agent, found.base_url, found.done) == ("stub", None, None, 1)
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


def test_where_and_whom_it_asked_is_known(project: StubProject) -> None:
    """As far as the command line told them; a plan of an earlier kit knows of no address."""
    project.scenario("001_x")
    told = {"agent": "tests.fakes.agents:asks", "base_url": "http://gpu:8080/v1"}
    with pytest.raises(KeyboardInterrupt), recording(project.open(**told), [project.cell()]):
        raise KeyboardInterrupt
    found = find_unfinished(project.open())
    assert {"agent": found.agent, "base_url": found.base_url} == told
    text = found.path.read_text("utf-8")
    assert ', "base_url": "http://gpu:8080/v1"' in text
    found.path.write_text(text.replace(', "base_url": "http://gpu:8080/v1"', ""), encoding="utf-8")
    assert find_unfinished(project.open()).base_url is None


def test_plan_that_never_began_stands_behind_one_that_did(project: StubProject) -> None:
    """A mistyped model is no interrupted recording; alone it can be gone on with, until another is made."""
    project.scenario()
    opened = project.open()
    for model, is_begun in (("typo", False), ("stub", True), ("typpo", False)):
        cell = replace(project.cell(), model=model)
        with pytest.raises(ModelUnreachable), recording(opened, [cell]) as log:
            if is_begun:
                log.begin(cell)
            raise ModelUnreachable("down")
    assert find_unfinished(opened).model == "stub"
    assert find_unfinished(opened, "typpo").model == "typpo"
    with pytest.raises(UsageError):
        find_unfinished(opened, "typo")
    # The server is down when it goes on: it stays what can be gone on with, whatever is recorded meanwhile.
    for before in (find_unfinished(opened).path, None):
        with pytest.raises(ModelUnreachable), recording(opened, [project.cell()], before):
            raise ModelUnreachable("down")
    found = find_unfinished(opened)
    assert (found.model, found.is_begun, found.done) == ("stub", True, 0)


def test_file_that_a_kill_cut_short_is_passed_over(project: StubProject) -> None:
    """And so is what another version wrote."""
    opened = project.open()
    project.write(".kit/unfinished/2.jsonl", '{"kit": "recording 1", "model"')
    project.write(".kit/unfinished/1.jsonl", '{"kit": "recording 9"}\n')
    with pytest.raises(UsageError, match="no recording was interrupted"):
        find_unfinished(opened)
