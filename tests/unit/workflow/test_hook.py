"""The three stages of a commit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kit.errors import EnvironmentFault
from kit.gate.regressions import LOG, entries
from kit.workflow.hook import judge_message, judge_staged, log_commit, read_log
from kit.workflow.stored_decision import find
from tests.unit.workflow.conftest import Judged


def message(judged: Judged, text: str) -> Path:
    return judged.project.write(".git/COMMIT_EDITMSG", text)


def test_nothing_to_replay(judged: Judged) -> None:
    """Prose passes at once, whatever its message says."""
    judged.project.write("README.md", "x\n")
    judged.repository.git("add", "-A")
    opened = judged.project.open()
    found = judge_staged(opened)
    assert (found.outcome, found.decision.exit_code, found.decision.files) == (None, 0, ())
    verdict = judge_message(opened, message(judged, "x\n\neval-override: y"))
    assert (verdict.exit_code, verdict.override, verdict.ignored) == (0, None, "y")


def test_a_block_passes_with_a_reason_only(judged: Judged) -> None:
    """The first stage decides, the second blocks, and the report stays what it is but for the override."""
    judged.regress()
    opened = judged.project.open()
    decision = judge_staged(opened).decision
    assert (decision.exit_code, decision.gate) == (1, "block")
    assert decision.blocked == {"home on stub": ("success_rate", "001_x")}
    assert decision.files == ("scenarios/home/001_x.yaml",)
    assert any("001_x was accepted as pass and fails" in reason for reason in decision.reasons)
    assert judge_message(opened, message(judged, "x")).exit_code == 1
    passed = judge_message(opened, message(judged, "x\n\neval-override: the oracle was too mild"))
    assert (passed.exit_code, passed.override) == (0, "the oracle was too mild")
    report = json.loads((opened.root / str(decision.folder) / "home/stub/report.json").read_text("utf-8"))
    assert (report["gate"], report["overridden"]) == ("block", True)


def test_the_second_stage_judges_what_nobody_did(judged: Judged) -> None:
    """Where the first stage is not installed, or looked at something else."""
    opened = judged.project.open()
    judge_staged(opened)
    judged.regress()
    verdict = judge_message(opened, message(judged, "x"))
    assert verdict.exit_code == 1
    assert find(opened, judged.repository.git("write-tree")) == verdict.decision


def test_no_reason_passes_what_was_not_proved(judged: Judged) -> None:
    """A cassette that is gone is exit code 3, and so is a project without any."""
    judged.project.cassette().unlink()
    judged.repository.git("add", "-A")
    opened = judged.project.open()
    found = judge_staged(opened)
    assert (found.outcome, found.decision.exit_code) == (None, 3)
    verdict = judge_message(opened, message(judged, "x\n\neval-override: please"))
    assert (verdict.exit_code, verdict.override, verdict.ignored) == (3, None, "please")


def test_a_message_that_is_not_there(judged: Judged) -> None:
    """The hook was called with something else than a message."""
    with pytest.raises(EnvironmentFault):
        judge_message(judged.project.open(), judged.project.root / "nothing")


def test_an_override_is_logged_once(judged: Judged) -> None:
    """After the commit, with its id; the second time changes no byte."""
    judged.regress()
    opened = judged.project.open()
    judge_staged(opened)
    text = "x\n\neval-override: a | b"
    judge_message(opened, message(judged, text))
    commit = judged.repository.commit(text)
    logged = log_commit(opened)
    assert logged.is_new
    (entry,) = entries(read_log(opened.root))
    assert logged.entry == entry
    assert (entry.commit, entry.reason, entry.blocked) == (
        commit,
        "a | b",
        {"home on stub": ("success_rate", "001_x")},
    )
    before = (opened.root / LOG).read_bytes()
    again = log_commit(opened)
    assert (again.entry, again.is_new) == (entry, False)
    assert (opened.root / LOG).read_bytes() == before


def test_a_passing_gate_writes_nothing(judged: Judged) -> None:
    """An override that was not needed leaves no trace in the log."""
    judged.project.scenario(description="the same in other words")
    judged.repository.git("add", "-A")
    opened = judged.project.open()
    assert judge_staged(opened).decision.exit_code == 0
    judged.repository.commit("x\n\neval-override: y")
    assert log_commit(opened).entry is None
    assert read_log(opened.root) == ""


def test_without_an_override_or_a_decision(judged: Judged) -> None:
    """Other commits cost nothing; an override that nobody judged is said."""
    opened = judged.project.open()
    assert log_commit(opened).entry is None
    judged.regress()
    judged.repository.commit("x\n\neval-override: y")
    logged = log_commit(opened)
    assert (logged.entry, logged.is_unjudged) == (None, True)


def test_a_rebase_is_left_alone(judged: Judged) -> None:
    """Its commits are made anew, and a file written between them would stop it."""
    judged.regress()
    opened = judged.project.open()
    judge_staged(opened)
    judged.repository.commit("x\n\neval-override: y")
    (opened.root / ".git/rebase-merge").mkdir()
    assert log_commit(opened).entry is None
    assert read_log(opened.root) == ""


def test_an_amended_commit_is_logged_once(judged: Judged) -> None:
    """The same override of the same change is one entry, whatever the commit is called in the end."""
    judged.regress()
    opened = judged.project.open()
    judge_staged(opened)
    judged.repository.commit("x\n\neval-override: a joke")
    first = log_commit(opened)
    judged.repository.git("commit", "-q", "--amend", "-m", "y\n\neval-override: a joke")
    again = log_commit(opened)
    assert (again.entry, again.is_new) == (first.entry, False)
