"""JSON bodies as values plus a hint."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette import body
from kit.cassette.marks import JsonNumber
from tests.fakes.examples import costly
from tests.fakes.json_values import odd_json, values


@costly(30)
@given(st.one_of(values.map(json.dumps), odd_json))
def test_what_is_read_is_written_again(text: str) -> None:
    """A body that has a hint comes back byte for byte."""
    found = body.read(text)
    if found is not None:
        assert body.write(*found).decode() == text


@given(values, st.sampled_from(list(body.SPACINGS)), st.sampled_from(body.ESCAPINGS))
def test_every_style_is_recognised(value: Any, spacing: str, escaping: str) -> None:
    """Whatever client wrote it, a body is shown as a value, never as raw text."""
    text = body.encode(value, f"{spacing} {escaping}")
    found = body.read(text)
    assert found is not None
    assert body.write(*found).decode() == text


@given(st.one_of(values.map(json.dumps), odd_json))
def test_the_quick_writer_writes_what_the_careful_one_does(text: str) -> None:
    """Or leaves it to that one: floats, numbers that are marks, lone surrogates."""
    found = body.read(text)
    if found is not None:
        assert body.write(found[0], {}) == body.encode(found[0]).encode()


@pytest.mark.parametrize(
    "text", ["[1e16]", "[1e+16]", "[-0.0]", "[1e-7]", "[1e-07]", "[0.1]", "[1e400]", '["\\ud800"]']
)
def test_a_number_keeps_its_spelling(text: str) -> None:
    """Whichever writer would spell it otherwise."""
    found = body.read(text)
    assert found is not None
    assert body.write(*found).decode() == text


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('{"a":"é"}', {}),
        ('{"a": "\\u00e9"}', {"style": "spaced ascii"}),
        ('["\\u003cb\\u003e"]', {"style": "go"}),
        ('["<\\/b>"]', {"style": "php"}),
        ('{\n  "a": 1\n}\n', {"style": "indent2", "after": "\n"}),
        ('\ufeff{"a":1}', {"before": "\ufeff"}),
        ("[NaN,1e5,-0,1.10,1e400]", {}),
        ("[123456789012345678901234567890]", {}),
    ],
)
def test_the_hint_says_only_what_is_unusual(text: str, hint: dict[str, str]) -> None:
    """Compact UTF-8 needs no hint at all."""
    found = body.read(text)
    assert found is not None
    assert found[1] == hint


@pytest.mark.parametrize(
    "text", ['{"a":1,"a":2}', '{"a": 1,"b":2}', '["\\u00e9é"]', "{", "", "[" * 50 + "]" * 50]
)
def test_what_cannot_be_written_again_is_no_value(text: str) -> None:
    """Duplicate keys, odd spacing, mixed escapes, broken and very deep JSON stay text."""
    assert body.read(text) is None


def test_numbers_keep_their_text() -> None:
    """A number that Python writes otherwise keeps the text of the body."""
    assert body.parse("[1,1.5,1e5,-0]") == [1, 1.5, JsonNumber("1e5"), JsonNumber("-0")]
    assert body.plain(body.parse("[1e5,-0,2]")) == [100000.0, 0, 2]


def test_endless_nesting_is_an_error_of_value() -> None:
    """A body that nobody can walk is refused as a value, it does not crash the writer."""
    with pytest.raises(ValueError, match="deep"):
        body.parse("[" * 100_000)


def test_unknown_styles_are_refused() -> None:
    """A hint that somebody edited wrongly is said, not guessed."""
    assert body.checked_hint({"style": "spaced"}) == {"style": "spaced"}
    for hint in ({"style": "wide"}, {"before": 1}, {"colour": "red"}):
        with pytest.raises(ValueError, match="style"):
            body.checked_hint(hint)


def test_odd_numbers_of_deep_values() -> None:
    """Whatever the depth, `JsonNumber` becomes the number it says."""
    value: Any = [JsonNumber("1.10"), {"a": JsonNumber("-0")}]
    for _ in range(3000):
        value = [value]
    found = body.plain_deep(value)
    for _ in range(3000):
        (found,) = found
    assert found == [1.1, {"a": 0.0}]
    assert body.plain_deep(JsonNumber("1e5")) == 100000.0
