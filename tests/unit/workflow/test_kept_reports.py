"""Reports that earlier runs left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kit.config.settings import Settings
from kit.errors import UsageError
from kit.harness.eval_report import EvalReport
from kit.workflow.kept_reports import read_reports
from kit.workflow.project import Project
from tests.builders import report, result

ONE, TWO = report(result()), report(result("fail"), model="m:2b")


def keep(folder: Path, *reports: EvalReport) -> None:
    """Writes reports as a run does."""
    for one in reports:
        target = folder / one.suite / one.model.replace(":", "-")
        target.mkdir(parents=True)
        (target / "report.json").write_text(one.model_dump_json(), encoding="utf-8")


def test_latest_run(tmp_path: Path) -> None:
    """Without a path the last run counts, all suites and models of it."""
    runs = tmp_path / ".kit" / "reports"
    keep(runs / "20260101T000000-zzzzzz", TWO)
    keep(runs / "20260102T000000-aaaaaa", ONE, TWO)
    assert read_reports(Project(Settings(root=tmp_path)), None) == (ONE, TWO)


def test_folder_of_a_run_or_one_file(tmp_path: Path) -> None:
    """Both are what a person may have at hand."""
    project = Project(Settings(root=tmp_path))
    keep(tmp_path / "x", ONE, TWO)
    assert read_reports(project, tmp_path / "x") == (ONE, TWO)
    assert read_reports(project, tmp_path / "x" / "home" / "m-2b" / "report.json") == (TWO,)


def test_the_report_of_the_whole_counts_once(tmp_path: Path) -> None:
    """`--report` writes one list above what each suite and model left."""
    keep(tmp_path / "x", ONE, TWO)
    whole = [one.model_dump(mode="json") for one in (TWO, ONE)]
    (tmp_path / "x" / "report.json").write_text(json.dumps(whole), encoding="utf-8")
    assert read_reports(Project(Settings(root=tmp_path)), tmp_path / "x") == (TWO, ONE)


def test_nothing_there(tmp_path: Path) -> None:
    """Each tells what is missing."""
    project = Project(Settings(root=tmp_path))
    with pytest.raises(UsageError, match="nothing was run yet"):
        read_reports(project, None)
    with pytest.raises(UsageError, match=r"there is no report\.json"):
        read_reports(project, tmp_path)


@pytest.mark.parametrize("text", ["", "{}", '[{"suite": 1}]', "\ud800"])
def test_no_report_of_this_kit(tmp_path: Path, text: str) -> None:
    """Whatever it is, it is told as a file and not as a traceback."""
    file = tmp_path / "report.json"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(UsageError, match="is no report"):
        read_reports(Project(Settings(root=tmp_path)), file)
