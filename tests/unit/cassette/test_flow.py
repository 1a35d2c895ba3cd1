"""Quoted scalars, and collections in one line."""

from __future__ import annotations

from typing import Any

import pytest

from kit.cassette import flow
from kit.cassette.marks import Args, IdRef, JsonNumber


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{}", {}),
        ("[]", []),
        ("{a: 1, b: two words, c: -2}", {"a": 1, "b": "two words", "c": -2}),
        ("{'it''s': 'a, b', \"c\": \"d\\n\"}", {"it's": "a, b", "c": "d\n"}),
        ("[[1, {a: []}], null]", [[1, {"a": []}], None]),
        ("{a: !id call-1, b: !args.spaced {c: 1}}", {"a": IdRef("call-1"), "b": Args("spaced", {"c": 1})}),
        ("[!json 1e5, true]", [JsonNumber("1e5"), True]),
    ],
)
def test_a_collection_in_one_line_is_read(text: str, value: Any) -> None:
    """Whatever it nests, as kit writes it."""
    assert flow.read(text, 1) == value


@pytest.mark.parametrize(
    "text",
    [
        *(
            "{a: 1} # x",
            "{a: 1",
            "[1,2]",
            "{a: 1, a: 2}",
            "{a:1}",
            "[a:b]",
            "[ 1]",
            "{a: &b 1}",
            "{a: *b}",
            "[1, ]",
        ),
        *("{? a: 1}", '["\\q"]', '["\\ud800"]', "[!x {a: 1}]", "[-]", "[a #b]", "{a: 1, b: 2, a: {}}"),
    ],
)
def test_another_spelling_is_left_to_the_yaml_parser(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises((flow.UnusualError, IndexError, LookupError)):
        flow.read(text, 1)


def test_nesting_has_a_bound() -> None:
    """A line made to exhaust the stack does not."""
    with pytest.raises(flow.UnusualError):
        flow.read("[" * 1000 + "]" * 1000, 1)


def test_quoted_texts_are_unquoted() -> None:
    """Doubled quotes and the escapes that kit writes."""
    assert flow.single_quoted("'it''s'") == "it's"
    assert flow.double_quoted('"\\x1b\\u2028\\\\ \\"\\t"') == '\x1b\u2028\\ "\t'


@pytest.mark.parametrize("text", ["'a' 'b'", "'a", "'", "'a'b'"])
def test_a_text_that_ends_early_is_no_single_quoted_one(text: str) -> None:
    """What follows the quote would be lost."""
    with pytest.raises(flow.UnusualError):
        flow.single_quoted(text)


@pytest.mark.parametrize("text", ['"a" "b"', '"a', '"', '"a\\"'])
def test_a_text_that_ends_early_is_no_double_quoted_one(text: str) -> None:
    """What follows the quote would be lost."""
    with pytest.raises(flow.UnusualError):
        flow.double_quoted(text)


@pytest.mark.parametrize(
    ("text", "may"), [("a", True), ("-1", True), ("- a", False), ("-a", False), ("&a", False), ("é", True)]
)
def test_some_beginnings_mean_something_else(text: str, *, may: bool) -> None:
    """Indicators of YAML begin no plain scalar."""
    assert flow.may_begin(text) is may
