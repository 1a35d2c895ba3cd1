"""The three numbers that open a report (S2-04 to S2-06, X-05, X-06)."""

from __future__ import annotations

from typing import get_args

import pytest

from kit.harness.metrics import METRICS, Question, summarise
from tests.builders import result


def test_each_metric_answers_one_of_the_three_questions() -> None:
    """S2-04: a metric that serves no question is noise, and each question has its number."""
    assert [metric.question for metric in METRICS] == list(get_args(Question))
    assert [metric.name for metric in METRICS] == ["success_rate", "avg_cost", "p95_latency"]


def test_the_three_numbers_come_first() -> None:
    """S2-05: three numbers open a report, the counts of what did not run stand behind."""
    summary = summarise([result()])
    assert list(summary) == [*(metric.name for metric in METRICS), "errors", "skips"]


def test_rates_are_counts_with_their_total() -> None:
    """X-06: never a bare percentage; errors and skips are not in the total (decision 13)."""
    results = [result(), result("fail"), result("error"), result("skip"), result("error")]
    summary = summarise(results)
    assert summary["success_rate"] == {"passed": 1, "of": 2}
    assert (summary["errors"], summary["skips"]) == (2, 1)


def test_unknown_cost_is_never_zero() -> None:
    """X-05: one run without a price makes the mean unknown, and says for how many it is known."""
    results = [result(cost_micro_usd=10), result("fail", cost_micro_usd=None), result(cost_micro_usd=20)]
    assert summarise(results)["avg_cost"] == {"micro_usd": None, "known": 2, "of": 3}


def test_cost_of_zero_is_known() -> None:
    """A local model costs 0, which is another thing than nobody knowing."""
    assert summarise([result(cost_micro_usd=0)])["avg_cost"] == {"micro_usd": 0, "known": 1, "of": 1}


def test_mean_cost_is_in_whole_micro_usd() -> None:
    """Money is an integer (decision 15)."""
    mean = summarise([result(cost_micro_usd=10), result(cost_micro_usd=15)])["avg_cost"]["micro_usd"]
    assert type(mean) is int
    assert mean in {12, 13}


def test_latency_is_the_95th_percentile_of_known_ones() -> None:
    """p95 by nearest rank: of twenty runs the nineteenth; unknown ones do not count as 0."""
    results = [result(latency_ms=1000 * number) for number in range(1, 21)]
    assert summarise(results)["p95_latency"] == {"ms": 19_000, "of": 20}
    assert summarise([result(latency_ms=None), result(latency_ms=7)])["p95_latency"] == {"ms": 7, "of": 2}


@pytest.mark.parametrize("verdicts", [(), ("error",), ("error", "skip")])
def test_nothing_executed_has_no_numbers(verdicts: tuple[str, ...]) -> None:
    """Where no scenario came to a verdict, cost and latency are None and the rate is 0/0."""
    summary = summarise([result(verdict) for verdict in verdicts])
    assert summary["success_rate"] == {"passed": 0, "of": 0}
    assert summary["avg_cost"] == {"micro_usd": None, "known": 0, "of": 0}
    assert summary["p95_latency"] == {"ms": None, "of": 0}


def test_what_an_error_cost_is_not_in_the_mean() -> None:
    """An errored run tells nothing about the agent, its cost and latency neither."""
    summary = summarise([result(), result("error", cost_micro_usd=9_999, latency_ms=99_999)])
    assert summary["avg_cost"]["micro_usd"] == 10
    assert summary["p95_latency"]["ms"] == 2000
