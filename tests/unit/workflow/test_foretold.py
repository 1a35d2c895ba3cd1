"""What is said before a replay begins."""

from __future__ import annotations

from kit.workflow.foretold import Foretold, foretell
from tests.fakes.stub_project import StubProject


def test_nothing_is_said_where_all_is_well(project: StubProject) -> None:
    """Without git there is no conflict either."""
    project.scenario()
    project.record()
    told = foretell(project.open(), [project.cell()])
    assert told == Foretold((), 1)
    assert list(told.lines()) == []


def test_long_list_is_cut_and_the_command_is_last(project: StubProject) -> None:
    """Ten are shown; the gate gets every one."""
    names = [f"{number:03d}_x" for number in range(1, 13)]
    for name in names:
        project.scenario(name)
    project.record()
    for name in names:
        project.scenario(name, description="another")
    told = foretell(project.open(), [project.cell(name) for name in names])
    lines = list(told.lines())
    assert lines[0] == "stale: 12 of 12 recordings (a notice: only a miss fails)"
    assert lines[-2:] == ["  and 2 more", "  next: kit record home --stale --model stub"]
    assert len(lines) == 13
    assert set(told.by_key) == {f"home/stub/{name}.yaml" for name in names}


def test_conflicts_come_first() -> None:
    """What plays there is only one side."""
    assert list(Foretold(conflicts=("cassettes/a.yaml",)).lines()) == [
        "unresolved conflict of git in cassettes/a.yaml: what plays is one side of it",
        "  next: kit cassette resolve cassettes/a.yaml",
    ]
