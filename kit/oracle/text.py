"""Comparing text as people read it: case and Unicode spelling do not count, words do."""

from __future__ import annotations

import unicodedata

SHOWN = 160
"""Characters of a text that a reason quotes."""


def normal(text: str) -> str:
    """Unicode NFC: one spelling for `ì`, however it was typed."""
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """A form in which two texts are equal that differ in case or Unicode spelling only."""
    return normal(normal(text).casefold())


def contains(text: str, part: str, *, case_sensitive: bool = False) -> bool:
    """Whether `part` occurs in `text`, whatever its case and Unicode spelling (S2-19)."""
    return normal(part) in normal(text) if case_sensitive else fold(part) in fold(text)


def plain(text: str) -> str:
    """The folded text without accents, for words that people type with or without them (`Sì`, `si`)."""
    letters = unicodedata.normalize("NFD", fold(text))
    return normal("".join(letter for letter in letters if not unicodedata.combining(letter)))


def quoted(text: str, limit: int = SHOWN) -> str:
    """The text in quotes on one line, cut where it is long, for a reason that a person reads."""
    line = " ".join(text.split())
    return f"«{line}»" if len(line) <= limit else f"«{line[:limit].rstrip()}…» ({len(text)} characters)"


def listed(items: tuple[str, ...], joint: str = "or") -> str:
    """`'a', 'b' or 'c'`: alternatives as a person lists them."""
    shown = [repr(item) for item in items]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {joint} {shown[-1]}"


def counted(number: int, noun: str) -> str:
    """`1 call`, `2 calls`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def in_steps(steps: tuple[int, ...]) -> str:
    """` (step 3)`, ` (steps 3, 7)`, or nothing: where a reason's evidence stands in the trace."""
    if not steps:
        return ""
    return f" (step{'s' if len(steps) > 1 else ''} {', '.join(map(str, steps))})"
