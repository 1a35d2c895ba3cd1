"""Parts of a plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kit.errors import UsageError
from kit.harness.plan import Cell
from kit.harness.shard import Shard, parse_shard
from tests.fakes.stub_project import StubProject


@pytest.fixture
def cell(tmp_path: Path) -> Cell:
    project = StubProject(tmp_path)
    project.scenario()
    return project.cell()


def test_each_cell_is_in_one_part(cell: Cell) -> None:
    """Of however many parts, and the parts are about alike."""
    cells = [replace(cell, replicate=number) for number in range(1, 301)]
    for count in (1, 2, 3, 7):
        sizes = [sum(Shard(number, count).takes(one) for one in cells) for number in range(1, count + 1)]
        assert sum(sizes) == 300
        assert min(sizes) > 300 / count / 2


def test_a_part_does_not_depend_on_the_machine(cell: Cell) -> None:
    """The digest is of the cell's name alone, so all machines agree."""
    assert cell.key == "home/stub/001_x.yaml"
    assert [Shard(number, 3).takes(cell) for number in (1, 2, 3)] == [False, True, False]


def test_parse() -> None:
    """As a person writes it, and back."""
    assert parse_shard("2/5") == Shard(2, 5)
    assert str(Shard(2, 5)) == "2/5"


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", "1 / 2"])
def test_what_is_no_shard(text: str) -> None:
    """Refused with an example."""
    with pytest.raises(UsageError, match="is no shard: write 1/4 to 4/4"):
        parse_shard(text)
