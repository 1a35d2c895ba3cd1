"""Why the gate says what it says, each thing once."""

from __future__ import annotations

from collections.abc import Iterator

from kit.harness.eval_report import EvalReport
from kit.report.figures import plural


def told_reasons(report: EvalReport) -> Iterator[tuple[str, str]]:
    """Level and sentence of everything that moved the gate; what was never recorded is one thing."""
    missing = set(report.unrecorded.cells) if report.unrecorded else set()
    if missing:
        has = "has" if len(missing) == 1 else "have"
        yield "block", f"{plural(len(missing), 'run')} {has} no verdict: not recorded, see below"
    for reason in report.gate_details:
        if reason.cell is None or str(reason.cell) not in missing:
            yield reason.level, reason.what
    if not report.gate_details:
        yield from ((report.gate, what) for what in report.gate_reasons)
