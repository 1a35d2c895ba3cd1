"""How the passes of each model went over time: counts side by side, never pooled (S4-33, S4-34)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kit.gate.floor import Floor
from kit.golden.passes import Pass


@dataclass(frozen=True, slots=True)
class Trend:
    """The passes of one model.

    Attributes:
        model: its tag.
        passes: in the order of their time.
        floor: of the model; None without an entry.
    """

    model: str
    passes: tuple[Pass, ...]
    floor: Floor | None = None

    @property
    def least(self) -> Pass:
        """The pass with the fewest hits."""
        return min(self.passes, key=lambda one: one.hits)

    @property
    def most(self) -> Pass:
        """The pass with the most hits."""
        return max(self.passes, key=lambda one: one.hits)

    def cases(self) -> dict[str, Counter[str]]:
        """How often each case ended how, over all passes."""
        counted: dict[str, Counter[str]] = {}
        for one in self.passes:
            for outcome in one.outcomes:
                counted.setdefault(outcome.case, Counter())[outcome.shown] += 1
        return counted


def trends(passes: Sequence[Pass], floors: Mapping[str, Floor]) -> tuple[Trend, ...]:
    """The trend of every model that was measured, in order of the tags."""
    by_model: dict[str, list[Pass]] = {}
    for one in passes:
        by_model.setdefault(one.model, []).append(one)
    return tuple(
        Trend(model, tuple(sorted(found, key=lambda one: (one.when, one.number))), floors.get(model))
        for model, found in sorted(by_model.items())
    )
