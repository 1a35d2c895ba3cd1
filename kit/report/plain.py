"""Texts of a model, shown to a terminal as text: none of them moves a cursor or clears a screen."""

from __future__ import annotations

import re

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but for line feed and tab, and those that turn the direction of writing."""


def plain(text: str) -> str:
    r"""The text with every control character as its escape, `\x1b`."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
