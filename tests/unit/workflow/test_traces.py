"""Traces of a run beside the accepted ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.baseline.accepted import Acceptance, CellId, accept
from kit.errors import ConfigError
from kit.trace.export import to_json_lines
from kit.trace.trace import Step
from kit.workflow.traces import read_facts, records, trace_changes
from tests.builders import result, trace
from tests.fakes.stub_project import StubProject


def left(folder: Path, text: str = "salve") -> None:
    """What a run leaves: the trace that its result names."""
    (folder / "traces").mkdir()
    path = folder / result().trace_path
    path.write_text(to_json_lines(trace(Step(0, "answer", text=text))), "utf-8")


def test_a_run_without_a_trace_has_no_facts(tmp_path: Path) -> None:
    """It never took place."""
    assert read_facts(tmp_path, result()) is None
    left(tmp_path)
    assert read_facts(tmp_path, result()) == {"steps": [{"kind": "answer", "text": "salve"}]}


def test_only_judged_runs_are_compared(project: StubProject, tmp_path: Path) -> None:
    """Half a run would show steps as gone."""
    left(tmp_path)
    settings = project.open().settings
    assert trace_changes(settings, tmp_path, {}, [result("error")], tmp_path) == {}
    assert list(trace_changes(settings, tmp_path, {}, [result()], tmp_path)) == [CellId.of(result())]


def test_drift_is_recorded_with_its_configured_weight(project: StubProject, tmp_path: Path) -> None:
    """A record for each difference, named by its cell."""
    left(tmp_path)
    project.write("pyproject.toml", '[tool.kit.drift]\nlatency = "block"\n')
    before = accept(result(latency_ms=1), Acceptance(reason="r", owner="o", date="2026-11-29"))
    changes = trace_changes(project.open().settings, tmp_path, {before.cell: before}, [result()], tmp_path)
    (record,) = records(changes)
    assert (record.cell, record.kind, record.severity) == ("001_x", "latency", "block")
    project.write("pyproject.toml", '[tool.kit.drift]\nlatencies = "block"\n')
    with pytest.raises(ConfigError, match="did you mean `latency`"):
        trace_changes(project.open().settings, tmp_path, {}, [], tmp_path)
