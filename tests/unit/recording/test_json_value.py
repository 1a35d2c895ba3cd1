"""What may cross the boundary of a tool."""

from __future__ import annotations

import enum
import json
from collections import OrderedDict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.errors import UsageError
from kit.recording.json_value import to_json_value
from tests.fakes.examples import costly

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@costly(30)
@given(json_values)
def test_json_values_come_back_equal_and_as_copies(value: Any) -> None:
    """Nothing is lost, and a change of the copy does not reach the original."""
    copy = to_json_value(value, "x")
    assert copy == value
    assert json.loads(json.dumps(copy)) == value
    if isinstance(value, list | dict):
        assert copy is not value


def test_relatives_of_the_json_types_become_plain() -> None:
    """A tuple is a list, a string enumeration its value, a mapping an object."""

    class Color(enum.StrEnum):
        RED = "red"

    value = to_json_value(OrderedDict(a=(1, Color.RED)), "x")
    assert value == {"a": [1, "red"]}
    assert [type(item) for item in value["a"]] == [int, str]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (object(), "the result is a object"),
        ({"a": [{1, 2}]}, r"the result\.a\[0\] is a set"),
        ({1: "a"}, "the result has the key 1"),
        (float("nan"), "the result is nan"),
        (b"bytes", "the result is a bytes"),
    ],
)
def test_what_is_no_json_is_refused_at_its_place(value: Any, said: str) -> None:
    """The message says where in the value it stands, and what to do."""
    with pytest.raises(UsageError, match=said) as refused:
        to_json_value(value, "the result")
    assert "convert it" in str(refused.value)
