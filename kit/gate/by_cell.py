"""Rules that look at one scenario at a time: a fix elsewhere never hides what got worse here (G06)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kit.baseline.compare import Change
from kit.gate.reason import Level, Reason
from kit.gate.thresholds import Thresholds


def reasons(changes: Sequence[Change], limits: Thresholds) -> Iterator[Reason]:
    """Everything that single cells say, in their order; who fell from pass to fail always warns at least."""
    levels = _levels(changes, limits)
    for change in changes:
        if change.kind == "worse" and change.after is not None:
            yield _regression(change, change.after.category, levels)
        elif (found := _other(change, limits)) is not None:
            yield found


def _levels(changes: Sequence[Change], limits: Thresholds) -> dict[str, Level]:
    """How the regressions of each category with limits of its own count; replicates are one scenario."""
    fallen: dict[str, set[tuple[str, str]]] = {}
    for change in changes:
        if change.kind == "worse" and change.after is not None:
            cell = change.cell
            fallen.setdefault(change.after.category, set()).add((cell.scenario, cell.variant))
    return {
        category: "block" if limit.block is not None and len(fallen[category]) >= limit.block else "warn"
        for category, limit in limits.categories.items()
        if category in fallen
    }


def _regression(change: Change, category: str, levels: dict[str, Level]) -> Reason:
    named = f" ({category})" if category in levels else ""
    what = f"{change.cell}{named} was accepted as pass and fails{_why(change.new_failures)}"
    return Reason(levels.get(category, "warn"), "regression", what, change.cell)


def _other(change: Change, limits: Thresholds) -> Reason | None:
    cell = change.cell
    if change.kind == "missing":
        return Reason(limits.missing, "missing", f"{cell} was accepted and is missing", cell)
    if change.kind == "error":
        return Reason("block", "error", f"{cell} has no verdict, it ended in an error", cell)
    if change.kind == "skip" and change.before is not None:
        return Reason("warn", "skip", f"{cell} was accepted and was skipped", cell)
    if change.kind == "new" and change.after is not None and change.after.verdict == "fail":
        return Reason("warn", "new", f"{cell} is new and fails{_why(change.new_failures)}", cell)
    if change.kind == "same" and change.new_failures:
        what = f"{cell} failed before and has new failures{_why(change.new_failures)}"
        return Reason("warn", "new_failures", what, cell)
    return None


def _why(failures: tuple[str, ...]) -> str:
    return f": {'; '.join(failures)}" if failures else ""
