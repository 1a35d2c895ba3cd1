"""Spans keep their place through encodings."""

from __future__ import annotations

import json
from urllib.parse import quote_plus, unquote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.redaction.span import Span, form_decoded, json_decoded, json_places, merged, moved, replaced

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)


@given(TEXT, TEXT, TEXT, st.booleans())
def test_a_piece_of_a_json_string_is_found_again(
    before: str, piece: str, after: str, ascii_only: bool
) -> None:
    """Where a piece stands in the decoded text, its own spelling stands in the raw text."""
    raw = json.dumps(before + piece + after, ensure_ascii=ascii_only)[1:-1]
    text = json_decoded(raw)
    places = json_places(raw, text)
    assert text == before + piece + after
    [span] = moved([Span(len(before), len(before) + len(piece), piece)], 0, places)
    assert raw[span.start : span.end] == json.dumps(piece, ensure_ascii=ascii_only)[1:-1]


@given(TEXT, TEXT, TEXT)
def test_a_piece_of_a_form_value_is_found_again(before: str, piece: str, after: str) -> None:
    """The same for percent-encoding."""
    raw = quote_plus(before) + quote_plus(piece) + quote_plus(after)
    text, places = form_decoded(raw)
    assert text == before + piece + after == unquote_plus(raw)
    [span] = moved([Span(len(before), len(before) + len(piece), piece)], 0, places)
    assert raw[span.start : span.end] == quote_plus(piece)


@pytest.mark.parametrize("raw", ["\\x", "\\u12", "a\\"])
def test_invalid_escapes_are_taken_as_they_stand(raw: str) -> None:
    """Broken JSON is text, not an error."""
    assert json_decoded(raw) == raw
    assert json_places(raw, raw) is None


def test_lone_percent_signs_and_bytes_that_are_no_text() -> None:
    """Neither `100%` nor a byte that is no UTF-8 breaks the map."""
    assert form_decoded("100%&%zz")[0] == "100%&%zz"
    text, places = form_decoded("%ffx")
    assert (text[-1], list(places)) == ("x", [0, 3, 4])


def test_overlapping_spans_unite() -> None:
    """The longest says what the secret is; neighbours stay apart."""
    spans = [Span(5, 9, "b"), Span(0, 6, "long"), Span(1, 2, "x"), Span(9, 10, "c")]
    assert merged(spans) == [Span(0, 9, "long"), Span(9, 10, "c")]


def test_masks_stand_where_the_spans_were() -> None:
    """Rests of a secret vanish, quotes go around a mask that replaces a number."""
    spans = [Span(0, 1, "a"), Span(2, 3, "a", is_rest=True), Span(4, 5, "n", around='"')]
    assert replaced("a-a-1", spans, "<{}>".format) == '<a>--"<n>"'
