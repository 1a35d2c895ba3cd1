"""What a run changed against what was accepted; plain functions on values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from kit.baseline.accepted import Accepted, CellId
from kit.oracle.result import OracleResult

ChangeKind = Literal["better", "worse", "same", "new", "missing", "error", "skip"]


@dataclass(frozen=True, slots=True)
class Change:
    """One cell, before and after.

    Attributes:
        cell: what it is about.
        kind: `better` (fail → pass), `worse` (pass → fail), `same` verdict, `new` (nothing was accepted),
            `missing` (accepted and no longer run), or `error` and `skip`, which say nothing about the agent.
        before: what was accepted, None where nothing was.
        after: what the run gave, None where it is missing.
    """

    cell: CellId
    kind: ChangeKind
    before: Accepted | None
    after: OracleResult | None

    @property
    def new_failures(self) -> tuple[str, ...]:
        """Failures that were not among the accepted ones."""
        known = self.before.failures if self.before else ()
        return tuple(
            failure for failure in (self.after.failures if self.after else ()) if failure not in known
        )

    @property
    def gone_failures(self) -> tuple[str, ...]:
        """Accepted failures that the run no longer has; none where it gave no verdict."""
        if self.before is None or self.after is None or self.after.verdict not in {"pass", "fail"}:
            return ()
        return tuple(failure for failure in self.before.failures if failure not in self.after.failures)


def compare(accepted: Accepted | None, result: OracleResult) -> Change:
    """What one result changed against what was accepted of the same cell."""
    return Change(CellId.of(result), _kind(accepted, result), accepted, result)


def compare_all(
    accepted: Mapping[CellId, Accepted], results: Iterable[OracleResult], *, complete: bool
) -> tuple[Change, ...]:
    """One change a cell, in the order of the results, the missing ones behind them.

    Args:
        accepted: what was accepted of the suite and model that ran.
        results: what the run gave.
        complete: the run covered its whole suite: a cell without a result is missing, not just left out.
    """
    changes = [compare(accepted.get(CellId.of(result)), result) for result in results]
    run = {change.cell for change in changes}
    if complete:
        changes += [
            Change(cell, "missing", before, None)
            for cell, before in sorted(accepted.items())
            if cell not in run
        ]
    return tuple(changes)


def _kind(accepted: Accepted | None, result: OracleResult) -> ChangeKind:
    if result.verdict == "error":
        return "error"
    if result.verdict == "skip":
        return "skip"
    if accepted is None:
        return "new"
    if accepted.verdict == result.verdict:
        return "same"
    return "better" if result.verdict == "pass" else "worse"
