"""Differences between JSON values, told for people."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.differences import brief, differences, same, shared_ends, spoken
from tests.fakes.examples import costly

VALUE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False)
    | st.text("ab{}\n ‹", max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=10,
)


def found(old: Any, new: Any) -> list[tuple[str, str, str]]:
    """Differences as plain tuples."""
    return [(item.path, item.old, item.new) for item in differences(old, new, "x")]


@costly(30)
@given(VALUE, VALUE)
def test_there_is_a_difference_unless_equal(old: Any, new: Any) -> None:
    """Something is told if and only if the values differ as JSON; each place is told on one line."""
    told = list(differences(old, new))
    assert bool(told) == (not same(old, new))
    assert not any("\n" in item.old + item.new for item in told)
    assert list(differences(old, old)) == []


def test_lists_are_aligned_at_both_ends() -> None:
    """One item inserted in front is one difference, not a changed rest."""
    assert found([1, 2, 3], [0, 1, 2, 3]) == [("x[0]", "(absent)", "0")]
    assert found([1, 2, 3], [1, 3]) == [("x[1]", "2", "(absent)")]
    assert found([1, 2, 3], [1, 5, 6, 3]) == [("x[1]", "2", "5"), ("x[2]", "(absent)", "6")]


def test_python_equality_is_not_json_equality() -> None:
    """1, 1.0 and true are told apart."""
    assert found([1, 1], [True, 1.0]) == [("x[0]", "1", "true"), ("x[1]", "1", "1.0")]


def test_json_inside_text_is_compared_as_json() -> None:
    """Tool arguments differ in a member, not in a text; another spelling alone is told as text."""
    assert found('{"a": 1, "b": [2]}', '{"a":1,"b":[3]}') == [("x.b[0]", "2", "3")]
    assert found('{"a": 1}', '{"a":1}') == [("x", '{"a":‹ 1›}', '{"a":‹1›}')]
    assert found('{"a": 1}', '{"a":') == [("x", '{"a":‹ 1}›', '{"a":‹›')]
    assert found("{}", "[1]") == [("x", "‹{}›", "‹[1]›")]


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("read the log now", "read the file now", ("read the ‹log› now", "read the ‹file› now")),
        ("answer briefly", "answer boldly", ("answer ‹briefly›", "answer ‹boldly›")),
        ("a\nb", "a\tb\x00", ("‹a⏎b›", "‹a b\\u0000›")),
        ("", "x", ("‹›", "‹x›")),
        (
            "The quick brown fox jumps over the lazy dog, and then it sleeps until the morning",
            "The quick brown fox jumps over the lazy cat, and then it sleeps until the morning",
            (
                "… fox jumps over the lazy ‹dog›, and then it sleeps until …",
                "… fox jumps over the lazy ‹cat›, and then it sleeps until …",
            ),
        ),
        ("x" * 90, "y", ("‹" + "x" * 44 + "…›", "‹y›")),
    ],
)  # fmt: skip
def test_texts_are_shown_around_their_difference(old: str, new: str, shown: tuple[str, str]) -> None:
    """Whole words, some context, one line."""
    assert found(old, new) == [("x", *shown)]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ({"role": "user", "content": "hi\nthere"}, "user «hi⏎there»"),
        ({"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image"}]}, "user «hi»"),
        (
            {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]},
            "assistant calls f {}",
        ),
        ({"type": "function_call", "name": "f", "arguments": '{"a":1}'}, 'assistant calls f {"a":1}'),
        ({"type": "function_call_output", "output": "1"}, "function_call_output «1»"),
        ({"role": "user", "parts": [{"text": "hi"}]}, "user «hi»"),
        ({"role": "assistant", "content": None}, ""),
        ("text", ""),
    ],
)
def test_a_message_is_told_as_who_says_what(message: Any, told: str) -> None:
    """Readers want to see the sentence, not its JSON."""
    assert spoken(message) == told


def test_values_are_shortened() -> None:
    """A long value ends in an ellipsis; a message without text is shown as JSON."""
    assert brief("x" * 200) == "x" * 83 + "…"
    assert brief({"role": "assistant", "content": None}) == '{"role": "assistant", "content": null}'
    assert brief({"role": "user", "content": "hi"}) == "user «hi»"


def test_shared_ends_never_overlap() -> None:
    """An item counts for the beginning or for the end, not for both."""
    assert shared_ends("aa", "aaa") == (2, 0)
    assert shared_ends("abc", "xbc") == (0, 2)
    assert shared_ends("", "x") == (0, 0)
