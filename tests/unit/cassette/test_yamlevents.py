"""YAML into values, strictly."""

from __future__ import annotations

import pytest
import yaml

from kit.cassette import yamlevents
from kit.cassette.marks import JsonNumber
from kit.cassette.yamlevents import Fields, read_tree
from kit.errors import CassetteInvalid


def test_plain_scalars_are_those_of_json() -> None:
    """`No` is a text, `1e5` keeps its spelling, and only JSON's words mean something."""
    text = "a: No\nb: 1e5\nc: true\nd: null\ne:\nf: 12\ng: 1.5\nh: '12'\ni: ~\n"
    tree = {
        "a": "No",
        "b": JsonNumber("1e5"),
        "c": True,
        "d": None,
        "e": None,
        "f": 12,
        "g": 1.5,
        "h": "12",
        "i": "~",
    }
    assert read_tree(text, "x") == tree


def test_keys_know_their_lines() -> None:
    """A message can point at the very line that is wrong."""
    tree = read_tree("a: 1\nb:\n- c: 2\n  d: 3\n", "x")
    assert tree.lines == {"a": 1, "b": 2}
    assert tree["b"][0].lines == {"c": 3, "d": 4}
    assert isinstance(tree, Fields)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("a: 1\nb: 2\na: 3\n", "x:3", "'a' is given twice"),
        ("a: &one 1\n", "x:1", "anchors"),
        ("a: &one {b: 1}\n", "x:1", "anchors"),
        ("a: 1\nb: *one\n", "x:2", "aliases"),
        ("a: !secret 1\n", "x:1", "the tag !secret is unknown; allowed: !args"),
        ("a: !python/object {}\n", "x:1", "unknown"),
        ("a: !args.wide {}\n", "x:1", "no style of JSON; allowed: compact"),
        ("a: !answer x\n", "x:1", "!answer"),
        ("a: !base64 '?'\n", "x:1", "!base64"),
        ("a: !json '{'\n", "x:1", "!json"),
        ("!id a: 1\n", "x:1", "keys are text"),
        ("[a]: 1\n", "x:1", "no text"),
        ("a: 1\n---\nb: 2\n", "x:2", "second document"),
        ("a: [1\nb: 2\n", "x:2", "no YAML"),
        ("a: " + "[" * 300 + "]" * 300 + "\n", "x:1", "deep"),
        ("a: \x07\n", "x", "no YAML"),
    ],
)
def test_what_a_cassette_must_not_hold_is_refused_with_its_line(text: str, where: str, what: str) -> None:
    """The reader says what is wrong and where, and what would be allowed."""
    with pytest.raises(CassetteInvalid) as caught:
        read_tree(text, "x")
    assert str(caught.value.where) == where
    assert what in caught.value.what


def test_without_libyaml_the_result_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without the C library is slower, not different."""
    text = "a: {b: [1, 'x'], c: !id call-1}\nd: |\n  two\n  lines\n"
    fast = read_tree(text, "x")
    monkeypatch.setattr(yamlevents, "_LOADER", yaml.Loader)
    assert read_tree(text, "x") == fast
    with pytest.raises(CassetteInvalid, match="no YAML"):
        read_tree("a: [\n", "x")
