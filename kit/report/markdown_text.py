"""Text inside Markdown: what a model said never becomes a heading, a link, a mention or a cell of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kit.report.plain import plain

_SPECIAL = re.compile(r"[\\`*\[\]<>|~&]|\$(?!\d)|(?<!\w)[_#@]|_(?!\w)")
_RUNS = re.compile(r"`+")


def prose(text: str) -> str:
    """A sentence on one line, its punctuation shown as it is; safe in a cell of a table."""
    return _SPECIAL.sub(_escaped, " ".join(plain(text).split()))


def quoted(text: str) -> str:
    """A text as code, inside a line: one line of it, in as many backticks as it takes."""
    line = " ".join(plain(text).split())
    ticks = "`" * (_longest_run(line) + 1)
    padding = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{padding}{line}{padding}{ticks}" if line else "` `"


def block(text: str) -> Iterator[str]:
    """A text whose lines and spaces mean something, as a block of code."""
    fence = "`" * max(3, _longest_run(text) + 1)
    yield f"{fence}text"
    yield from (line.rstrip() for line in plain(text).strip("\n").split("\n"))
    yield fence


def table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()
) -> Iterator[str]:
    """A table; cells are Markdown already.

    Args:
        columns: the heads.
        rows: as many cells each as there are heads.
        right: heads of the columns that hold numbers.
    """
    yield _row(columns)
    yield "|" + "|".join("--:" if column in right else "---" for column in columns) + "|"
    yield from map(_row, rows)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(found: re.Match[str]) -> str:
    return "&#64;" if found[0] == "@" else f"\\{found[0]}"


def _longest_run(text: str) -> int:
    return max(map(len, _RUNS.findall(text)), default=0)
