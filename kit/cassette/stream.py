"""Streams read back: the exact events from templates, columns and the assembled message.

The text of each kind of event stands once, as a template with slots; what varies is a column over the whole
stream. The pieces of a text that the assembled message shows are only lengths. So no dialect is needed for
exactness; `streams` knows some for the sake of the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import repeat
from typing import Any

from kit.cassette import body
from kit.cassette.assemble import Path, find
from kit.cassette.runlength import unpack, unpack_numbers, unpack_ranges

MARKS = ("«»", "⟦⟧", "‹›")
"""What encloses the name of a slot; the first pair that a stream's text does not hold."""

EVENT_PIECE = ("data: ", "\n\n")
"""What goes without saying around an event's text."""

WHOLE = "*"
"""In the place of a length: the whole text once more."""

_PATH = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_MOST = 10_000_000


def write(merged: Any, row: dict[str, Any]) -> bytes:
    """The bytes of a stream.

    Args:
        merged: the assembled answer, as a reviewer may have edited it.
        row: the exact events.

    Raises:
        ValueError: a row that does not fit together.
        KeyError: an unknown event or column.
    """
    marks = row.get("marks", MARKS[0])
    columns = _columns(merged, row)
    slot = re.compile(f"{re.escape(marks[0])}([^{re.escape(marks)}]*){re.escape(marks[1])}")
    templates = {letter: slot.split(_long(text)) for letter, text in row["events"].items()}
    out: list[str] = []
    try:
        for letter in unpack(row["order"]):
            parts = templates[letter]
            out.append(
                "".join([next(columns[part]) if place % 2 else part for place, part in enumerate(parts)])
            )
    except StopIteration:
        raise ValueError("a column of the stream is too short") from None
    return _framed(out, row["framing"]) if "framing" in row else "".join(out).encode("utf-8")


def _columns(merged: Any, row: dict[str, Any]) -> dict[str, Iterator[str]]:
    columns = {name: _column_values(column) for name, column in row.get("columns", {}).items()}
    for name, text in row.get("texts", {}).items():
        columns[name] = _pieces(merged, *text)
    for name, (where, style) in row.get("values", {}).items():
        columns[name] = repeat(body.encode(find(merged, parse_path(where)), style))
    for name, lengths in row.get("blanks", {}).items():
        columns[name] = (" " * length for length in unpack_numbers(lengths))
    return columns


def _framed(texts: list[str], framing: Any) -> bytes:
    from kit.cassette.frames import FRAMES, framed  # most cassettes hold no such stream

    if framing != FRAMES:
        raise ValueError(f"{framing!r} is no framing of a stream; allowed: {FRAMES}")
    return framed(texts)


def path_text(path: Path) -> str:
    """A path as a row names it: `choices[0].delta.content`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def parse_path(text: str) -> Path:
    """The path that a row names; another one than was written where a key holds a dot or a bracket."""
    return tuple(int(number) if number else key for number, key in _PATH.findall(text))


def _long(text: str | list[str]) -> str:
    return text[0] if isinstance(text, list) else text.join(EVENT_PIECE)


def _column_values(column: str | list[Any]) -> Iterator[str]:
    if isinstance(column, str):
        return iter(unpack_ranges(column))
    if len(column) == 1 and isinstance(column[0], str):
        return repeat(column[0])
    return _runs(column)


def _runs(column: list[Any]) -> Iterator[str]:
    for item in column:
        if isinstance(item, str):
            yield item
        else:
            token, count = item
            if not isinstance(count, int) or not 0 < count <= _MOST:
                raise ValueError(f"{item!r} is no run of tokens")
            yield from repeat(token, count)


def _pieces(merged: Any, where: str, lengths: str, style: str = "") -> Iterator[str]:
    """The pieces of a text; where somebody made it longer, the last piece takes the rest."""
    text = find(merged, parse_path(where))
    if not isinstance(text, str):
        raise ValueError(f"the streamed answer has no text at {where}")  # noqa: TRY004 - the file is wrong
    words = unpack(lengths)
    pieces = sum(word != WHOLE for word in words)
    at = number = 0
    for word in words:
        if word == WHOLE:
            yield body.encode(text, style)
            continue
        number += 1
        end = len(text) if number == pieces else at + int(word)
        yield body.encode(text[at:end], style)
        at = end
