"""What the QA agent can do, and what ends its work."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from kit.agents.permissions import Permissions
from kit.agents.qa_tools import MAX_FILE, SPECS, Ending, QaTools
from tests.fakes.home_turns import FakeReporter
from tests.fakes.qa_cases import REPO, repository, tools

APPROVED = {"verdict": "approved", "reason": "all tested"}


def test_the_verdict_is_one_of_two_words_in_the_schema(tmp_path: Path) -> None:
    """A server that constrains the answer lets no other through."""
    given, _ = tools(tmp_path)
    emit = given.schemas()[2]["function"]
    assert emit["name"] == "emit_qa_verdict"
    assert emit["parameters"]["properties"]["verdict"]["enum"] == ["approved", "changes_requested"]
    assert emit["parameters"]["required"] == ["verdict", "reason"]


def test_unknown_tools_are_refused(tmp_path: Path) -> None:
    """By the scenario, loudly; by the model, with a text."""
    workspace = repository(tmp_path)
    with pytest.raises(ValueError, match="no tool fs_write"):
        QaTools(workspace, REPO, Permissions("/workspace"), FakeReporter(), ("fs_write",))
    some = QaTools(workspace, REPO, Permissions("/workspace"), FakeReporter(), ("read_file",))
    assert (
        some.call("terminal", {"command": "true"}) == "error: there is no tool terminal; there is read_file"
    )


@pytest.mark.parametrize("path", ["a.js", "/workspace/repo/a.js", "./a.js"])
def test_files_are_named_from_the_repository(tmp_path: Path, path: str) -> None:
    """Or by their whole path."""
    given, _ = tools(tmp_path)
    assert given.call("read_file", {"path": path}) == "let a"


@pytest.mark.parametrize("path", ["../permissions.json", "/etc/passwd", "gone.js", "", "x\0"])
def test_what_cannot_be_read_is_an_error_for_the_model(tmp_path: Path, path: str) -> None:
    """Nothing outside of the repository is read."""
    given, _ = tools(tmp_path)
    result = given.call("read_file", {"path": path})
    assert isinstance(result, str)
    assert result.startswith("error: ")


def test_long_files_are_cut(tmp_path: Path) -> None:
    """And what is left out is said."""
    given, _ = tools(tmp_path)
    repository(tmp_path, **{"long.js": "x" * (MAX_FILE + 7)})
    result = given.call("read_file", {"path": "long.js"})
    assert result == "x" * MAX_FILE + "\n[7 more characters are left out]"


def test_an_allowed_command_runs_unasked(tmp_path: Path) -> None:
    """Its exit code comes first."""
    given, report = tools(tmp_path, "echo hello")
    assert given.call("terminal", {"command": "echo hello"}) == "exit 0\nhello"
    assert report.asked == []


@pytest.mark.parametrize("arguments", [{"command": ""}, {"command": "  "}, {}])
def test_an_empty_command_waits_for_approval_for_ever(tmp_path: Path, arguments: dict[str, Any]) -> None:
    """The dominant failure of the source (S4-32); a call without a command is one with an empty one."""
    given, report = tools(tmp_path, "true")
    ending = given.call("terminal", arguments)
    assert isinstance(ending, Ending)
    assert (ending.status, ending.verdict) == ("awaiting_approval", None)
    assert "the command is empty" in ending.reason
    assert report.asked[0][1]["reason"] == "the command is empty"


def test_a_command_that_a_person_approves_runs(tmp_path: Path) -> None:
    """The person sees the command, where it would run, and why it was held."""
    given, report = tools(tmp_path, answers=(True,))
    assert given.call("terminal", {"command": "echo hi"}) == "exit 0\nhi"
    reason = "no allow pattern of the project matches the command"
    assert report.asked == [("terminal", {"command": "echo hi", "cwd": REPO, "reason": reason})]


def test_an_approved_empty_command_runs_nothing(tmp_path: Path) -> None:
    """There is nothing to run."""
    given, _ = tools(tmp_path, answers=(True,))
    assert given.call("terminal", {"command": ""}) == "error: terminal: the command is empty"


@pytest.mark.parametrize("program", ["nodeless", "nodeless-npm"])
def test_an_allowed_command_that_cannot_be_started_is_no_matter_of_judgement(
    tmp_path: Path, program: str
) -> None:
    """No npm, or an npm without its Node: nobody can say of the tests what they cover (S4-18)."""
    given, _ = tools(tmp_path, f"{program} test")
    (tmp_path / "nodeless-npm").write_text("#!/usr/bin/env nodeless\n")
    (tmp_path / "nodeless-npm").chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join((os.environ["PATH"], str(tmp_path))))
        ending = given.call("terminal", {"command": f"{program} test"})
    assert isinstance(ending, Ending)
    assert (ending.status, ending.verdict) == ("blocked", None)
    assert ending.reason.startswith(f"terminal '{program} test' cannot be started: ")
    assert "nodeless" in ending.reason.partition("started: ")[2]


def test_an_allowed_command_that_does_not_end_is_no_matter_of_judgement(tmp_path: Path) -> None:
    """S4-18 names time-outs; what the command printed last says why it was stopped."""
    given, _ = tools(tmp_path, "tail -f a.js", time_limit_s=0.1)
    ending = given.call("terminal", {"command": "tail -f a.js"})
    assert isinstance(ending, Ending)
    assert (ending.status, ending.verdict) == ("time_out", None)
    assert ending.reason == "terminal 'tail -f a.js' did not end: [stopped after 0.1 s]"


def test_a_person_may_approve_what_is_not_there(tmp_path: Path) -> None:
    """The project never said that it is: the model is told and goes on."""
    given, _ = tools(tmp_path, answers=(True,))
    assert given.call("terminal", {"command": "nodeless"}) == "exit 127\nnodeless: not found"


def test_a_command_is_text(tmp_path: Path) -> None:
    """A list of words is told to the model, not run."""
    given, _ = tools(tmp_path, "true")
    assert given.call("terminal", {"command": ["true"]}) == "error: terminal: command must be a string"


def test_approved_needs_a_command_that_ended_with_0(tmp_path: Path) -> None:
    """In the history of the terminal (S4-15); another exit code is none."""
    given, _ = tools(tmp_path, "true", "false")
    refused = "error: approved needs a terminal command that ended with exit 0: run the tests first"
    assert given.call("emit_qa_verdict", APPROVED) == refused
    given.call("terminal", {"command": "false"})
    assert given.call("emit_qa_verdict", APPROVED) == refused
    given.call("terminal", {"command": "true"})
    assert given.call("emit_qa_verdict", APPROVED) == Ending("judged", "all tested", "approved")


def test_changes_can_be_requested_at_any_time(tmp_path: Path) -> None:
    """Tests that do not pass are a reason to."""
    given, _ = tools(tmp_path)
    ending = given.call("emit_qa_verdict", {"verdict": " Changes_Requested ", "reason": "no test"})
    assert ending == Ending("judged", "no test", "changes_requested")


@pytest.mark.parametrize("arguments", [{"verdict": "rejected", "reason": "r"}, {"verdict": "approved"}, {}])
def test_a_verdict_that_is_none_is_told_to_the_model(tmp_path: Path, arguments: dict[str, Any]) -> None:
    """The work goes on."""
    given, _ = tools(tmp_path)
    result = given.call("emit_qa_verdict", arguments)
    assert isinstance(result, str)
    assert result.startswith("error: ")


def test_the_tools_are_three() -> None:
    """None of them changes a file (the source leaves «QA repairs the code» out of this set, S4-20)."""
    assert tuple(SPECS) == ("read_file", "terminal", "emit_qa_verdict")
