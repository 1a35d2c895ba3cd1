"""What the last run of a cell came to."""

from __future__ import annotations

from kit.workflow.last_results import last_results
from tests.fakes.stub_project import StubProject


def test_newest_report_counts_cell_by_cell(project: StubProject) -> None:
    """A later run of one scenario leaves the older result of another; a broken report is passed over."""
    project.scenario("001_x")
    project.scenario("002_y", says="buongiorno")
    project.record()
    cells = [project.cell("001_x"), project.cell("002_y"), project.cell("001_x", "other:1b")]
    first = last_results(project.open(), cells)
    assert {key: (one.mode, one.verdict) for key, one in first.items()} == {
        "home/stub/001_x.yaml": ("live", "pass"),
        "home/stub/002_y.yaml": ("live", "fail"),
    }
    project.replay("001_x", agent="asks_politely")
    project.write(".kit/reports/29990101T000000-x/home/stub/report.json", "{")
    second = last_results(project.open(), cells)
    assert second["home/stub/001_x.yaml"].is_miss
    assert second["home/stub/002_y.yaml"] == first["home/stub/002_y.yaml"]
    assert not second["home/stub/002_y.yaml"].is_miss
