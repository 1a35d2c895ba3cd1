"""YAML as baselines have it."""

from __future__ import annotations

from kit.baseline.yaml_text import dump


def test_long_text_reads_as_it_is_and_odd_text_is_escaped() -> None:
    """No line is folded, nothing is written as an alias, what looks like a number is quoted."""
    shared = ["x"]
    values = {"a": "one\ntwo", "b": "x" * 200, "c": "1e5", "d": "a\x85b", "e": shared, "f": shared, "g": "é"}
    assert dump(values) == (
        f"a: |-\n  one\n  two\nb: {'x' * 200}\nc: '1e5'\nd: \"a\\Nb\"\ne:\n- x\nf:\n- x\ng: é\n"
    )
