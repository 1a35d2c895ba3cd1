"""What the home agent makes of tool arguments as models write them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.agents.arguments import ArgumentsError, read_arguments
from tests.fakes.examples import costly

OBJECTS = st.dictionaries(
    st.text(max_size=8),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=12),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)


@costly(30)
@given(OBJECTS)
def test_valid_arguments_are_taken_as_they_are(value: dict[str, Any]) -> None:
    """What parses needs no repair and loses nothing."""
    assert read_arguments(json.dumps(value), is_cut=False) == value


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("", {}),
        ('```json\n{"path": "/a"}\n```', {"path": "/a"}),
        ('```\n{"path": "/a"}```', {"path": "/a"}),
        ('{"path": "/a"} I will now read it.', {"path": "/a"}),
        ('{"path": "/a"}}', {"path": "/a"}),
        ("{'path': '/a', 'deep': True}", {"path": "/a", "deep": True}),
        ('{"path": "/a"', {"path": "/a"}),
        ('{"paths": ["/a", "/b"', {"paths": ["/a", "/b"]}),
        ('"{\\"path\\": \\"/a\\"}"', {"path": "/a"}),
        ('{"path": "a } in \\" a string"', {"path": 'a } in " a string'}),
    ],
)
def test_safe_repairs(raw: str, wanted: dict[str, Any]) -> None:
    """Fences, trailing text, single quotes, double encoding and missing brackets have one reading only."""
    assert read_arguments(raw, is_cut=False) == wanted


@pytest.mark.parametrize(
    "raw",
    [
        '{"path": "/tm',
        '{"path": ',
        "read the file /a",
        "[1, 2]",
        "null",
        '"just a string"',
        '{"a": [1}',
        "{'a': print(1)}",
        '{"a": NaN}',
        '{"a": "\\ud83d"}',
        "{" * 100_000,
        '{"a":' + "[" * 100_000,
    ],
)
def test_what_has_no_single_reading_is_refused(raw: str) -> None:
    """An open string is never closed, a value never added, nothing guessed, and nothing crashes."""
    with pytest.raises(ArgumentsError, match="no valid JSON object"):
        read_arguments(raw, is_cut=False)


def test_arguments_cut_at_the_token_limit_are_not_repaired() -> None:
    """A missing brace after the limit may hide half a text to write."""
    with pytest.raises(ArgumentsError, match="cut off at the token limit"):
        read_arguments('{"path": "/a"', is_cut=True)


def test_arguments_that_are_whole_survive_a_cut_answer() -> None:
    """The limit may fall behind the call."""
    assert read_arguments('{"path": "/a"}', is_cut=True) == {"path": "/a"}
