"""From what changed to pass, warn or block, with reasons; a plain function on values (S2-32, S2-33)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kit.baseline.accepted import CellId
from kit.baseline.compare import Change
from kit.gate import by_cell, by_metric
from kit.gate.measures import compared, success_of_run
from kit.gate.reason import Reason
from kit.gate.thresholds import Thresholds

Gate = Literal["pass", "warn", "block"]


@dataclass(frozen=True, slots=True)
class DriftFact:
    """A difference between two traces that weighs something by its class.

    Verdict, cost and latency have rules of their own here, so drift of these classes is no fact of the gate.

    Attributes:
        severity: as `[tool.kit.drift]` says; `info` moves nothing.
        what: a sentence for a person.
        cell: whose traces.
    """

    severity: Literal["info", "warn", "block"]
    what: str
    cell: CellId


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a decision may look at.

    Attributes:
        changes: one a cell of one suite and one model, against what was accepted.
        drifts: what differs inside the traces.
        stale: recordings that no longer speak of what lies in the project, and why.
    """

    changes: tuple[Change, ...]
    drifts: tuple[DriftFact, ...] = ()
    stale: tuple[tuple[CellId, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate says.

    Attributes:
        gate: `block` stops a merge, `warn` is told, `pass` has no reasons.
        reasons: everything that moved it, blocking ones first.
    """

    gate: Gate
    reasons: tuple[Reason, ...]


def decide(facts: Facts, limits: Thresholds | None = None) -> Decision:
    """Judge a run against what was accepted; the worst reason wins.

    A worse result never gives a milder gate (S2-46 8). An error blocks too, but its own exit code counts
    before the gate's, and no override passes it (decision 14).

    Args:
        facts: what changed.
        limits: the thresholds of the model; the table of S2-32 by default.
    """
    limits = limits or Thresholds()
    changes = facts.changes
    found = list(by_cell.reasons(changes, limits))
    found += by_metric.reasons(*compared(changes), success_of_run(changes), limits)
    found += [
        Reason(drift.severity, "drift", drift.what, drift.cell)
        for drift in facts.drifts
        if drift.severity != "info"
    ]
    # Never more than a warning: only a miss proves that a recording does not hold (decision 11).
    found += [
        Reason("warn", "stale", f"the recording of {cell} is stale: {why}", cell) for cell, why in facts.stale
    ]
    if changes and limits.no_baseline != "pass" and all(change.before is None for change in changes):
        what = "no baseline: nothing of this suite and model was accepted yet"
        found.append(Reason(limits.no_baseline, "no_baseline", what))
    reasons = tuple(sorted(found, key=lambda reason: reason.level))  # stable: block stands before warn
    return Decision(reasons[0].level if reasons else "pass", reasons)
