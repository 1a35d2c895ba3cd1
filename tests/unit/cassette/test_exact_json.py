"""JSON read without loss."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.exact_json import NotJsonError, dumps_exact, has_big_float, loads_exact

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e15, 1e15) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(PLAIN)
def test_plain_values_are_read_as_they_are(value: object) -> None:
    """What Python holds without loss needs no tag."""
    assert loads_exact(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"1e20", b"100000000000000000000"),
        (b"1e400", b"1e401"),
        (b"NaN", b'"NaN"'),
        (b"9007199254740993.0", b"9007199254740992.0"),
        (b'{"a":1,"a":2}', b'{"a":2,"a":1}'),
        (b"1" * 5000, b"1" * 4999 + b"2"),
    ],
)
def test_what_values_would_blur_stays_apart(one: bytes, other: bytes) -> None:
    """Rounded numbers and duplicate keys keep their text."""
    assert dumps_exact(loads_exact(one)) != dumps_exact(loads_exact(other))


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b"{'a':1}"])
def test_other_bytes_are_no_json(body: bytes) -> None:
    """Broken text, broken encoding and bottomless nesting are one error."""
    with pytest.raises(NotJsonError):
        loads_exact(body)


def test_big_floats_are_found_anywhere() -> None:
    """From 2^53 on a float may be a rounded integer."""
    assert has_big_float({"a": [1, {"b": 2.0**53}]})
    assert has_big_float(float("nan"))
    assert not has_big_float({"a": [2**60, 1.5, "x", None]})
