"""The three numbers that open every report, each tied to the question it answers (S2-04 to S2-06)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kit.oracle.result import OracleResult
from kit.stats import mean_micro, p95

Question = Literal["Q1 Does it work?", "Q2 What does it cost?", "Q3 Is it fast enough?"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a report.

    Attributes:
        name: as in `EvalReport.summary` (S2-29).
        question: which of the three questions it serves; a metric that serves none is not produced (S2-04).
        measure: results of executed scenarios to a JSON value with counts beside it (X-06).
    """

    name: str
    question: Question
    measure: Callable[[Sequence[OracleResult]], dict[str, Any]]


def _success(executed: Sequence[OracleResult]) -> dict[str, Any]:
    return {"passed": sum(result.passed for result in executed), "of": len(executed)}


def _cost(executed: Sequence[OracleResult]) -> dict[str, Any]:
    known = [result.cost_micro_usd for result in executed if result.cost_micro_usd is not None]
    complete = len(known) == len(executed) and known
    return {"micro_usd": mean_micro(known) if complete else None, "known": len(known), "of": len(executed)}


def _latency(executed: Sequence[OracleResult]) -> dict[str, Any]:
    known = [result.latency_ms for result in executed if result.latency_ms is not None]
    return {"ms": p95(known), "of": len(executed)}


METRICS = (
    Metric("success_rate", "Q1 Does it work?", _success),
    Metric("avg_cost", "Q2 What does it cost?", _cost),
    Metric("p95_latency", "Q3 Is it fast enough?", _latency),
)


def summarise(results: Sequence[OracleResult]) -> dict[str, Any]:
    """The summary of an EvalReport.

    Executed scenarios are those with a verdict of pass or fail; errors and skips stand beside (decision 13).
    """
    executed = [result for result in results if result.verdict in {"pass", "fail"}]
    summary: dict[str, Any] = {metric.name: metric.measure(executed) for metric in METRICS}
    summary["errors"] = sum(result.verdict == "error" for result in results)
    summary["skips"] = sum(result.verdict == "skip" for result in results)
    return summary
