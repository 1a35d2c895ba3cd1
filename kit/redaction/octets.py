"""What binary content says: its text if it is one, else its readable stretches and the keys in them."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from kit.redaction.shapes import SHAPES, Shape

_RUN = re.compile(rb"[\x20-\x7e\t\r\n]{8,}")
_START = 8192
_TEXTUAL = bytes([9, 10, 13, *range(32, 127)])
_MOST_ODD = 10
"""Of a text in an old encoding at most one sign in so many is no ASCII; of compressed bytes six in ten."""

Run = tuple[int, str]
"""A readable stretch and where it begins."""


def text_of(content: bytes) -> str | None:
    """The text of a file; None where it is binary."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    start = content[:_START]
    if b"\0" in start:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        odd = len(start.translate(None, _TEXTUAL))
        return content.decode("utf-8", "replace") if odd * _MOST_ODD <= len(start) else None


def runs_in(content: bytes) -> list[Run]:
    """The readable stretches of binary content, eight signs at least."""
    return [(run.start(), run[0].decode("ascii")) for run in _RUN.finditer(content)]


def keys_in(runs: Sequence[Run]) -> Iterator[tuple[int, str, str]]:
    """What has the look of a key in readable stretches: where, its kind, the secret.

    Only these rules: that something is named or of high entropy says nothing among bytes.
    """
    low = "\0".join(text for _, text in runs).lower()
    starts = [0, *accumulate(len(text) + 1 for _, text in runs)]
    for shape in SHAPES:
        for number in sorted(_candidates(shape, low, starts)):
            at, text = runs[number]
            for match in shape.pattern.finditer(text):
                group = 1 if match.re.groups and match[1] else 0
                if shape.is_real(match[group]):
                    yield at + match.start(group), shape.kind, match[group]


def _candidates(shape: Shape, low: str, starts: Sequence[int]) -> set[int]:
    """The stretches that hold a needle of a shape; most hold none, and the patterns are dear."""
    found: set[int] = set()
    for needle in shape.needles:
        place = low.find(needle)
        while place >= 0:
            number = bisect_right(starts, place) - 1
            found.add(number)
            place = low.find(needle, starts[number + 1])
    return found
