"""`baselines/regressions.md`: every regression that a stated reason let through, one line a commit (S2-37).

Only ever appended to. An entry names a commit that exists already, so it is part of a later one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

LOG = "baselines/regressions.md"
HEAD = """\
# Regressions that were let through

A commit with `eval-override: <reason>` in its message passes a gate that blocks. Each one stands here;
kit appends, nobody edits or removes.

| commit | date | what got worse | reason |
|---|---|---|---|
"""
_CELL = re.compile(r"(?<!\\)\|")
_ID = re.compile(r"`([0-9a-f]{7,64})`")

Blocked = Mapping[str, tuple[str, ...]]
"""What blocks, by `suite on model`: ids of cells and names of metrics."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One override.

    Attributes:
        commit: whole id of the commit that states it.
        date: when that commit was first written, ISO 8601.
        blocked: what it let through.
        reason: as stated.
    """

    commit: str
    date: str
    blocked: Blocked
    reason: str

    def is_about(self, commit: str, date: str, reason: str) -> bool:
        """Whether this is a commit's entry; a rebase changes the id, and neither date nor reason."""
        return self.commit == commit or (self.date, self.reason) == (date, _one_line(reason))

    def covers(self, blocked: Blocked) -> bool:
        """Whether all of that was let through here."""
        return all(set(what) <= set(self.blocked.get(where, ())) for where, what in blocked.items())


def line_of(entry: Entry) -> str:
    """The entry as it stands in the log, without its line end."""
    what = "; ".join(f"{where}: {', '.join(names)}" for where, names in entry.blocked.items())
    cells = (f"`{entry.commit}`", entry.date, _escaped(what), _escaped(_one_line(entry.reason)))
    return f"| {' | '.join(cells)} |"


def appended(text: str, entry: Entry) -> str:
    """The log with one more entry; what stood there stays as it was, byte for byte."""
    text = text or HEAD
    return f"{text}{'' if text.endswith(chr(10)) else chr(10)}{line_of(entry)}\n"


def entries(text: str) -> tuple[Entry, ...]:
    """All entries of a log; other lines are somebody's prose."""
    return tuple(entry for line in text.splitlines() if (entry := _entry(line)) is not None)


def lost_lines(before: str, now: str) -> tuple[str, ...]:
    """Entries that a log had and has no more: it was edited, and not by kit."""
    kept = {line.strip() for line in now.splitlines()}
    return tuple(
        line for line in before.splitlines() if _entry(line) is not None and line.strip() not in kept
    )


def together(found: Iterable[Entry]) -> Blocked:
    """Everything that some entries let through."""
    union: dict[str, tuple[str, ...]] = {}
    for entry in found:
        for where, names in entry.blocked.items():
            union[where] = tuple(dict.fromkeys((*union.get(where, ()), *names)))
    return union


def uncovered(blocked: Blocked, let_through: Blocked) -> dict[str, tuple[str, ...]]:
    """What blocks and no entry answers for."""
    left = {
        where: tuple(name for name in names if name not in let_through.get(where, ()))
        for where, names in blocked.items()
    }
    return {where: names for where, names in left.items() if names}


def _entry(line: str) -> Entry | None:
    cells = [cell.strip().replace("\\|", "|") for cell in _CELL.split(line.strip())]
    if len(cells) != 6 or (commit := _ID.fullmatch(cells[1])) is None:
        return None
    blocked: dict[str, tuple[str, ...]] = {}
    for part in cells[3].split("; "):
        where, _, names = part.rpartition(": ")
        blocked[where] = tuple(names.split(", "))
    return Entry(commit[1], cells[2], blocked, cells[4])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
