"""The three numbers beside those of what was accepted, each with its question (S2-04 to S2-06)."""

from __future__ import annotations

from typing import Any, NamedTuple

from kit.baseline.accepted import CellId
from kit.harness.eval_report import EvalReport
from kit.harness.metrics import METRICS, summarise
from kit.oracle.result import OracleResult
from kit.report.figures import milliseconds, plural, usd

NOTHING = "-"
SAME = "="


class Number(NamedTuple):
    """One of the three numbers, as people read it.

    Attributes:
        question: which it answers.
        name: of the metric.
        now: of everything that ran and has a verdict.
        before: of what was accepted; `-` where nothing was.
        delta: from before to now, over the scenarios that both have.
    """

    question: str
    name: str
    now: str
    before: str
    delta: str

    @property
    def comparison(self) -> str:
        """`baseline 18/20, -1 of 18`; empty where nothing was accepted."""
        if self.before == NOTHING:
            return ""
        return f"baseline {self.before}, {'unchanged' if self.delta == SAME else self.delta}"


def three_numbers(report: EvalReport) -> tuple[Number, ...]:
    """The numbers that open every report (S2-05), in the order of the questions."""
    base = report.baseline_summary
    again = summarise(compared(report)) if base is not None else {}
    numbers = []
    for metric in METRICS:
        now = report.summary[metric.name]
        before, delta = NOTHING, NOTHING
        if base is not None and base[metric.name]["of"]:
            before = _shown(metric.name, base[metric.name])
            delta = _delta(metric.name, base[metric.name], again[metric.name])
        numbers.append(Number(metric.question, metric.name, _shown(metric.name, now), before, delta))
    return tuple(numbers)


def beside(report: EvalReport) -> str:
    """What stands in none of the three numbers: `1 error, 2 skips`; empty where nothing does."""
    counts = [(report.summary[name], name[:-1]) for name in ("errors", "skips")]
    return ", ".join(plural(count, noun) for count, noun in counts if count)


def compared(report: EvalReport) -> tuple[OracleResult, ...]:
    """The results that have a verdict and an accepted one to compare it with."""
    if report.baseline_diff is None:
        return ()
    new = set(report.baseline_diff.get("new", ()))
    return tuple(
        result
        for result in report.scenarios
        if result.verdict in {"pass", "fail"} and str(CellId.of(result)) not in new
    )


def _shown(name: str, measured: dict[str, Any]) -> str:
    if name == "success_rate":
        return f"{measured['passed']}/{measured['of']}"
    if name == "avg_cost":
        is_partial = measured["known"] != measured["of"]
        return usd(measured["micro_usd"]) + (
            f" (price known for {measured['known']}/{measured['of']})" if is_partial else ""
        )
    return milliseconds(measured["ms"])


def _delta(name: str, before: dict[str, Any], now: dict[str, Any]) -> str:
    if name == "success_rate":
        change = now["passed"] - before["passed"]
        return f"{_sign(change)}{abs(change)} of {before['of']}" if change else SAME
    unit, written = ("micro_usd", usd) if name == "avg_cost" else ("ms", milliseconds)
    old, new = before[unit], now[unit]
    if old is None or new is None:
        return "unknown"
    return f"{_sign(new - old)}{written(abs(new - old))} ({_percent(old, new)})" if new != old else SAME


def _percent(old: int, new: int) -> str:
    if old == 0:
        return "of 0: n/a"
    tenths = (abs(new - old) * 1000 + old // 2) // old
    return f"{_sign(new - old)}{tenths // 10}.{tenths % 10} %"


def _sign(change: int) -> str:
    return "+" if change > 0 else "-"
