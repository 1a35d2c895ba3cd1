"""How results reach the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kit.cli.results import print_outcome, print_tape, refuse_selection, refuse_tape
from kit.errors import Problem, UsageError
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
    with pytest.raises(UsageError) as refused:
        refuse_tape("demo")
    assert refused.value.next_command == "kit record --tape demo -- python my_agent.py"
