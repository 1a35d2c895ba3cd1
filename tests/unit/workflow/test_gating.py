"""Results, what was accepted, and the gate's decision in one report."""

from __future__ import annotations

from typing import Any

import pytest

from kit.baseline.accepted import Acceptance, Accepted, CellId, accept
from kit.gate.thresholds import parse_policy
from kit.harness.eval_report import DriftRecord, EvalReport
from kit.oracle.result import OracleResult
from kit.workflow.gating import Ran, blocked, gate_exit_code, gated_report
from tests.builders import report, result

BY_ME = Acceptance(reason="r", owner="o", date="2026-11-29")
FAILED: dict[str, Any] = {"failures": ("it is wrong",)}


def accepted(*results: OracleResult) -> dict[CellId, Accepted]:
    return {CellId.of(one): accept(one, BY_ME) for one in results}


def ran(*results: OracleResult, **fields: Any) -> Ran:
    known: dict[str, Any] = {
        "suite": "home",
        "model": "m:1b",
        "mode": "replay",
        "commit": "abc",
        "results": results,
        "is_complete": True,
    }
    return Ran(**{**known, **fields})


def test_a_report_holds_both_sides_and_every_reason() -> None:
    """The three numbers of what was accepted stand beside those of the run."""
    before = accepted(result(), result("fail", "002_y", **FAILED))
    found = gated_report(ran(result("fail", **FAILED), result(identifier="002_y")), before, parse_policy({}))
    assert found.baseline_summary == {
        "success_rate": {"passed": 1, "of": 2},
        "avg_cost": {"micro_usd": 10, "known": 2, "of": 2},
        "p95_latency": {"ms": 2000, "of": 2},
    }
    assert found.baseline_diff == {"better": ["002_y"], "worse": ["001_x"]}
    assert found.gate == "warn"
    assert found.gate_reasons == tuple(one.what for one in found.gate_details)
    assert [(one.level, one.rule, one.subject) for one in found.gate_details] == [
        ("warn", "regression", "001_x")
    ]
    assert EvalReport.model_validate_json(found.model_dump_json()) == found


def test_without_a_baseline_there_is_no_other_side() -> None:
    """None is not an empty comparison."""
    found = gated_report(ran(result()), {}, parse_policy({}))
    assert (found.baseline_summary, found.baseline_diff, found.gate) == (None, None, "warn")


def test_a_model_has_its_own_thresholds() -> None:
    """`[tool.kit.gate.models]` is asked for by the tag."""
    policy = parse_policy({"models": {"m:1b": {"success_rate_drop_block": "off"}}})
    before = accepted(result())
    assert gated_report(ran(result("fail", **FAILED)), before, policy).gate == "warn"
    assert gated_report(ran(result("fail", **FAILED)), before, parse_policy({})).gate == "block"


@pytest.mark.parametrize(
    ("kind", "gate"), [("trajectory", "block"), ("verdict", "pass"), ("cost", "pass"), ("latency", "pass")]
)
def test_drift_that_has_a_rule_of_its_own_counts_once(kind: str, gate: str) -> None:
    """Verdict, cost and latency are weighed by thresholds, not by the severity of their drift."""
    drift = DriftRecord(cell="001_x", kind=kind, severity="block", sentence="another tool")
    found = gated_report(ran(result(), drift=(drift,)), accepted(result()), parse_policy({}))
    assert (found.gate, found.drift) == (gate, (drift,))


def test_an_override_leaves_the_gate_as_it_is() -> None:
    """S2-37: the facts are not rewritten; nobody is asked where nothing blocks."""
    before = accepted(result())
    worse = gated_report(ran(result("fail", **FAILED)), before, parse_policy({}), let_through=lambda _: True)
    assert (worse.gate, worse.overridden) == ("block", True)
    same = gated_report(ran(result()), before, parse_policy({}), let_through=lambda _: True)
    assert (same.gate, same.overridden) == ("pass", False)


ERROR = result("error", exit_code=3)


@pytest.mark.parametrize(
    ("reports", "strict", "code"),
    [
        ([report(result())], True, 0),
        ([report(result(), gate="warn")], False, 0),
        ([report(result(), gate="warn")], True, 1),
        ([report(result(), gate="block")], False, 1),
        ([report(result(), gate="block", overridden=True)], True, 0),
        ([report(result(), ERROR, gate="block", overridden=True)], False, 3),
        ([report(ERROR, gate="block")], False, 3),
        ([report(result(), ERROR, gate="block")], False, 3),
        ([report(result(), gate="block"), report(result("error", exit_code=4), gate="block")], False, 4),
    ],
)
def test_exit_codes(reports: list[EvalReport], strict: bool, code: int) -> None:
    """Decision 14: an override passes a block, never what a result's own error stands for."""
    assert gate_exit_code(reports, strict=strict) == code


def test_what_an_override_answers_for() -> None:
    """Metrics and cells that block, and the scenarios that fell; an error is nobody's to excuse."""
    before = accepted(result(), result(identifier="002_y"))
    worse = gated_report(
        ran(result("fail", **FAILED), result("error", "002_y", exit_code=3)), before, parse_policy({})
    )
    assert blocked([worse]) == {"home on m:1b": ("success_rate", "001_x")}
    assert blocked([gated_report(ran(ERROR), accepted(result()), parse_policy({}))]) == {}
