"""Results and baselines in few words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kit.baseline.accepted import Acceptance
from kit.oracle.result import OracleResult


def make_result(verdict: str = "pass", scenario: str = "001_x", **fields: Any) -> OracleResult:
    """A result of the home suite on model `m:1b`."""
    known: dict[str, Any] = {
        "scenario_id": scenario,
        "passed": verdict == "pass",
        "failures": ("outcome: the run ended as failure, expected success",) if verdict == "fail" else (),
        "trace_path": Path("traces/x.jsonl"),
        "verdict": verdict,
        "suite": "home",
        "category": "happy_path",
        "model": "m:1b",
        "outcome": "success",
        "cost_micro_usd": 10,
        "latency_ms": 2000,
    }
    return OracleResult.model_validate({**known, **fields})


@pytest.fixture
def result() -> Callable[..., OracleResult]:
    """`make_result`, for tests."""
    return make_result


@pytest.fixture
def by_me() -> Acceptance:
    """An acceptance."""
    return Acceptance(reason="first look", owner="Roberto", date="2026-11-29")
