"""Why the gate says what it says, each thing once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kit.baseline.accepted import CellId
from kit.harness.eval_report import EvalReport
from kit.report.figures import plural

LONGEST = 160
"""Characters of a failure that are quoted."""


def told_reasons(report: EvalReport) -> Iterator[tuple[str, str]]:
    """Level and sentence of everything that moved the gate; what was never recorded is one thing."""
    missing = set(report.unrecorded.cells) if report.unrecorded else set()
    if missing:
        has = "has" if len(missing) == 1 else "have"
        yield "block", f"{plural(len(missing), 'run')} {has} no verdict: not recorded, see below"
    results = {CellId.of(result): result for result in report.scenarios}
    for reason in report.gate_details:
        result = None if reason.cell is None else results.get(reason.cell)
        if reason.cell is None or str(reason.cell) not in missing:
            yield reason.level, reason.what if result is None else _short(reason.what, result.failures)
    if not report.gate_details:
        yield from ((report.gate, what) for what in report.gate_reasons)


def _short(what: str, failures: Sequence[str]) -> str:
    """A sentence that quotes all failures of a run, with the first alone: a report has them all elsewhere."""
    head, _, tail = what.partition(": ")
    told = [failure for failure in failures if failure in tail]
    if not told:
        return what
    first = " ".join(told[0].split())
    cut = first if len(first) <= LONGEST else f"{first[: LONGEST - 1]}…"
    return f"{head}: {cut}" + (f" (and {len(told) - 1} more)" if len(told) > 1 else "")
