"""What accepting a run would change, so that it can be shown before anything is written (decision 16)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kit.baseline import store
from kit.baseline.accepted import Acceptance, Accepted, CellId, accept
from kit.baseline.compare import Change, compare_all
from kit.baseline.severity import shown
from kit.baseline.trace_change import TraceChange
from kit.oracle.result import OracleResult

Action = Literal["add", "change", "keep", "remove", "refuse"]
_IN_BASELINE = frozenset({"verdict", "cost", "latency"})
"""Classes of drift that the values of the baseline itself tell."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What happens to one baseline file.

    Attributes:
        action: `add` a file, `change` it, `keep` it as it is, `remove` it, or `refuse` an error or a skip.
        change: the cell before and after.
        accepted: what the file will say; None where it stays as it is.
        trace: the trace beside it; None where the run has none or it stays as it is.
    """

    action: Action
    change: Change
    accepted: Accepted | None
    trace: TraceChange | None = None

    def differences(self) -> tuple[str, ...]:
        """What changes in the file, a line each, for a person to read before it is written."""
        before, after = self.change.before, self.accepted
        if self.action == "refuse":
            verdict = self.change.kind
            return (f"verdict {verdict} says nothing about the agent and is not accepted",)
        if self.action == "remove":
            return ("no such scenario runs any more",)
        if self.action == "keep":
            return ()
        lines = [] if after is None else _steps(before, after)
        lines += [f"- {failure}" for failure in self.change.gone_failures]
        lines += [f"+ {failure}" for failure in self.change.new_failures]
        return (*lines, *self._of_trace())

    def _of_trace(self) -> Iterator[str]:
        if self.trace is None:
            return
        if self.trace.is_new:
            count = len(self.trace.facts.get("steps", []))
            yield f"trace: {count} step{'s' if count != 1 else ''}"
        for one in self.trace.drift:
            if one.kind not in _IN_BASELINE:
                yield f"{shown(one.kind)}: {one.sentence}"


def plan(
    accepted: Mapping[CellId, Accepted],
    results: Iterable[OracleResult],
    acceptance: Acceptance,
    *,
    complete: bool,
    traces: Mapping[CellId, TraceChange] | None = None,
) -> tuple[Entry, ...]:
    """One entry a cell; a baseline whose facts would stay the same keeps its old acceptance.

    Args:
        accepted: what was accepted of the suite and model that ran.
        results: what the run gave.
        acceptance: who accepts, when and why.
        complete: the run covered its whole suite: what it no longer has is removed.
        traces: the traces of the runs, beside the accepted ones.
    """
    known = traces or {}
    return tuple(
        _entry(change, acceptance, known.get(change.cell))
        for change in compare_all(accepted, results, complete=complete)
    )


def apply(root: Path, entries: Iterable[Entry]) -> tuple[Path, ...]:
    """Write what was planned; returns the files that were written or removed.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    touched = []
    for entry in entries:
        if entry.action in {"add", "change"} and entry.accepted is not None:
            touched.append(store.write(root, entry.accepted))
        if entry.action in {"add", "change"} and entry.trace is not None:
            touched.append(store.write_skeleton(root, entry.change.cell, entry.trace.facts))
        if entry.action == "remove":
            touched.append(store.remove(root, entry.change.cell))
    return tuple(touched)


def _entry(change: Change, acceptance: Acceptance, trace: TraceChange | None) -> Entry:
    if change.after is None:
        return Entry("remove", change, None)
    if change.kind in {"error", "skip"}:
        return Entry("refuse", change, None)
    fresh = accept(change.after, acceptance)
    if change.before is None:
        return Entry("add", change, fresh, trace)
    changed = trace if trace is not None and not trace.is_kept else None
    if not change.before.same_facts(fresh) or (changed is not None and not changed.is_new):
        return Entry("change", change, fresh, changed)
    # A trace beside an older baseline is an addition: who accepted the verdict keeps answering for it.
    return Entry("change" if changed is not None else "keep", change, None, changed)


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
