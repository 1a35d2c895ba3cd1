"""What GitHub Actions shows: annotations beside the changed files, and the summary of a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kit.baseline.accepted import CellId
from kit.gate.reason import Reason
from kit.harness.eval_report import EvalReport
from kit.oracle.result import OracleResult
from kit.report import markdown
from kit.report.plain import plain
from kit.report.unrecorded import unrecorded_lines

SHOWN = 10
"""Annotations of one level that GitHub keeps of a step; it drops the others without a word."""
SUMMARY_BYTES = 1_000_000
"""GitHub refuses a summary above 1 MiB whole."""


class Annotation(NamedTuple):
    """One message beside a file; `file` is None where it is about the whole run."""

    level: str
    title: str
    message: str
    file: str | None = None

    def __str__(self) -> str:
        """The line that the runner reads."""
        place = f"file={_property(self.file)},line=1," if self.file else ""
        return f"::{self.level} {place}title={_property(self.title)}::{_escaped(self.message)}"


def annotate(reports: Sequence[EvalReport], prefix: str = "") -> str:
    """A line for everything that moved a gate, blocking ones first; empty where all gates pass.

    Args:
        reports: of one command.
        prefix: path of the project in its repository, with a slash behind it; empty for its root.
    """
    found = [one for report in reports for one in _of(report, prefix)]
    lines: list[str] = []
    for level in ("error", "warning"):
        of_level = [str(one) for one in found if one.level == level]
        if len(of_level) > SHOWN:
            rest = f"and {len(of_level) - SHOWN + 1} more: the summary of this step has all"
            of_level[SHOWN - 1 :] = [str(Annotation(level, "kit", rest))]
        lines += of_level
    return "\n".join(lines)


def summary(reports: Sequence[EvalReport]) -> str:
    """The Markdown reports in one text that GitHub takes; cut where it would be refused."""
    text = "\n".join(markdown.render(report, has_traces=False) for report in reports)
    encoded = text.encode("utf-8", "backslashreplace")
    if len(encoded) <= SUMMARY_BYTES:
        return text
    kept = encoded[:SUMMARY_BYTES].decode("utf-8", "ignore").rpartition("\n")[0]
    return f"{kept}\n\nCut here: GitHub shows no longer summary. The whole of it is in report.md.\n"


def silenced(text: str, token: str) -> str:
    """A text of which the runner obeys nothing, whatever a model wrote at the beginning of a line."""
    return f"::stop-commands::{token}\n{text}\n::{token}::"


def _of(report: EvalReport, prefix: str) -> Iterator[Annotation]:
    where = f"{report.suite} on {report.model}"
    missing = set(report.unrecorded.cells) if report.unrecorded else set()
    results = {str(CellId.of(result)): result for result in report.scenarios}
    for reason in report.gate_details:
        if reason.cell is None or str(reason.cell) not in missing:
            yield _reason(report, reason, results, prefix)
    if missing:
        lines = list(unrecorded_lines(report))
        yield Annotation(_level("block", report), f"kit: {where} is not recorded", "\n".join(lines))


def _reason(report: EvalReport, reason: Reason, results: dict[str, OracleResult], prefix: str) -> Annotation:
    where = f"{report.suite} on {report.model}"
    level = _level(reason.level, report)
    if reason.cell is None:
        return Annotation(level, f"kit: {where}: {reason.rule}", reason.what)
    result = results.get(str(reason.cell))
    folder = f"{prefix}scenarios/{report.suite}"
    file = f"{folder}/suite.yaml" if result is None else f"{folder}/{result.scenario_id}.yaml"
    why = "\n".join((reason.what, *result.errors)) if result is not None else reason.what
    return Annotation(level, f"kit: {reason.cell} on {report.model}: {reason.rule}", why, file)


def _level(level: str, report: EvalReport) -> str:
    """An overridden block is told, but nobody has to look for an error."""
    return "error" if level == "block" and not report.overridden else "warning"


def _escaped(text: str) -> str:
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
