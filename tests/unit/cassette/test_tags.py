"""Scalars and tags of format v1."""

from __future__ import annotations

from typing import Any

import pytest

from kit.cassette import tags
from kit.cassette.marks import AnswerRef, IdRef, JsonNumber, RawBytes, RawText, ResultRef


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("", None),
        ("true", True),
        ("NaN", JsonNumber("NaN")),
        ("0", 0),
        ("-0", JsonNumber("-0")),
        ("007", "007"),
        ("12", 12),
        ("123456789012345678901234", 123456789012345678901234),
        ("1.5", 1.5),
        ("1e5", JsonNumber("1e5")),
        ("2026-01-01", "2026-01-01"),
        ("١٢", "١٢"),
        ("No", "No"),
    ],
)
def test_a_plain_scalar_is_what_json_would_mean(text: str, value: Any) -> None:
    """Words and numbers are JSON's, whatever else YAML takes for one."""
    found = tags.plain(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("tag", "text", "value"),
    [
        ("!id", "call-1", IdRef("call-1")),
        ("!text", "a", RawText("a")),
        ("!answer", "3", AnswerRef(3)),
        ("!answer", "3.1", AnswerRef(3, 1)),
        ("!result.indent2", "4", ResultRef(4, "indent2")),
        ("!json", "1e5", JsonNumber("1e5")),
        ("!base64", "YQ==", RawBytes(b"a")),
    ],
)
def test_a_tag_says_what_its_scalar_stands_for(tag: str, text: str, value: Any) -> None:
    """Each tag of format v1 has its mark."""
    assert tags.tagged(tag, text) == value


@pytest.mark.parametrize(("tag", "text"), [("!answer", "x"), ("!base64", "?"), ("!json", "{")])
def test_a_tag_with_a_value_it_cannot_have_is_refused(tag: str, text: str) -> None:
    """A damaged value is no other value."""
    with pytest.raises(ValueError, match=r"."):
        tags.tagged(tag, text)


@pytest.mark.parametrize("tag", ["!secret", "!result.wide"])
def test_an_unknown_tag_or_style_is_told_from_a_wrong_value(tag: str) -> None:
    """The message names what is allowed."""
    with pytest.raises(tags.UnknownTagError, match="allowed: "):
        tags.tagged(tag, "1")
