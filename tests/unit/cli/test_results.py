"""How results reach the terminal."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kit.cli.options import Form
from kit.cli.results import print_outcome, print_tape, refuse_forms, refuse_selection, refuse_tape
from kit.errors import Problem, UsageError
from kit.gate.reason import Reason
from kit.workflow.scenarios import RunOutcome
from tests.builders import report, result, tape

OUTCOME = RunOutcome(
    reports=(report(result()), report(result(), model="m:2b")),
    folder=Path(".kit/reports/x"),
    kept=("recorded a.yaml",),
    warnings=(Problem("s.yaml:3", "only an outcome"),),
    exit_code=3,
)


def test_outcome_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    """Warnings, a report for each suite and model, what was kept, where the rest lies; then the code."""
    assert print_outcome(OUTCOME, as_json=False) == 3
    lines = capsys.readouterr().out.splitlines()
    wanted = [
        "warning: s.yaml:3: only an outcome",
        "home on m:1b, replay",
        "home on m:2b, replay",
        "recorded a.yaml",
        "traces and report.json: .kit/reports/x",
    ]
    assert [line for line in lines if line in wanted] == wanted
    assert (lines[0], lines[-1]) == (wanted[0], wanted[-1])


def test_outcome_as_json_is_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither warnings nor lines for people come in between."""
    assert print_outcome(OUTCOME, as_json=True) == 3
    assert [one["model"] for one in json.loads(capsys.readouterr().out)] == ["m:1b", "m:2b"]


def test_outcome_in_another_form_is_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever reads XML wants no warnings in it; `--json` is one of the forms, so two are one too many."""
    assert print_outcome(OUTCOME, as_json=False, form=Form.JUNIT) == 3
    assert capsys.readouterr().out.startswith("<?xml ")
    assert print_outcome(OUTCOME, as_json=False, form=Form.GITHUB) == 3
    assert capsys.readouterr().out == ""
    assert print_outcome(OUTCOME, as_json=True, form=Form.TERMINAL) == 3
    with pytest.raises(UsageError, match="exclude each other"):
        print_outcome(OUTCOME, as_json=True, form=Form.JUNIT)


def test_report_as_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside whatever is printed."""
    outcome = replace(OUTCOME, folder=None)
    print_outcome(outcome, as_json=False, report=tmp_path / "a")
    assert capsys.readouterr().out.splitlines()[-1] == f"report.md, report.json, junit.xml: {tmp_path / 'a'}"
    print_outcome(outcome, as_json=True, report=tmp_path / "b")
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "b" / "report.json").read_text())


def test_on_github(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Annotations come by themselves, behind a report of which the runner obeys nothing."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    warned = report(result(), gate="warn", gate_details=(Reason("warn", "avg_cost", "rose"),))
    print_outcome(replace(OUTCOME, reports=(warned,)), as_json=False)
    lines = capsys.readouterr().out.splitlines()
    stops = [number for number, line in enumerate(lines) if line.startswith("::")]
    assert lines[stops[0]].startswith("::stop-commands::")
    assert lines[stops[0] + 1] == "home on m:1b, replay"
    assert lines[stops[-1]].startswith("::warning title=")
    assert len(stops) == 3


def test_nothing_was_run(capsys: pytest.CaptureFixture[str]) -> None:
    """Then there is no folder to name."""
    assert print_outcome(RunOutcome((), None, ("nothing to record",), (), 0), as_json=False) == 0
    assert capsys.readouterr().out == "nothing to record\n"


def test_tapes_errors_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    """Every one of them."""
    print_tape(tape(errors=("MISS one", "MISS two")), mode="replay", as_json=False)
    captured = capsys.readouterr()
    assert captured.err == "kit: MISS one\nkit: MISS two\n"
    assert "MISS" not in captured.out


@pytest.mark.parametrize("as_json", [True, False])
def test_tape_that_was_interrupted(capsys: pytest.CaptureFixture[str], as_json: bool) -> None:
    """In the words of every command, behind all else."""
    print_tape(tape(exit_code=130), mode="record", as_json=as_json)
    assert capsys.readouterr().err == "kit: interrupted\n"


@pytest.mark.parametrize("as_json", [True, False])
def test_plan_that_its_limit_ended(capsys: pytest.CaptureFixture[str], as_json: bool) -> None:
    """Why it ended is told once: in the report, or beside what a program reads."""
    ended = replace(OUTCOME, kept=("spent all",), exit_code=130)
    assert print_outcome(ended, as_json=as_json) == 130
    captured = capsys.readouterr()
    assert captured.err == ("spent all\n" if as_json else "")
    assert ("spent all" in captured.out) is not as_json


def test_tape_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The errors are part of it."""
    print_tape(tape(errors=("MISS",)), mode="replay", as_json=True)
    captured = capsys.readouterr()
    assert json.loads(captured.out)["errors"] == ["MISS"]
    assert captured.err == ""


def test_refusals() -> None:
    """A program and a selection exclude each other, and a tape's name needs a program."""
    refuse_selection(None, None)
    refuse_selection([], [])
    refuse_tape(None)
    for scenarios, only in ((["001"], None), (None, ["security"])):
        with pytest.raises(UsageError, match="exclude each other"):
            refuse_selection(scenarios, only)
    refuse_forms(Form.TERMINAL, None)
    for form, folder in ((Form.JUNIT, None), (Form.TERMINAL, Path("out"))):
        with pytest.raises(UsageError, match="are for scenarios"):
            refuse_forms(form, folder)
    with pytest.raises(UsageError) as refused:
        refuse_tape("demo")
    assert refused.value.next_command == "kit record --tape demo -- python my_agent.py"
