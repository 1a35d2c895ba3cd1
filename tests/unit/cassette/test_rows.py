"""The volatile block."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given

from kit.cassette import rows
from kit.cassette.body import plain
from kit.cassette.keyorder import orderless
from kit.cassette.marks import UnwritableError
from kit.cassette.yamlevents import read_tree
from tests.fakes.json_values import values


@given(values)
def test_a_row_is_json_and_yaml(value: Any) -> None:
    """The fast reader and a YAML reader see the same."""
    try:
        line = rows.line("1", {"put": value})
    except UnwritableError:
        return
    fast = rows.read(f"{line}\n", 1)
    assert fast is not None
    assert orderless(plain(fast)) == orderless({"1": {"put": value}})
    assert orderless(read_tree(f"{line}\n", "x")) == orderless(fast)


def test_rows_know_their_lines() -> None:
    """A wrong row is found by its number in the file."""
    fields = rows.read('  1: {"ms": [0, 1]}\n  2: {"ms": [1, 2]}\n', 40)
    assert fields is not None
    assert fields.lines == {"1": 41, "2": 42}
    assert fields["2"].lines == {"ms": 42}


@pytest.mark.parametrize(
    "text", ["  1:\n    ms: [0, 1]\n", "  1: {ms: [0, 1]}\n", "  1: {}\n  1: {}\n", "x\n"]
)
def test_a_block_of_another_hand_is_left_to_the_yaml_reader(text: str) -> None:
    """Who reformats the block gets no error from the fast reader."""
    assert rows.read(text, 1) is None


def test_foreign_yaml_readers_take_every_character() -> None:
    """Characters that JSON allows and YAML does not are escaped."""
    line = rows.line("1", {"x": "\x7f\u2028\ufeff\ufffe😀"})
    assert yaml.safe_load(line) == {1: {"x": "\x7f\u2028\ufeff\ufffe😀"}}
