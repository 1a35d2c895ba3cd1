"""From what changed to pass, warn or block, with reasons; a plain function on values.

This is the rule that holds before there are thresholds (decision 14). Rates, cost, latency and floors become
further fields of `Facts` and further rules beside `_of_change`; the worst reason wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kit.baseline.accepted import CellId
from kit.baseline.compare import Change

Gate = Literal["pass", "warn", "block"]
Level = Literal["warn", "block"]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a decision may look at.

    Attributes:
        changes: one a cell of one suite and one model, against what was accepted.
    """

    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that moved the gate.

    Attributes:
        level: how far it moved it.
        what: a sentence for a person.
        cell: what it is about; None where it is about the whole run.
    """

    level: Level
    what: str
    cell: CellId | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate says.

    Attributes:
        gate: `block` stops a merge, `warn` is told, `pass` has no reasons.
        reasons: everything that moved it, blocking ones first.
    """

    gate: Gate
    reasons: tuple[Reason, ...]


def decide(facts: Facts) -> Decision:
    """Judge a run against what was accepted; the worst reason wins.

    Blocks on what was accepted as pass and fails now, on an accepted scenario that runs no more, and on an
    error, whose own exit code counts before the gate's. Warns of what fails and was never accepted, of new
    failures of what failed before, and of what was skipped though it was accepted. A worse result never gives
    a milder gate.
    """
    found = [reason for change in facts.changes if (reason := _of_change(change)) is not None]
    if facts.changes and all(change.before is None for change in facts.changes):
        found.append(Reason("warn", "no baseline: nothing of this suite and model was accepted yet"))
    reasons = tuple(sorted(found, key=lambda reason: reason.level))  # stable: block stands before warn
    return Decision(reasons[0].level if reasons else "pass", reasons)


def _of_change(change: Change) -> Reason | None:
    cell = change.cell
    if change.kind == "worse":
        return Reason("block", f"{cell} was accepted as pass and fails{_why(change.new_failures)}", cell)
    if change.kind == "missing":
        return Reason("block", f"{cell} was accepted and is missing", cell)
    if change.kind == "error":
        return Reason("block", f"{cell} has no verdict, it ended in an error", cell)
    if change.kind == "skip" and change.before is not None:
        return Reason("warn", f"{cell} was accepted and was skipped", cell)
    if change.kind == "new" and change.after is not None and change.after.verdict == "fail":
        return Reason("warn", f"{cell} is new and fails{_why(change.new_failures)}", cell)
    if change.kind == "same" and change.new_failures:
        return Reason("warn", f"{cell} failed before and has new failures{_why(change.new_failures)}", cell)
    return None


def _why(failures: tuple[str, ...]) -> str:
    return f": {'; '.join(failures)}" if failures else ""
