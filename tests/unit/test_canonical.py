"""Canonical JSON and digests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.canonical import canonical_json, digest, digest_file
from tests.fakes.examples import costly

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@costly(30)
@given(JSON)
def test_text_reads_back_as_the_value(value: object) -> None:
    """Whatever path writes it, the text is JSON and loses nothing."""
    assert json.loads(canonical_json(value)) == value


def test_key_order_does_not_count() -> None:
    """Two spellings of one object have one text."""
    assert canonical_json({"b": 1, "a": {"d": 2, "c": 3}}) == b'{"a":{"c":3,"d":2},"b":1}'
    assert canonical_json({"a": {"c": 3, "d": 2}, "b": 1}) == canonical_json({"b": 1, "a": {"d": 2, "c": 3}})


def test_big_integers_keep_every_digit() -> None:
    """Integers beyond 64 bit are not rounded."""
    assert canonical_json([2**70, 2**70 + 1]) == f"[{2**70},{2**70 + 1}]".encode()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_no_number_is_not_null(value: float) -> None:
    """NaN and infinity do not pass for null, wherever they stand."""
    assert canonical_json({"a": [1, {"b": value}]}) != canonical_json({"a": [1, {"b": None}]})


def test_null_stays_null() -> None:
    """A plain null needs no second look to come out right."""
    assert canonical_json((None, 1.5, "null")) == b'[null,1.5,"null"]'


def test_lone_surrogates_stay_apart() -> None:
    """Text that is no valid Unicode still has a text of its own."""
    assert canonical_json("\ud800") != canonical_json("\ud801")


def test_values_that_are_no_json_are_refused() -> None:
    """A tool argument that is no JSON value is told, not guessed."""
    with pytest.raises(TypeError):
        canonical_json({"a": object()})


def test_digest_of_a_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    """Files and bytes in memory have the same digest, also beyond one block."""
    content = bytes(range(256)) * 5000
    path = tmp_path / "media.bin"
    path.write_bytes(content)
    assert digest_file(path) == digest(content)
    assert len(digest(b"")) == 32
