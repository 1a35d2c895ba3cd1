"""The result of one run keeps S2-39's fields and refuses others."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from kit.oracle.result import FindingRecord, OracleResult


def result(**fields: object) -> OracleResult:
    known = {
        "scenario_id": "001_x",
        "passed": True,
        "trace_path": Path("traces/001_x.jsonl"),
        "verdict": "pass",
    }
    return OracleResult.model_validate({**known, "suite": "home", "category": "c", "model": "m", **fields})


def test_unknown_cost_is_none() -> None:
    """X-05: a cost that nobody knows is not 0."""
    assert result().cost_usd is None
    assert result().cost_micro_usd is None


def test_unknown_fields_and_verdicts_are_refused() -> None:
    """A mistyped field is found where it is made."""
    with pytest.raises(ValidationError):
        result(pased=True)
    with pytest.raises(ValidationError):
        result(verdict="maybe")


def test_round_trip_through_json() -> None:
    """A result that was written is read back equal, its findings included."""
    kept = result(findings=(FindingRecord(oracle="outcome", ok=True, reason="r", step=2),), cost_micro_usd=5)
    assert OracleResult.model_validate_json(kept.model_dump_json()) == kept


def test_texts_can_be_written_whatever_a_model_said() -> None:
    """Half a character in a failure must not keep a report from being written."""
    finding = FindingRecord(oracle="outcome", ok=False, reason="half \ud800")
    texts = ("half \ud800",)
    kept = result(findings=(finding,), failures=texts, errors=texts, notices=texts)
    assert kept.failures == kept.errors == kept.notices == ("half \\ud800",)
    assert OracleResult.model_validate_json(kept.model_dump_json()) == kept
