"""A recorded run as a person reads it, for `kit show` and after a tape."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from kit.cassette.header import Header
from kit.report.figures import usd
from kit.trace.conversation import Item

_MARK = {"message": "", "answer": "", "call": "-> ", "server": "+> ", "tool": "<- ", "http": "~ "}
LONG = 12
"""Lines of one message that are shown without `full`."""
_PIECE = 10_000
"""Characters that are wrapped at once: `textwrap` needs the square of a word's length."""


def render_header(header: Header) -> str:
    """Where the cassette comes from, one fact a line."""
    name = f"{header.suite}/{header.scenario}" if header.suite else header.scenario
    facts = [
        (
            "cassette",
            f"{name}{f'.{header.variant}' if header.variant else ''} (replicate {header.replicate})",
        ),
        ("model", header.model or "unknown"),
        ("server", header.server),
        ("sampling", ", ".join(f"{key} {value}" for key, value in header.sampling.items()) or None),
        ("agent", header.agent),
        ("recorded", _recorded(header)),
        ("cost", usd(header.cost_micro_usd)),
        ("verdict", header.verdict),
    ]
    return "\n".join(f"{name:<9} {value}" for name, value in facts if value is not None)


def _recorded(header: Header) -> str:
    if header.imported is not None:
        return f"{header.recorded}, not by kit: imported from {header.imported} by kit {header.kit}"
    return f"{header.recorded} by kit {header.kit}" + (f", commit {header.commit}" if header.commit else "")


def render(items: Sequence[Item], *, full: bool = False, width: int = 100) -> str:
    """The conversation, each message once; long ones are cut to `LONG` lines without `full`."""
    return "\n".join(line for item in items for line in _lines(item, full=full, width=width))


def _lines(item: Item, *, full: bool, width: int) -> Iterator[str]:
    note = f"  [{item.note}]" if item.note else ""
    text = f"{item.who}({item.text})" if item.kind == "call" else item.text
    if item.kind == "call":
        yield f"{item.number:>3}  {_MARK[item.kind]}{text}{note}"
        return
    yield f"{item.number:>3}  {_MARK[item.kind]}{item.who}{note}"
    wrapped = [part for line in text.splitlines() for part in _wrapped(line, width - 9)]
    shown = wrapped if full or len(wrapped) <= LONG else wrapped[:LONG]
    yield from (f"       {line}".rstrip() for line in shown)
    if len(shown) < len(wrapped):
        yield f"       ... {len(wrapped) - len(shown)} more lines (--full shows them)"


def _wrapped(line: str, width: int) -> Iterator[str]:
    for start in range(0, len(line) or 1, _PIECE):
        piece = line[start : start + _PIECE]
        yield from textwrap.wrap(piece, width, replace_whitespace=False, drop_whitespace=False) or [""]
