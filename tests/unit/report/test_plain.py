"""Texts of a model, shown as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.report.plain import plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("città\tè\nqui 🙂", "città\tè\nqui 🙂"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\rb\x07\x00\x7f", r"a\rb\x07\x00\x7f"),
        ("\x9b2J", r"\x9b2J"),
        ("safe\u202etxt", r"safe\u202etxt"),
    ],
)
def test_controls_are_shown(text: str, shown: str) -> None:
    """Escapes, carriage returns and turned directions are seen; letters, line feeds and tabs stay."""
    assert plain(text) == shown


@given(st.text())
def test_once_is_enough(text: str) -> None:
    """Plain text is its own plain text."""
    assert plain(plain(text)) == plain(text)
