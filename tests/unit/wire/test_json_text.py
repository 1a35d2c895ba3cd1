"""JSON out of bytes that anybody may have sent."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.json_text import excerpt, parse_json, without_twins


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a":1}', {"a": 1}),
        ('"é"', "é"),
        (b"123456789012345678901234567890", 123456789012345678901234567890),
        (b'"\\ud800"', "\ud800"),
        (b"null", None),
    ],
)
def test_values_are_read_exactly(text: bytes | str, value: object) -> None:
    """Big integers and lone surrogates, which orjson refuses, are kept as they are."""
    assert parse_json(text) == value


def test_nan_is_read() -> None:
    """A server that writes NaN is not JSON's, but its answer is still readable."""
    assert math.isnan(parse_json(b"NaN"))


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe\xfa", b"[" * 100_000, "{'a': 1}"])
def test_unreadable_text_is_a_value_error(text: bytes | str) -> None:
    """Whatever is wrong, callers catch one exception."""
    with pytest.raises(ValueError):
        parse_json(text)


def test_a_name_that_stands_twice_is_refused() -> None:
    """At any depth, with its name; JSON itself would keep the last in silence."""
    text = '{"a": 1, "b": {"a": 2}}'
    assert json.loads(text, object_pairs_hook=without_twins) == json.loads(text)
    with pytest.raises(ValueError, match=r"^b stands there twice$"):
        json.loads('{"a": [{"c": 1, "b": 2, "b": 2}]}', object_pairs_hook=without_twins)


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(body: bytes) -> None:
    """A value or a ValueError, whatever the bytes."""
    try:
        parse_json(body)
    except ValueError:
        return


@given(st.binary(max_size=2000))
def test_an_excerpt_is_one_short_line(body: bytes) -> None:
    """It can stand in an error message."""
    text = excerpt(body)
    assert len(text) <= 80
    assert len(text.splitlines()) <= 1
