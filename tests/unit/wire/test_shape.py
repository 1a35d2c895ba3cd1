"""JSON values of any shape, read as if they had the right one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.shape import (
    as_object,
    compact,
    in_path,
    objects,
    path_of,
    prose,
    read_count,
    request_object,
    text_or_none,
    total,
    without,
)


@pytest.mark.parametrize("count", [None, "3", 3.0, True, -1])
def test_a_count_that_is_none_is_unknown(count: object) -> None:
    """A token count is an integer or it is not known (X-05)."""
    assert read_count({"prompt_tokens": count}, "prompt_tokens") is None
    assert read_count(count, "prompt_tokens") is None


def test_zero_is_a_count() -> None:
    """None is never 0, and 0 is never None."""
    assert read_count({"prompt_tokens": 0}, "prompt_tokens") == 0


def test_what_has_another_shape_is_missing() -> None:
    """A reader never has to ask what a server's value is."""
    assert as_object({"a": 1}) == {"a": 1}
    assert as_object(["a"]) == {}
    assert objects([{"a": 1}, 2, None]) == [{"a": 1}]
    assert objects({"a": 1}) == []
    assert text_or_none("") is None
    assert text_or_none(1) is None
    assert without({"a": 1, "b": 2}, "a") == {"b": 2}


def test_unknown_counts_do_not_make_a_sum() -> None:
    """A sum of nothing known is unknown, and a zero that is known is not (X-05)."""
    assert total(None, None) is None
    assert total(None, 0) == 0
    assert total(2, None, 3) == 5


def test_neighbours_run_on_and_what_stands_between_makes_a_paragraph() -> None:
    """Cited answers come in pieces of a sentence; a tool between two texts parts them."""
    assert prose(["a", "b", None, None, "c", None]) == "ab\n\nc"
    assert prose([None, "", None]) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [("as it is", "as it is"), ({"a": [1]}, '{"a":[1]}'), (2**70, str(2**70)), (None, "null")],
)
def test_a_value_is_written_without_blanks(value: object, text: str) -> None:
    """A text is not put in quotes: it is what a person reads."""
    assert compact(value) == text


def test_a_value_nested_too_deeply_is_told_as_such() -> None:
    """A hostile body cannot exhaust the stack."""
    value: object = "x"
    for _ in range(100_000):
        value = [value]
    assert compact(value) == "(nested too deeply)"


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"3"])
def test_a_body_that_is_no_object_says_so(body: bytes) -> None:
    """The request was made all the same; it only says nothing readable."""
    value, error = request_object(body)
    assert value == {}
    assert error is not None


def test_a_name_is_found_in_a_path_with_its_percent_signs_resolved() -> None:
    """AWS clients escape the colon of a model's name."""
    url = "https://h/model/us.amazon.nova-pro-v1%3A0/converse?x=/model/y/converse"
    assert in_path(re.compile(r"/model/(.+)/converse\Z"), url) == "us.amazon.nova-pro-v1:0"
    assert in_path(re.compile("(x)"), "") is None


@given(st.text(max_size=60))
def test_any_address_has_a_path(url: str) -> None:
    """An address that cannot be read has an empty one."""
    assert isinstance(path_of(url), str)
    assert path_of("http://[::1/x") == ""
