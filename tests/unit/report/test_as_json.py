"""Results for a program."""

from __future__ import annotations

import json

from kit.harness.eval_report import EvalReport
from kit.report.as_json import render_reports, render_tape
from tests.builders import report, result, tape


def test_reports_read_back_equal() -> None:
    """A JSON list of EvalReports; real Unicode, keys in the order of the model."""
    made = report(result("fail", failures=("perché no",)), gate="warn")
    text = render_reports((made, made))
    assert "perché no" in text
    values = json.loads(text)
    assert [EvalReport.model_validate(value) for value in values] == [made, made]
    assert list(values[0]) == list(EvalReport.model_fields)


def test_no_report_is_an_empty_list() -> None:
    """A program need not ask whether there is anything."""
    assert json.loads(render_reports(())) == []


def test_same_bytes_twice() -> None:
    """Nothing of the moment comes in."""
    made = report(result())
    assert render_reports((made,)) == render_reports((made.model_copy(),))
    assert render_tape(tape()) == render_tape(tape())


def test_unknown_is_null() -> None:
    """X-05."""
    made = json.loads(render_reports((report(result(cost_micro_usd=None, latency_ms=None)),)))[0]
    assert made["scenarios"][0]["cost_micro_usd"] is None
    assert made["scenarios"][0]["latency_ms"] is None
    assert made["summary"]["avg_cost"]["micro_usd"] is None


def test_half_a_character_is_escaped() -> None:
    """What a model said comes through whole, as JSON can say it."""
    values = json.loads(render_tape(tape(errors=("half \ud800 perché",))))
    assert values["errors"] == ["half \ud800 perché"]


def test_tape() -> None:
    """Its fields by name, the path as text, the conversation as objects."""
    values = json.loads(render_tape(tape()))
    assert values["path"] == "cassettes/tapes/agent.yaml"
    assert values["items"][0] == {"number": 1, "kind": "message", "who": "user", "text": "ciao", "note": ""}
    assert (values["live_requests"], values["exit_code"]) == (1, 0)
