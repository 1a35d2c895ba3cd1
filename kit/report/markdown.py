"""An EvalReport in Markdown, for a reviewer: the three numbers, the gate's reasons, then drill-down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kit.baseline.accepted import CellId
from kit.harness.eval_report import DriftRecord, EvalReport
from kit.oracle.result import OracleResult
from kit.report.conditional import conditional_text
from kit.report.figures import milliseconds, plural, usd
from kit.report.markdown_text import block, prose, quoted, table
from kit.report.numbers import beside, compared, three_numbers
from kit.report.reasons import told_reasons
from kit.report.unrecorded import unrecorded_lines

MOST_DRIFT = 12
"""Differences of one run that are printed; report.json has all of them."""

_IN_TABLES = frozenset({"verdict", "cost", "latency"})
"""Classes of drift that other sections show."""
_KINDS = {"better": "fixed", "worse": "**worse**", "new": "new", "missing": "missing"}

_Links = Callable[[OracleResult], str]


def render(report: EvalReport, *, has_traces: bool = True) -> str:
    """The report of one suite and model.

    Args:
        report: what ran.
        has_traces: the text will lie beside the traces, so that links to them lead somewhere.
    """

    def link(result: OracleResult) -> str:
        has_trace = result.trace_path.suffix == ".jsonl"
        return f" · [trace]({result.trace_path.as_posix()})" if has_traces and has_trace else ""

    blocks = [
        _header(report),
        _numbers(report),
        _override(report),
        _reasons(report),
        _cells("Regressions (pass → fail)", _changed(report, "worse"), link),
        _cells("Fixes (fail → pass)", _changed(report, "better"), link),
        _cells("Errors (no verdict)", _without_verdict(report), link),
        _cells("Other failures (accepted as they are, or new)", _other_failures(report), link),
        _unrecorded(report),
        _categories(report),
        _scenarios(report, link),
        _drift(report),
        _notices(report),
    ]
    return "\n".join("\n".join(lines).strip("\n") + "\n" for lines in map(list, blocks) if lines)


def _header(report: EvalReport) -> Iterator[str]:
    yield f"# {prose(report.suite)} on {prose(report.model)}: {report.gate}"
    yield ""
    parts = [
        f"commit {quoted(report.commit)}" if report.commit else "no commit",
        f"{report.timestamp:%Y-%m-%d %H:%M:%S} UTC",
        report.mode,
        f"gate **{report.gate}**",
    ]
    if report.against is not None:
        parts.insert(1, f"compared with {quoted(report.against)}")
    yield " · ".join(parts)


def _numbers(report: EvalReport) -> Iterator[str]:
    rows = [tuple(map(prose, number)) for number in three_numbers(report)]
    yield from table(("question", "number", "now", "baseline", "Δ"), rows, right=("now", "baseline", "Δ"))
    yield ""
    apart = beside(report)
    if apart:
        yield f"{apart}: no verdict, so in none of the three numbers."
    again = compared(report)
    if report.baseline_summary is None:
        of = f" at {quoted(report.against)}" if report.against is not None else ""
        yield f"Nothing of this suite and model was accepted yet{of}."
    elif len(again) != report.summary["success_rate"]["of"]:
        yield f"Baseline and Δ are of the {plural(len(again), 'run')} that were accepted too."


def _override(report: EvalReport) -> Iterator[str]:
    if report.overridden:
        yield "**Overridden:** the block was passed with a stated reason, see `baselines/regressions.md`."


def _reasons(report: EvalReport) -> Iterator[str]:
    reasons = list(told_reasons(report))
    if reasons:
        yield f"## Why the gate says {report.gate}"
        yield ""
    for level, what in reasons:
        yield f"- **{level}**: {prose(what)}"


def _cells(title: str, results: Sequence[OracleResult], link: _Links) -> Iterator[str]:
    if not results:
        return
    yield f"## {title}: {len(results)}"
    for result in results:
        yield ""
        yield f"### {_name(result)} ({prose(result.category)}){link(result)}"
        if result.errors or result.failures:
            yield ""
        yield from (f"- {quoted(failure)}" for failure in result.failures)
        for error in result.errors:
            yield from block(error)
        if result.conditional is not None and (text := conditional_text(result.conditional)):
            yield ""
            yield from block(text)


def _changed(report: EvalReport, kind: str) -> list[OracleResult]:
    names = set((report.baseline_diff or {}).get(kind, ()))
    return [result for result in report.scenarios if _cell(result) in names]


def _without_verdict(report: EvalReport) -> list[OracleResult]:
    listed = set(report.unrecorded.cells) if report.unrecorded else set()
    return [
        result for result in report.scenarios if result.verdict == "error" and _cell(result) not in listed
    ]


def _other_failures(report: EvalReport) -> list[OracleResult]:
    regressed = set((report.baseline_diff or {}).get("worse", ()))
    return [
        result for result in report.scenarios if result.verdict == "fail" and _cell(result) not in regressed
    ]


def _unrecorded(report: EvalReport) -> Iterator[str]:
    if report.unrecorded is None:
        return
    yield f"## Not recorded: {len(report.unrecorded.cells)}"
    yield ""
    yield from block("\n".join(list(unrecorded_lines(report))[1:]))


def _categories(report: EvalReport) -> Iterator[str]:
    yield "## By category"
    yield ""
    groups: dict[str, list[OracleResult]] = {}
    for result in report.scenarios:
        groups.setdefault(result.category, []).append(result)
    diff = report.baseline_diff or {}
    rows = []
    for category, results in groups.items():
        executed = [result for result in results if result.verdict in {"pass", "fail"}]
        names = {_cell(result) for result in results}
        rows.append(
            (
                prose(category),
                f"{sum(result.passed for result in executed)}/{len(executed)}",
                str(len(names & set(diff.get("worse", ())))),
                str(len(names & set(diff.get("better", ())))),
                str(len(results) - len(executed)),
            )
        )
    heads = ("category", "success_rate", "regressions", "fixes", "no verdict")
    yield from table(heads, rows, right=heads[1:])


def _scenarios(report: EvalReport, link: _Links) -> Iterator[str]:
    yield "## By scenario"
    yield ""
    heads = ("scenario", "category", "verdict", "cost", "latency", "Δ")
    rows = []
    for result in report.scenarios:
        is_judged = result.verdict in {"pass", "fail"}
        name = _name(result) + link(result)
        cost = usd(result.cost_micro_usd) if is_judged else "-"
        latency = milliseconds(result.latency_ms) if is_judged else "-"
        rows.append(
            (name, prose(result.category), result.verdict, prose(cost), latency, _moved(report, result))
        )
    yield from table(heads, rows, right=("cost", "latency"))


def _moved(report: EvalReport, result: OracleResult) -> str:
    """What changed of one run against what was accepted of it: verdict, cost, latency."""
    if report.baseline_diff is None or result.verdict in {"error", "skip"}:
        return "-"
    cell = _cell(result)
    parts = [text for kind, text in _KINDS.items() if cell in report.baseline_diff.get(kind, ())]
    parts += [
        prose(f"{one.kind} {one.sentence}")
        for one in report.drift
        if one.cell == cell and one.kind in {"cost", "latency"}
    ]
    return "; ".join(parts) or "="


def _drift(report: EvalReport) -> Iterator[str]:
    cells: dict[str, list[DriftRecord]] = {}
    for one in report.drift:
        if one.kind not in _IN_TABLES:
            cells.setdefault(one.cell, []).append(one)
    if not cells:
        return
    yield f"## Drift: {plural(len(cells), 'run')}"
    for cell, found in cells.items():
        yield ""
        yield f"### {prose(cell)}"
        yield ""
        heaviest = sorted(found, key=lambda one: ("block", "warn", "info").index(one.severity))
        for one in heaviest[:MOST_DRIFT]:
            yield f"- {one.severity}, {prose(one.kind.replace('_', ' '))}: {prose(one.sentence)}"
        if len(found) > MOST_DRIFT:
            yield f"- … and {plural(len(found) - MOST_DRIFT, 'more difference')} (report.json has all)"


def _notices(report: EvalReport) -> Iterator[str]:
    told = [(result, notice) for result in report.scenarios for notice in result.notices]
    if not told:
        return
    yield "## Notices"
    yield ""
    for result, notice in told:
        yield f"- {_name(result)}: {quoted(notice)}"


def _cell(result: OracleResult) -> str:
    return str(CellId.of(result))


def _name(result: OracleResult) -> str:
    return prose(_cell(result))
