"""Results as files, and as what a CI server reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kit.cli.artefacts import rendered, repository_prefix, silenced, tell_github, write_report
from kit.cli.options import Form
from kit.errors import EnvironmentFault
from kit.workflow.scenarios import RunOutcome
from tests.builders import report, result
from tests.fakes.full_report import FULL

REPORTS = (FULL, report(result(), model="m:2b"))


@pytest.fixture
def outcome(tmp_path: Path) -> RunOutcome:
    """A run of two models that left traces and journals."""
    for model in ("m-1b", "m-2b"):
        own = tmp_path / "p" / ".kit" / "reports" / "x" / "home" / model
        for file in ("traces/001_x.jsonl", "journals/001_x.jsonl", "report.json"):
            (own / file).parent.mkdir(parents=True, exist_ok=True)
            (own / file).write_text("{}\n", encoding="utf-8")
    return RunOutcome(REPORTS, Path(".kit/reports/x"), (), (), 0, root=tmp_path / "p")


def test_forms() -> None:
    """Each is a text of all reports."""
    assert rendered(REPORTS, Form.MARKDOWN).count("\n# home on ") == 1
    assert rendered(REPORTS, Form.JUNIT).count("<testsuite ") == 2
    assert len(json.loads(rendered(REPORTS, Form.JSON))) == 2
    assert rendered(REPORTS, Form.GITHUB, "p/").startswith("::error file=p/scenarios/home/002_y.yaml")


def test_report_folder(outcome: RunOutcome, tmp_path: Path) -> None:
    """S2-31: the whole in three files, the traces below, and links that lead to them."""
    folder = tmp_path / "out"
    write_report(outcome, folder)
    write_report(outcome, folder)
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    own = ["report.json", "report.md", "traces/001_x.jsonl"]
    below = [f"home/{model}/{file}" for model in ("m-1b", "m-2b") for file in own]
    assert files == sorted(["junit.xml", "report.json", "report.md", *below])
    for place, link in (("", "home/m-1b/traces/001_x.jsonl"), ("home/m-1b", "traces/001_x.jsonl")):
        assert f"[trace]({link})" in (folder / place / "report.md").read_text(encoding="utf-8")
        assert (folder / place / link).is_file()


def test_report_folder_that_cannot_be_written(outcome: RunOutcome, tmp_path: Path) -> None:
    """The disk's refusal is no traceback."""
    (tmp_path / "out").touch()
    with pytest.raises(EnvironmentFault, match="the report cannot be written"):
        write_report(outcome, tmp_path / "out")


def test_github_gets_annotations_and_the_summary(
    outcome: RunOutcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Behind what the step has in its summary already; files are named from the repository's root."""
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary"))
    (tmp_path / "summary").write_text("before\n", encoding="utf-8")
    tell_github(outcome, Form.TERMINAL)
    printed = capsys.readouterr()
    assert printed.out.startswith("::error file=p/scenarios/home/002_y.yaml,line=1,title=")
    assert printed.err == ""
    text = (tmp_path / "summary").read_text(encoding="utf-8")
    assert text.startswith("before\n# home on m:1b: block\n")
    assert "# home on m:2b: pass" in text


def test_annotations_never_spoil_what_a_program_reads(
    outcome: RunOutcome, capsys: pytest.CaptureFixture[str]
) -> None:
    """They go to stderr, which the runner reads too; what was asked for as annotations comes once."""
    tell_github(outcome, Form.JSON)
    printed = capsys.readouterr()
    assert (printed.out, printed.err.startswith("::error ")) == ("", True)
    tell_github(outcome, Form.GITHUB)
    assert capsys.readouterr() == ("", "")


def test_summary_that_cannot_be_written(
    outcome: RunOutcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is told, and changes no exit code."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    tell_github(outcome, Form.GITHUB)
    assert "the step's summary cannot be written" in capsys.readouterr().err


def test_prefix(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Empty at the repository's root, outside of it, and where nobody names one."""
    assert repository_prefix(tmp_path) == ""
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert repository_prefix(tmp_path) == ""
    assert repository_prefix(tmp_path / "a" / "b") == "a/b/"
    assert repository_prefix(Path("/elsewhere")) == ""


def test_silenced_on_github_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a model wrote at the beginning of a line is no command to the runner."""
    assert silenced("::error::x") == "::error::x"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    first, text, last = silenced("::error::x").splitlines()
    assert first == f"::stop-commands::{last.strip(':')}"
    assert text == "::error::x"
