"""Text and keys in bytes."""

from __future__ import annotations

import pytest

from kit.redaction.octets import keys_in, runs_in, text_of

KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"plain", "plain"),
        ("wörd".encode(), "wörd"),
        ("wörd".encode("utf-16"), "\ufeffwörd".removeprefix("\ufeff")),
        ("some words, w\xf6rd".encode("latin-1"), "some words, w\ufffdrd"),
        (b"a\0b", None),
        (b"%PDF-1.7\n" + bytes(range(128, 256)) * 2, None),
    ],
)
def test_what_is_text(content: bytes, text: str | None) -> None:
    """UTF-8 and UTF-16, and old encodings with few odd signs."""
    assert text_of(content) == text


def test_readable_stretches() -> None:
    """Eight signs at least, with their places."""
    assert runs_in(b"\0\0shorter\0a line\nand more\xff") == [(10, "a line\nand more")]


def test_keys_are_found_where_they_stand() -> None:
    """Each stretch by itself: what stands in two of them is no key."""
    content = b"\0other words\0 x " + KEY.encode() + b" " + KEY.encode() + b"\xff"
    assert list(keys_in(runs_in(content))) == [(16, "GitHub token", KEY), (57, "GitHub token", KEY)]
    assert list(keys_in(runs_in(KEY[:12].encode() + b"\0" + KEY[12:].encode()))) == []
    assert list(keys_in([])) == []
