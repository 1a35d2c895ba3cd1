"""One thing that moved the gate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kit.baseline.accepted import CellId

Level = Literal["warn", "block"]
Rule = Literal[
    "regression",
    "missing",
    "error",
    "skip",
    "new",
    "new_failures",
    "no_baseline",
    "success_rate",
    "success_rate_min",
    "avg_cost",
    "p95_latency",
    "drift",
    "stale",
]


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that moved the gate.

    Attributes:
        level: how far it moved it.
        rule: which rule it was.
        what: a sentence for a person.
        cell: what it is about; None where it is about the whole run.
    """

    level: Level
    rule: Rule
    what: str
    cell: CellId | None = None

    @property
    def subject(self) -> str:
        """What an override has to answer for: the cell, or the metric."""
        return str(self.cell) if self.cell is not None else self.rule
