"""One report a suite and model, on disk."""

from __future__ import annotations

import json

from kit.oracle.result import OracleResult
from kit.scenario.load import load_suites
from kit.workflow.reports import Measured, write_reports
from tests.fakes.stub_project import StubProject


def result(scenario: str, model: str) -> OracleResult:
    return OracleResult.model_validate(
        {
            "scenario_id": scenario,
            "passed": True,
            "trace_path": f"traces/{scenario}.jsonl",
            "verdict": "pass",
            "suite": "home",
            "category": "happy_path",
            "model": model,
        }
    )


def test_one_report_a_suite_and_model(project: StubProject) -> None:
    """In the order of the results; each says which commit, and against what."""
    project.scenario("001_x")
    project.scenario("002_y")
    opened = project.open()
    folder = opened.scratch("reports")
    pairs = [
        (project.cell(name, model), result(name, model))
        for model, name in (("b", "001_x"), ("a", "001_x"), ("b", "002_y"))
    ]
    measured = Measured(mode="live", commit="c0ffee", folder=folder, against="main")
    reports = write_reports(opened, load_suites(project.root), pairs, measured)
    assert [(report.model, len(report.scenarios)) for report in reports] == [("b", 2), ("a", 1)]
    assert {(report.commit, report.against, report.mode) for report in reports} == {
        ("c0ffee", "main", "live")
    }
    written = json.loads((folder / "home/b/report.json").read_text("utf-8"))
    assert written == json.loads(reports[0].model_dump_json())
