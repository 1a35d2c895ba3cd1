"""Pass, warn or block, with reasons."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from kit.baseline.accepted import Acceptance, CellId, accept
from kit.baseline.compare import Change, compare
from kit.gate.decide import Decision, DriftFact, Facts, decide
from kit.gate.reason import Reason
from kit.gate.thresholds import Thresholds
from kit.oracle.result import OracleResult
from tests.fakes.changes import Run
from tests.fakes.changes import change as changed
from tests.fakes.examples import costly

BY_ME = Acceptance(reason="r", owner="o", date="2026-11-29")
MILDNESS = ("pass", "warn", "block")


def result(verdict: str, scenario: str = "001_x", **fields: Any) -> OracleResult:
    known: dict[str, Any] = {
        "scenario_id": scenario,
        "passed": verdict == "pass",
        "failures": ("it is wrong",) if verdict == "fail" else (),
        "trace_path": Path("t"),
        "verdict": verdict,
        "suite": "home",
        "category": "c",
        "model": "m",
    }
    return OracleResult.model_validate({**known, **fields})


def change(before: str | None, after: str, scenario: str = "001_x") -> Change:
    accepted = accept(result(before, scenario), BY_ME) if before else None
    return compare(accepted, result(after, scenario))


def gate(*changes: Change) -> str:
    return decide(Facts(changes)).gate


def reasons(decision: Decision) -> list[tuple[str, str, str]]:
    return [(reason.level, reason.rule, reason.subject) for reason in decision.reasons]


KNOWN = change("pass", "pass", "000_known")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("pass", "pass", "pass"),
        ("fail", "pass", "pass"),
        ("fail", "fail", "pass"),
        ("pass", "fail", "block"),
        ("pass", "error", "block"),
        ("fail", "error", "block"),
        (None, "error", "block"),
        (None, "fail", "warn"),
        (None, "pass", "pass"),
        ("pass", "skip", "warn"),
        (None, "skip", "pass"),
    ],
)
def test_one_change(before: str | None, after: str, expected: str) -> None:
    """Each change moves the gate by itself."""
    assert gate(KNOWN, change(before, after)) == expected


def test_a_fix_does_not_hide_a_regression() -> None:
    """G06: net zero is no zero; in a category without limits of its own it warns."""
    changes = (change("fail", "pass", "001_a"), change("pass", "fail", "002_b"))
    assert reasons(decide(Facts(changes))) == [("warn", "regression", "002_b")]


def test_missing_blocks() -> None:
    """G10: a scenario that was accepted cannot just be dropped."""
    before = accept(result("pass"), BY_ME)
    decision = decide(Facts((Change(before.cell, "missing", before, None),)))
    reason = Reason("block", "missing", "001_x was accepted and is missing", before.cell)
    assert decision == Decision("block", (reason,))


def test_without_a_baseline() -> None:
    """G09 and G11: nothing accepted warns, and so does each scenario that fails; nothing blocks."""
    decision = decide(Facts((change(None, "pass", "001_a"), change(None, "fail", "002_b"))))
    assert decision.gate == "warn"
    assert [reason.what for reason in decision.reasons] == [
        "002_b is new and fails: it is wrong",
        "no baseline: nothing of this suite and model was accepted yet",
    ]


def test_reasons_name_cell_and_failures_and_block_first() -> None:
    """A person reads what blocks before what warns."""
    decision = decide(Facts((change(None, "fail", "001_a"), change("pass", "fail", "002_b"))))
    a, b = CellId("home", "m", "001_a"), CellId("home", "m", "002_b")
    assert decision.reasons == (
        Reason("block", "success_rate", "success_rate fell from 1/1 to 0/1, by more than 5 points"),
        Reason("warn", "new", "001_a is new and fails: it is wrong", a),
        Reason("warn", "regression", "002_b was accepted as pass and fails: it is wrong", b),
    )


def test_new_failures_of_what_failed_before_warn() -> None:
    """The verdict is the same, the reasons are not."""
    before = accept(result("fail"), BY_ME)
    other = compare(before, result("fail", failures=("it is wrong", "and cruel")))
    decision = decide(Facts((other,)))
    assert [reason.what for reason in decision.reasons] == [
        "001_x failed before and has new failures: and cruel"
    ]


def test_nothing_ran() -> None:
    """An empty selection is no matter of the gate: it is refused before (G12)."""
    assert decide(Facts(())) == Decision("pass", ())


AMOUNT = st.integers(min_value=0, max_value=300)
CATEGORY = st.sampled_from(["happy_path", "security", "error_handling"])
BEFORE = st.none() | st.builds(Run, st.sampled_from(["pass", "fail"]), AMOUNT, AMOUNT)
AFTER = st.builds(Run, st.sampled_from(["pass", "fail", "error"]), AMOUNT, AMOUNT)
LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "success_rate_drop_block": st.integers(min_value=5, max_value=60),
        "success_rate_drop_warn": st.integers(min_value=0, max_value=5),
        "success_rate_min": st.sampled_from([0, 1]),
        "avg_cost_block": st.just("off") | st.integers(min_value=50, max_value=90),
        "avg_cost_warn": st.just("off") | st.integers(min_value=0, max_value=50),
        "p95_latency_block": st.just("off") | st.integers(min_value=50, max_value=90),
        "p95_latency_warn": st.just("off") | st.integers(min_value=0, max_value=50),
        "no_baseline": st.sampled_from(["pass", "warn", "block"]),
    },
)
Cell = tuple[Run | None, Run, str]


def worse_runs(run: Run) -> st.SearchStrategy[Run]:
    """The same run with a worse verdict, a higher cost, or a higher latency."""
    verdicts = ["pass", "fail", "error"]
    return st.builds(
        Run,
        st.sampled_from(verdicts[verdicts.index(run.verdict) :]),
        AMOUNT.map(lambda more: (run.cost or 0) + more),
        AMOUNT.map(lambda more: (run.latency or 0) + more),
    )


@costly(30, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(BEFORE, AFTER, CATEGORY), min_size=1, max_size=6), LIMITS, st.data())
def test_worse_is_never_milder(cells: list[Cell], table: dict[str, Any], data: st.DataObject) -> None:
    """S2-46 (8): making any metric of any scenario worse never makes the gate milder."""
    limits = Thresholds.model_validate(table)
    index = data.draw(st.integers(min_value=0, max_value=len(cells) - 1))
    before, after, category = cells[index]
    spoilt = [*cells]
    spoilt[index] = (before, data.draw(worse_runs(after)), category)
    now, then = (
        decide(Facts(tuple(cell_change(cell, number) for number, cell in enumerate(side))), limits).gate
        for side in (cells, spoilt)
    )
    assert MILDNESS.index(then) >= MILDNESS.index(now)


def cell_change(cell: Cell, number: int) -> Change:
    before, after, category = cell
    return changed(before, after, f"{number:03d}_x", category)


def test_two_falls_of_error_handling_block_and_one_warns() -> None:
    """Scenarios are counted, so that replicates of one do not add up."""
    fell = [changed("pass", "fail", f"00{number}_x", "error_handling") for number in (1, 2)]
    others = [changed("pass", "pass", f"{number:03d}_y") for number in range(100, 150)]
    assert gate(fell[0], *others) == "warn"
    assert reasons(decide(Facts((*fell, *others))))[:2] == [
        ("block", "regression", "001_x"),
        ("block", "regression", "002_x"),
    ]


def test_drift_weighs_as_it_is_told() -> None:
    """What the traces differ in moves the gate by its severity."""
    cell = KNOWN.cell
    for severity, expected in (("info", "pass"), ("warn", "warn"), ("block", "block")):
        drift = DriftFact(severity, "000_known: another tool", cell)  # type: ignore[arg-type]
        decision = decide(Facts((KNOWN,), (drift,)))
        assert decision.gate == expected
        assert [reason.subject for reason in decision.reasons] == ["000_known"] * (severity != "info")


def test_no_baseline_may_block_or_be_nothing() -> None:
    """A project that wants every model accepted says so."""
    new = change(None, "pass")
    for level in ("pass", "warn", "block"):
        assert decide(Facts((new,)), Thresholds.model_validate({"no_baseline": level})).gate == level


def test_order_of_scenarios_does_not_matter() -> None:
    """S2-46 (5): the same facts give the same gate in any order."""
    kinds = list(product(("pass", "fail", None), ("pass", "fail", "skip")))
    changes = [change(before, after, f"{number:03d}_x") for number, (before, after) in enumerate(kinds)]
    forwards, backwards = decide(Facts(tuple(changes))), decide(Facts(tuple(reversed(changes))))
    assert forwards.gate == backwards.gate
    assert set(forwards.reasons) == set(backwards.reasons)
