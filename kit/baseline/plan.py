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
        lines = _steps(before, after)
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


def _values(accepted: Accepted) -> dict[str, str]:
    values = {
        "verdict": accepted.verdict,
        "outcome": accepted.outcome,
        "cost_micro_usd": accepted.metrics.cost_micro_usd,
        "latency_ms": accepted.metrics.latency_ms,
    }
    return {name: "unknown" if value is None else str(value) for name, value in values.items()}


def _steps(before: Accepted | None, after: Accepted) -> list[str]:
    new = _values(after)
    if before is None:
        return [f"{name}: {value}" for name, value in new.items()]
    old = _values(before)
    return [f"{name}: {old[name]} → {value}" for name, value in new.items() if old[name] != value]
