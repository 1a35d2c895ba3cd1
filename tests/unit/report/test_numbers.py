"""The three numbers beside the accepted ones."""

from __future__ import annotations

from typing import Any

from kit.report.numbers import Number, beside, compared, three_numbers
from tests.builders import report, result


def base(passed: int, of: int, micro_usd: int | None = 10, ms: int | None = 2000) -> dict[str, Any]:
    """What was accepted, as a report keeps it."""
    return {
        "success_rate": {"passed": passed, "of": of},
        "avg_cost": {"micro_usd": micro_usd, "known": of if micro_usd is not None else 0, "of": of},
        "p95_latency": {"ms": ms, "of": of},
    }


def deltas(**fields: Any) -> list[str]:
    """The deltas of a report over 001_x and 002_y."""
    results = (result(), result("fail", "002_y", cost_micro_usd=20, latency_ms=3000))
    made = report(*results, **{"baseline_diff": {}, **fields})
    return [number.delta for number in three_numbers(made)]


def test_each_number_has_its_question_its_baseline_and_what_moved() -> None:
    """S2-04 to S2-06, S2-30: counts with totals, money and time with the change in percent."""
    made = report(
        result(),
        result("fail", "002_y", cost_micro_usd=20, latency_ms=3000),
        baseline_diff={"worse": ["002_y"]},
        baseline_summary=base(2, 2),
    )
    assert three_numbers(made) == (
        Number("Q1 Does it work?", "success_rate", "1/2", "2/2", "-1 of 2"),
        Number("Q2 What does it cost?", "avg_cost", "$0.000015", "$0.000010", "+$0.000005 (+50.0 %)"),
        Number("Q3 Is it fast enough?", "p95_latency", "3.0 s", "2.0 s", "+1.0 s (+50.0 %)"),
    )


def test_nothing_was_accepted() -> None:
    """Then there is no baseline and no delta, which is not 0 (X-05)."""
    for number in three_numbers(report(result(), baseline_diff=None)):
        assert (number.before, number.delta) == ("-", "-")


def test_equal_is_not_a_change() -> None:
    """An equal sign, whatever the value."""
    made = report(result(), baseline_diff={}, baseline_summary=base(1, 1))
    assert [number.delta for number in three_numbers(made)] == ["=", "=", "="]


def test_unknown_and_zero_have_no_relative_change() -> None:
    """X-05, S2-32: nobody divides by 0 or by what nobody knows."""
    assert deltas(baseline_summary=base(1, 2, None, 0)) == ["=", "unknown", "+3.0 s (of 0: n/a)"]
    assert deltas(baseline_summary=base(0, 2, 30, 6000)) == [
        "+1 of 2",
        "-$0.000015 (-50.0 %)",
        "-3.0 s (-50.0 %)",
    ]


def test_comparison_in_words() -> None:
    """For the terminal and a chat; nothing where nothing was accepted."""
    made = report(result(cost_micro_usd=20), baseline_diff={}, baseline_summary=base(1, 1))
    assert [number.comparison for number in three_numbers(made)][:2] == [
        "baseline 1/1, unchanged",
        "baseline $0.000010, +$0.000010 (+100.0 %)",
    ]
    assert {number.comparison for number in three_numbers(report(result()))} == {""}


def test_a_new_scenario_moves_no_delta() -> None:
    """G11: now counts all, the delta only what was accepted too."""
    diff = {"new": ["002_y"]}
    assert deltas(baseline_diff=diff, baseline_summary=base(1, 1)) == ["=", "=", "="]


def test_compared_leaves_out_errors_skips_and_new_ones() -> None:
    """They say nothing about what was accepted."""
    made = report(
        result(),
        result("fail", "002_y"),
        result("error", "003_z"),
        result("skip", "004_s"),
        baseline_diff={"new": ["002_y"], "error": ["003_z"]},
    )
    assert [one.scenario_id for one in compared(made)] == ["001_x"]
    assert compared(made.model_copy(update={"baseline_diff": None})) == ()


def test_beside() -> None:
    """Errors and skips are counted, never pooled."""
    assert beside(report(result(), result("error"), result("skip"), result("skip"))) == "1 error, 2 skips"
    assert beside(report(result())) == ""
