"""What became of a case: judgement and trouble are told apart (S4-18)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kit.golden.outcome import INFRASTRUCTURE, CaseOutcome, outcome_of
from kit.oracle.result import FindingRecord, OracleResult

MISSED = ("verdict: approved, expected changes_requested",)
NONE_GIVEN = ("verdict: the agent gave none, expected approved",)
ASKED = FindingRecord(oracle="verdict", ok=False, reason=NONE_GIVEN[0])
OTHERS = (FindingRecord(oracle="final_response", ok=False, reason="text: x"),)


def result(**fields: Any) -> OracleResult:
    """The result of a run."""
    known: dict[str, Any] = {
        "scenario_id": "rf-a",
        "passed": fields.get("verdict", "fail") == "pass",
        "trace_path": Path(),
        "verdict": "fail",
        "suite": "golden",
        "category": "c",
        "model": "m",
        "outcome": "success",
    }
    return OracleResult(**{**known, **fields})


CASES: dict[str, tuple[dict[str, Any], str]] = {
    "the agreed verdict": ({"verdict": "pass", "judgement": "approved"}, "hit"),
    "the other verdict": ({"judgement": "approved", "failures": MISSED}, "miss"),
    "a verdict after an error": ({"judgement": "approved", "outcome": "error_handled"}, "miss"),
    "a command nobody approved": ({"outcome": "needs_approval", "failures": NONE_GIVEN}, "awaiting_approval"),
    "an end without a verdict": ({"failures": NONE_GIVEN}, "no_verdict"),
    "a tool that failed and no verdict": ({"outcome": "error_handled"}, "no_verdict"),
    "an agent that raised": ({"outcome": "failure", "failure": "KeyError: 'x' (a.py:1)"}, "crash"),
    "a case without a verdict": ({"failures": ("text: x",), "findings": OTHERS}, "miss"),
    "a case without a verdict, denied": (
        {"outcome": "needs_approval", "failures": ("text: x",), "findings": OTHERS},
        "miss",
    ),
    "a case without a verdict, and an agent that raised": (
        {"outcome": "failure", "failure": "KeyError: 'x'", "findings": OTHERS},
        "crash",
    ),
    "a verdict that was asked for beside others": (
        {"failures": NONE_GIVEN, "findings": (*OTHERS, ASKED)},
        "no_verdict",
    ),
    "a machine without Node": (
        {"outcome": "failure", "failure": "ChildProcessError: terminal 'npm test' cannot be started"},
        "blocked",
    ),
    "tests that hang": (
        {
            "outcome": "failure",
            "failure": "TimeoutError: terminal 'npm test' did not end: [stopped after 300 s]",
        },
        "time_out",
    ),
    "a model that nobody can read": (
        {
            "outcome": "failure",
            "failure": "ModelError: the model failed 3 times, last: HTTP 500",
            "unusable_output": "http 500: unusable output of the model: Failed to parse",
        },
        "no_verdict",
    ),
    "a run over its limit": ({"outcome": "failure", "failure": "the time limit of 5 s is over"}, "time_out"),
    "a call over its limit": ({"outcome": "failure", "failure": "ReadTimeout (qa.py:9)"}, "time_out"),
    "a server that is gone": (
        {"verdict": "error", "exit_code": 4, "errors": ("the model server failed the run: http 503",)},
        "blocked",
    ),
    "a server that is late": (
        {"verdict": "error", "exit_code": 4, "errors": ("interaction 3 ended with ReadTimeout: ",)},
        "time_out",
    ),
    "a cassette that is gone": ({"verdict": "error", "exit_code": 3, "errors": ("x",)}, "blocked"),
    "an agent that raised before it asked": (
        {"verdict": "error", "exit_code": 3, "failure": "KeyError: x", "errors": ("no model call",)},
        "crash",
    ),
    "an agent that raised for its server": (
        {"verdict": "error", "exit_code": 4, "failure": "ModelError: http 503", "errors": ("http 503",)},
        "blocked",
    ),
    "a bug of kit": ({"verdict": "error", "exit_code": 70, "errors": ("x",)}, "crash"),
}


@pytest.mark.parametrize("name", CASES)
def test_kind_of_outcome(name: str) -> None:
    """Each end has one kind, and only a judgement is a hit or a miss."""
    fields, kind = CASES[name]
    outcome = outcome_of(result(**fields))
    assert outcome.kind == kind
    assert outcome.is_infrastructure == (kind in INFRASTRUCTURE) == (kind not in ("hit", "miss"))


def test_a_verdict_of_an_errored_run_does_not_count() -> None:
    """What answers to other requests led to is a forecast."""
    outcome = outcome_of(result(verdict="error", exit_code=3, judgement="approved", errors=("a\nb",)))
    assert outcome == CaseOutcome("rf-a", "blocked", None, "a")


def test_blocked_is_shown_as_the_source_says_it() -> None:
    """`blocked(infra)`."""
    assert CaseOutcome("a", "blocked").shown == "blocked(infra)"
    assert CaseOutcome("a", "hit").shown == "hit"


def test_the_detail_is_what_went_wrong() -> None:
    """The agent's own failure comes before what the oracle missed."""
    assert (
        outcome_of(result(outcome="failure", failure="KeyError: x", failures=NONE_GIVEN)).detail
        == "KeyError: x"
    )
    assert outcome_of(result(failures=NONE_GIVEN)).detail == NONE_GIVEN[0]
    assert outcome_of(result(failures=NONE_GIVEN, ending="\nI think\nso")).detail == "I think"
    assert outcome_of(result(ending="x" * 500)).detail == "x" * 160 + "…"
    assert outcome_of(result(verdict="pass", judgement="approved")).detail == ""


def test_slowness_is_reported() -> None:
    """And makes nothing of a case but what it is (S4-29)."""
    slow = result(verdict="pass", judgement="approved", latency_ms=3_600_000)
    assert (outcome_of(slow).kind, outcome_of(slow).latency_ms) == ("hit", 3_600_000)
