"""The report of one suite and one model (S2-40)."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from kit.harness.eval_report import EvalReport
from tests.builders import report, result


def test_report_has_the_fields_of_the_contract() -> None:
    """S2-40 names them; what kit adds stands beside."""
    names = {"commit", "timestamp", "mode", "scenarios", "summary", "baseline_diff", "gate"}
    assert names <= EvalReport.model_fields.keys()


def test_round_trip_through_json() -> None:
    """A report.json that was written reads back equal."""
    kept = report(result(), result("fail", failures=("x",)), gate="warn", gate_reasons=("no baseline",))
    assert EvalReport.model_validate_json(kept.model_dump_json()) == kept


def test_unknown_fields_and_values_are_refused() -> None:
    """A mistyped field, gate or mode is found where it is made."""
    for wrong in ({"gates": "pass"}, {"gate": "maybe"}, {"mode": "record"}):
        with pytest.raises(ValidationError):
            report(result(), **wrong)


def test_report_is_frozen() -> None:
    """Facts are not rewritten, not even by an override (S2-37)."""
    made = report(result())
    with pytest.raises(ValidationError):
        setattr(made, "gate", "block")  # noqa: B010 - the assignment that type checkers refuse
