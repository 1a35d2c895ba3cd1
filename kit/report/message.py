"""A report in the few lines that a chat shows: the three numbers, the gate, what fell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kit.harness.eval_report import EvalReport
from kit.report.numbers import beside, three_numbers
from kit.report.plain import plain
from kit.report.reasons import told_reasons

LONGEST = 3500
"""Characters; Telegram refuses messages above 4096."""
REASONS = 8
"""Reasons of one report that are told; the report itself has all."""
_LINE = 300


def render(reports: Sequence[EvalReport], link: str | None = None) -> str:
    """All reports in one message of plain text.

    Args:
        reports: of one run.
        link: where the whole report is.
    """
    text = "\n\n".join("\n".join(_lines(report)) for report in reports)
    end = f"\n\n{link}" if link else ""
    room = LONGEST - len(end)
    return (text if len(text) <= room else text[: room - 2].rstrip() + "\n…") + end


def _lines(report: EvalReport) -> Iterator[str]:
    passed = " (overridden)" if report.overridden else ""
    yield f"kit: {report.suite} on {report.model}, {report.mode}: {report.gate}{passed}"
    for number in three_numbers(report):
        base = f"; {number.comparison}" if number.comparison else ""
        yield f"{number.question} {number.name}: {number.now}{base}"
    apart = beside(report)
    if apart:
        yield f"{apart}, no verdict"
    reasons = list(told_reasons(report))
    for level, what in reasons[:REASONS]:
        yield f"{level}: {_short(what)}"
    if len(reasons) > REASONS:
        yield f"… and {len(reasons) - REASONS} more"


def _short(text: str) -> str:
    line = " ".join(plain(text).split())
    return line if len(line) <= _LINE else line[: _LINE - 1] + "…"
