"""A foreign file's YAML as plain values."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.foreign.tree import read_yaml
from kit.cassette.marks import JsonNumber
from kit.errors import CassetteInvalid
from tests.fakes.examples import costly

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
    | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=20), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


def refused(text: str) -> str:
    with pytest.raises(CassetteInvalid) as caught:
        read_yaml(text, "x.yaml")
    return str(caught.value)


@costly(30)
@given(VALUES)
def test_what_pyyaml_writes_comes_back(value: Any) -> None:
    """Text, bytes, numbers and nesting, whatever the characters."""
    assert read_yaml(yaml.safe_dump(value), "x.yaml") == value


@costly(30)
@given(VALUES)
def test_shared_values_come_back(value: Any) -> None:
    """PyYAML writes a list that stands in two places as an anchor and an alias."""
    both = [value, value, {"again": value}]
    assert read_yaml(yaml.safe_dump(both), "x.yaml") == both


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!python/unicode 'a'", "a"),
        ("!!python/str 'a'", "a"),
        ("! 12", "12"),
        ("!!python/tuple [1, 2]", [1, 2]),
        ("!!binary aGVsbG8=", b"hello"),
        ("!!python/object/new:_io.BytesIO\nstate: !!python/tuple [!!binary aGk=, 0, null]", b"hi"),
        ("!!python/object/apply:builtins.iter\nargs: [[!!binary YQ==, b]]", b"ab"),
        ("0x1F", 31),
        ("017", 15),
        ("1:30", "1:30"),
        ("1:30:20.5", "1:30:20.5"),
        ("!!int '1:30'", 90),
        ("!!float '1:30.5'", 90.5),
        ("1_000", 1000),
        ("-0b11", -3),
        ("1.5e+3", 1500.0),
        ("-.inf", JsonNumber("-Infinity")),
        (".nan", JsonNumber("NaN")),
        ("9" * 5000, JsonNumber("9" * 5000)),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("off", False),
        ("Yes", True),
        ("~", None),
        ("2024-01-01", "2024-01-01"),
        ("2024-01-01 10:00:00", "2024-01-01 10:00:00"),
        ("", None),
        ("{1: a, true: b}", {"1": "a", "true": "b"}),
    ],
)
def test_old_and_odd_scalars(text: str, value: Any) -> None:
    """By the rules of YAML 1.1, with the tags that vcrpy wrote over the years; dates and times are text."""
    found = read_yaml(text, "x.yaml")
    assert (found, type(found)) == (value, type(value))


def test_a_bomb_of_aliases_is_refused() -> None:
    """Ten lines that mean a thousand million values."""
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join([f'*{old}'] * 10)}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert "a bomb" in refused(bomb)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\na: 2", "x.yaml:2: the key 'a' is given twice"),
        ("a: &x [*x]", "x.yaml:1: *x names nothing before it"),
        ("a: *nothing", "names nothing"),
        ("a: 1\nb: !!python/object/apply:os.system ['true']", "x.yaml:2: the tag"),
        ("!!python/name:os.system ''", "makes an object of Python"),
        ("base: &b {x: 1}\nnew:\n  <<: *b", "a merge key"),
        ("? [a]\n: b", "a key that is no text"),
        ("? &k a\n: b\n*k : c", "an alias as a key"),
        ("a\n---\nb", "a second document"),
        ("a: [1", "this is no YAML"),
        ("a: \x01", "this is no YAML"),
        ("!!int 1x", "is no number"),
        ("!!binary a", "no base64"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    """With the line, before anything is made of it."""
    assert said in refused(text)


def test_deep_nesting_uses_no_stack() -> None:
    """Five hundred levels are read; where the parser gives up, that is said."""
    value = read_yaml("[" * 500 + "]" * 500, "x.yaml")
    depth = 0
    while value:
        value, depth = value[0], depth + 1
    assert depth == 499
    deep = "[" * 20_000 + "]" * 20_000
    try:
        read_yaml(deep, "x.yaml")
    except CassetteInvalid as error:
        assert "no YAML" in error.what
