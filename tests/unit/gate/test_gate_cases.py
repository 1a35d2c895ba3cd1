"""The cases G01 to G15 of the statistics' case book, as they stand there."""

from __future__ import annotations

import pytest

from kit.baseline.compare import Change
from kit.errors import UsageError
from kit.gate.decide import Decision, Facts, decide
from kit.gate.override import find_override
from kit.gate.thresholds import Thresholds
from kit.oracle.cost import findings
from kit.scenario.select import select
from kit.stats import p95
from tests.builders import scenario, trace
from tests.fakes.changes import Run, change, changes


def gate(*cells: Change, limits: Thresholds | None = None) -> str:
    return decide(Facts(cells), limits).gate


def told(decision: Decision) -> list[tuple[str, str]]:
    return [(reason.level, reason.rule) for reason in decision.reasons]


def suite(passing: int, total: int = 20) -> tuple[Change, ...]:
    """Twenty scenarios that were all accepted as pass."""
    return changes(*[("pass", "pass" if number < passing else "fail") for number in range(total)])


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (range(1, 21), 19),
        ([5], 5),
        ([1, 2], 2),
        (range(1, 11), 10),
        (range(1, 101), 95),
        ([], None),
    ],
)
def test_g01_to_g03_p95_is_by_nearest_rank(values: list[int], expected: int | None) -> None:
    """Always one of the values, and nothing of nothing."""
    assert p95(list(values)) == expected


def test_g04_one_of_twenty_warns() -> None:
    """A drop of exactly five points is not over five: no float says otherwise."""
    assert gate(*suite(19)) == "warn"


def test_g05_two_of_twenty_block() -> None:
    """Ten points are over five."""
    assert gate(*suite(18)) == "block"


def test_g06_a_fix_hides_no_security_regression() -> None:
    """The rate is the same, and one security scenario fell."""
    decision = decide(Facts((change("pass", "fail", "011_a", "security"), change("fail", "pass", "012_b"))))
    assert told(decision) == [("block", "regression")]
    assert "011_a (security) was accepted as pass and fails" in decision.reasons[0].what


@pytest.mark.parametrize(
    ("before", "after"), [(45000, 54000), (55000, 66000), (90000, 108000), (105000, 126000)]
)
def test_g07_exactly_twenty_percent_pass(before: int, after: int) -> None:
    """Cost and latency alike, and one unit more warns."""
    assert gate(change(Run(cost=before), Run(cost=after))) == "pass"
    assert gate(change(Run(cost=before), Run(cost=after + 1))) == "warn"
    assert gate(change(Run(latency=before), Run(latency=after))) == "pass"
    assert gate(change(Run(latency=before), Run(latency=after + 1))) == "warn"


def test_g08_of_nothing_no_relative_change() -> None:
    """Said once, as a warning, however much it is; free as before is not worth a word."""
    decision = decide(Facts((change(Run(cost=0), Run(cost=10_000)),)))
    assert told(decision) == [("warn", "avg_cost")]
    assert "undefined (n/a)" in decision.reasons[0].what
    assert gate(change(Run(cost=0), Run(cost=0))) == "pass"


def test_g09_no_baseline_warns_and_absolute_limits_hold() -> None:
    """Nothing to compare with blocks nothing by itself."""
    cells = changes((None, "pass"), (None, "fail"))
    assert gate(*cells) == "warn"
    strict = Thresholds.model_validate({"success_rate_min": 1})
    assert told(decide(Facts(cells), strict))[0] == ("block", "success_rate_min")


def test_g10_a_removed_scenario_blocks() -> None:
    """It is named as missing."""
    decision = decide(Facts((change("pass", None),)))
    assert told(decision) == [("block", "missing")]


def test_g11_a_new_scenario_that_fails_warns() -> None:
    """It lowers no rate that is compared; only the absolute limit can block for it."""
    cells = (*suite(20), change(None, "fail", "099_new"))
    assert told(decide(Facts(cells))) == [("warn", "new")]
    assert gate(*cells, limits=Thresholds.model_validate({"success_rate_min": 1})) == "block"


def test_g12_nothing_selected_is_an_error() -> None:
    """Exit code 2 before anything runs; the gate itself has nothing to say of nothing."""
    with pytest.raises(UsageError) as caught:
        select(())
    assert caught.value.exit_code == 2
    assert decide(Facts(())) == Decision("pass", ())


@pytest.mark.parametrize(
    ("cost", "holds", "said"),
    [(50_000, True, "cost"), (50_001, False, "at most 0.05 USD"), (None, False, "cost unknown")],
)
def test_g13_and_g14_a_limit_on_cost(cost: int | None, holds: bool, said: str) -> None:
    """Equality passes, and a cost that nobody knows is not 0."""
    (finding,) = findings(scenario(cost_max_usd=0.05), trace(cost_micro_usd=cost))
    assert finding.ok is holds
    assert said in finding.reason


@pytest.mark.parametrize("reason", ["", "   ", "\t", "…"])
def test_g15_an_empty_reason_is_no_override(reason: str) -> None:
    """The gate stays where it is."""
    assert find_override(f"Reword\n\neval-override:{reason}") is None
