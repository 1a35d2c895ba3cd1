"""Complaints in the words of the file's author."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from kit.scenario.complaint import check
from kit.scenario.expected import Strictly, Text
from kit.scenario.tree import read_tree


class Inner(Strictly):
    """One entry."""

    word: Text
    number: Annotated[int, Field(strict=True, gt=0)] = 1


class Outer(Strictly):
    """A file."""

    entries: tuple[Inner, ...] = ()
    one: Inner | None = None


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("entries: [{word: a}]\n", []),
        ("entries: {}\n", ["x.yaml:1: `entries` must be a list, is a mapping"]),
        ("one: []\n", ["x.yaml:1: `one` must be a mapping, is a list"]),
        ("one:\n  word:\n", ["x.yaml:2: `one.word` must be text, is empty"]),
        ("one:\n  word: true\n", ["x.yaml:2: `one.word` must be text, is true: put it in quotes"]),
        ("one: {word: a, number: 0}\n", ["x.yaml:1: `one.number` must be above 0, is 0"]),
        (
            "entries:\n  - word: a\n  - wrod: b\n",
            [
                "x.yaml:3: `entries[1].word` is missing",
                "x.yaml:3: unknown key `entries[1].wrod` (did you mean `word`?); allowed: number, word",
            ],
        ),
    ],
)
def test_a_complaint_names_path_rule_and_what_was_found(
    tmp_path: Path, text: str, problems: list[str]
) -> None:
    """No word of pydantic reaches the reader."""
    file = tmp_path / "x.yaml"
    file.write_text(text)
    tree = read_tree(file, "x.yaml")
    built = check(Outer, tree)
    assert [str(problem) for problem in tree.problems] == problems
    assert (built is None) == bool(problems)
