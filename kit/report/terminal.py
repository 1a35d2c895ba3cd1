"""An EvalReport for the person at the terminal: three numbers, a line a scenario, then every reason."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kit.harness.eval_report import EvalReport
from kit.oracle.result import OracleResult
from kit.report.conditional import conditional_text
from kit.report.drift import report_lines
from kit.report.figures import milliseconds, plural, usd
from kit.report.numbers import three_numbers
from kit.report.plain import plain
from kit.report.reasons import told_reasons
from kit.report.unrecorded import unrecorded_lines

_STYLE = {
    "pass": "green",
    "fail": "red",
    "error": "bold red",
    "skip": "yellow",
    "warn": "yellow",
    "block": "bold red",
}
WIDTH = 118


def render(report: EvalReport, *, colour: bool = False, width: int = WIDTH) -> str:
    """The report as text, ready to print; ANSI colours only with `colour`."""
    written = StringIO()
    console = Console(
        file=written, width=width, force_terminal=colour, no_color=not colour, highlight=False, emoji=False
    )
    title = f"{report.suite} on {report.model}, {report.mode}"
    console.print(Text(title, style="bold"))
    for line, number in zip(headline(report.summary), three_numbers(report), strict=True):
        base = f"   {number.comparison}" if number.comparison else ""
        console.print(Text(f"  {line}{base}"), soft_wrap=True)
    console.print()
    console.print(_table(report))
    told_below = set(report.unrecorded.cells) if report.unrecorded else set()
    for result in report.scenarios:
        for line in _details(result) if _name(result) not in told_below else ():
            console.print(Text(plain(line)), soft_wrap=True)
    for line in report_lines(report):
        console.print(Text(plain(line)), soft_wrap=True)
    for line in _gate(report):
        console.print(Text(plain(line), style=_STYLE.get(report.gate, "")), soft_wrap=True)
    for line in ("", *unrecorded_lines(report)) if report.unrecorded else ():
        console.print(Text(plain(f"  {line}" if line else "")), soft_wrap=True)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())


def headline(summary: dict[str, Any]) -> Iterator[str]:
    """The three numbers with their counts (S2-05, X-06)."""
    success, cost, latency = summary["success_rate"], summary["avg_cost"], summary["p95_latency"]
    beside = [plural(summary[name], name[:-1]) for name in ("errors", "skips") if summary[name]]
    yield f"success_rate  {success['passed']}/{success['of']}" + (
        f"   ({', '.join(beside)})" if beside else ""
    )
    known = "" if cost["known"] == cost["of"] else f" (price known for {cost['known']}/{cost['of']})"
    yield f"avg_cost      {usd(cost['micro_usd'])}{known}"
    yield f"p95_latency   {milliseconds(latency['ms'])}" + (
        " (as recorded)" if latency["ms"] is not None else ""
    )


def _table(report: EvalReport) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2), show_edge=False, header_style="dim")
    table.add_column("  verdict")
    table.add_column("scenario", overflow="fold")
    table.add_column("category")
    table.add_column("outcome")
    table.add_column("cost", justify="right")
    table.add_column("latency", justify="right")
    table.add_column("calls")
    for result in report.scenarios:
        table.add_row(
            Text(f"  {result.verdict}", style=_STYLE[result.verdict]),
            Text(_name(result)),
            Text(result.category),
            *_measured(result),
        )
    return table


def _measured(result: OracleResult) -> tuple[str, str, str, str]:
    """What a run took; nothing of a run that ended in an error means anything."""
    if result.verdict in {"error", "skip"}:
        return "-", "-", "-", "-"
    calls = f"{result.model_calls} model, {result.tool_calls} tool"
    return result.outcome or "-", usd(result.cost_micro_usd), milliseconds(result.latency_ms), calls


def _name(result: OracleResult) -> str:
    variant = f".{result.variant}" if result.variant else ""
    replicate = f"@{result.replicate}" if result.replicate != 1 else ""
    return f"{result.scenario_id}{variant}{replicate}"


def _details(result: OracleResult) -> Iterator[str]:
    lines = [_indented("    x ", failure) for failure in result.failures]
    lines += [_indented("    ! ", error) for error in result.errors]
    if result.conditional is not None and (text := conditional_text(result.conditional)):
        lines.append(_indented("    ? ", text))
    lines += [_indented("    i ", notice) for notice in result.notices]
    if lines:
        yield ""
        yield f"  {_name(result)} ({result.verdict})"
        yield from lines


def _indented(mark: str, text: str) -> str:
    return mark + text.replace("\n", "\n" + " " * len(mark))


def _gate(report: EvalReport) -> Iterator[str]:
    yield ""
    yield f"  gate: {report.gate}" + (", overridden" if report.overridden else "")
    for _, reason in told_reasons(report):
        yield _indented("    - ", reason)
    is_new = report.baseline_diff is None and report.gate != "pass"
    if is_new and all(result.verdict in {"pass", "fail"} for result in report.scenarios):
        yield '    next: kit accept --reason "why these verdicts are right"'
