"""Drift as a person reads it: one block a cell, what weighs most first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from kit.baseline.severity import SEVERITIES, shown
from kit.harness.eval_report import DriftRecord, EvalReport
from kit.report.figures import plural

if TYPE_CHECKING:
    from kit.workflow.diff import ComparedCell, Comparison

MOST = 12
"""Differences of one cell that are printed; JSON has all of them."""

_BY_GATE = frozenset({"verdict"})
"""Classes whose sentence the gate says already."""


class Weighed(Protocol):
    """A difference with its weight, from a report or from a comparison."""

    @property
    def kind(self) -> str:
        """Its class."""
        ...

    @property
    def severity(self) -> str:
        """How much it weighs."""
        ...

    @property
    def sentence(self) -> str:
        """For a person."""
        ...


def drift_lines(found: Sequence[Weighed]) -> Iterator[str]:
    """A line a difference: severity, class, sentence; the heaviest first, many are counted."""
    ordered = sorted(found, key=lambda one: -SEVERITIES.index(one.severity))
    for one in ordered[:MOST]:
        yield f"{one.severity:<5}  {shown(one.kind):<14}  {one.sentence}"  # type: ignore[arg-type]
    if len(ordered) > MOST:
        yield f"… and {plural(len(ordered) - MOST, 'more difference')} (--json has all)"


def counted(found: Sequence[Weighed]) -> str:
    """`1 block, 2 warn, 3 info`."""
    return ", ".join(
        f"{sum(one.severity == severity for one in found)} {severity}" for severity in reversed(SEVERITIES)
    )


def report_lines(report: EvalReport) -> Iterator[str]:
    """What a report says of the accepted runs: what got better or worse, then the drift of each cell."""
    if report.baseline_diff is None:
        if report.against is not None:
            yield ""
            yield f"  against {report.against}: nothing of this suite and model was accepted there"
        return
    cells: dict[str, list[DriftRecord]] = {}
    for one in report.drift:
        if one.kind not in _BY_GATE:
            cells.setdefault(one.cell, []).append(one)
    kinds = [f"{kind}: {', '.join(names)}" for kind, names in report.baseline_diff.items()]
    if report.against is None and not cells and not kinds:
        return
    yield ""
    same = "no verdict changed"
    yield f"  against {report.against or 'the baseline'}: {'; '.join(kinds) or same}"
    for cell, found in cells.items():
        yield f"    {cell}"
        yield from (f"      {line}" for line in drift_lines(found))


def render_comparison(comparison: Comparison) -> str:
    """The answer of `kit diff`: what is compared, the cells that differ, and how much it weighs."""
    lines = [f"before  {comparison.before}", f"after   {comparison.after}"]
    differing = [cell for cell in comparison.cells if cell.drift]
    for cell in differing:
        lines += ["", _named(cell), *(f"  {line}" for line in drift_lines(cell.drift))]
    found = [one for cell in differing for one in cell.drift]
    for side, cells in (("before", comparison.only_before), ("after", comparison.only_after)):
        if cells:
            lines += [
                "",
                f"only {side}: {', '.join(f'{cell.suite}/{cell} on {cell.model}' for cell in cells)}",
            ]
    same = len(comparison.cells) - len(differing)
    lines += ["", f"{plural(len(comparison.cells), 'run')} compared, {same} the same: {counted(found)}"]
    return "\n".join(lines)


def _named(cell: ComparedCell) -> str:
    before, after = cell.before, cell.after
    if (before.suite, str(before)) != (after.suite, str(after)):
        return f"{before.suite}/{before} on {before.model} → {after.suite}/{after} on {after.model}"
    models = after.model if before.model == after.model else f"{before.model} → {after.model}"
    return f"{after.suite}/{after} on {models}"
