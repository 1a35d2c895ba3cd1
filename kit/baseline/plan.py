"""What accepting a run would change, so that it can be shown before anything is written (decision 16)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kit.baseline import store
from kit.baseline.accepted import Acceptance, Accepted, CellId, accept
from kit.baseline.compare import Change, compare_all
from kit.oracle.result import OracleResult

Action = Literal["add", "change", "keep", "remove", "refuse"]


@dataclass(frozen=True, slots=True)
class Entry:
    """What happens to one baseline file.

    Attributes:
        action: `add` a file, `change` it, `keep` it as it is, `remove` it, or `refuse` an error or a skip.
        change: the cell before and after.
        accepted: what the file will say; None where nothing is written.
    """

    action: Action
    change: Change
    accepted: Accepted | None

    def differences(self) -> tuple[str, ...]:
        """What changes in the file, a line each, for a person to read before it is written."""
        before, after = self.change.before, self.accepted
        if self.action == "refuse":
            verdict = self.change.kind
            return (f"verdict {verdict} says nothing about the agent and is not accepted",)
        if self.action == "remove":
            return ("no such scenario runs any more",)
        if self.action == "keep" or after is None:
            return ()
        lines = [
            _step(name, old, new) for name, old, new in _values(before, after) if before is None or old != new
        ]
        lines += [f"- {failure}" for failure in self.change.gone_failures]
        lines += [f"+ {failure}" for failure in self.change.new_failures]
        return tuple(lines)


def plan(
    accepted: Mapping[CellId, Accepted],
    results: Iterable[OracleResult],
    acceptance: Acceptance,
    *,
    complete: bool,
) -> tuple[Entry, ...]:
    """One entry a cell; a baseline whose facts would stay the same keeps its old acceptance.

    Args:
        accepted: what was accepted of the suite and model that ran.
        results: what the run gave.
        acceptance: who accepts, when and why.
        complete: the run covered its whole suite: what it no longer has is removed.
    """
    return tuple(_entry(change, acceptance) for change in compare_all(accepted, results, complete=complete))


def apply(root: Path, entries: Iterable[Entry]) -> tuple[Path, ...]:
    """Write what was planned; returns the files that were written or removed.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    touched = []
    for entry in entries:
        if entry.action in {"add", "change"} and entry.accepted is not None:
            touched.append(store.write(root, entry.accepted))
        elif entry.action == "remove":
            touched.append(store.remove(root, entry.change.cell))
    return tuple(touched)


def _entry(change: Change, acceptance: Acceptance) -> Entry:
    if change.after is None:
        return Entry("remove", change, None)
    if change.kind in {"error", "skip"}:
        return Entry("refuse", change, None)
    fresh = accept(change.after, acceptance)
    if change.before is None:
        return Entry("add", change, fresh)
    if change.before.same_facts(fresh):
        return Entry("keep", change, None)
    return Entry("change", change, fresh)


def _values(before: Accepted | None, after: Accepted) -> tuple[tuple[str, object, object], ...]:
    names = ("verdict", "outcome")
    metrics = ("cost_micro_usd", "latency_ms")
    return (
        *((name, getattr(before, name, None), getattr(after, name)) for name in names),
        *(
            (name, getattr(before.metrics, name) if before else None, getattr(after.metrics, name))
            for name in metrics
        ),
    )


def _step(name: str, old: object, new: object) -> str:
    return f"{name}: {_shown(new)}" if old is None else f"{name}: {_shown(old)} → {_shown(new)}"


def _shown(value: object) -> str:
    return "unknown" if value is None else str(value)
