"""What accepting would change, before it is written."""

from __future__ import annotations

from collections.abc import Sequence

from kit.baseline.plan import Entry
from kit.report.figures import plural


def render(entries: Sequence[Entry]) -> str:
    """One block a cell that changes, and how many stay as they are."""
    lines = []
    for entry in entries:
        if entry.action == "keep":
            continue
        cell = entry.change.cell
        lines.append(f"{entry.action:<7} {cell.suite}/{cell} on {cell.model}")
        lines += [f"          {line}" for line in entry.differences()]
    kept = sum(entry.action == "keep" for entry in entries)
    if kept:
        lines.append(f"{plural(kept, 'baseline')} unchanged")
    return "\n".join(lines)
