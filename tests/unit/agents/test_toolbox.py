"""Between the model's wish and a call: policy, approval, and errors as text."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from kit.agents.toolbox import Toolbox
from tests.fakes.home_turns import FakeReporter, ScriptedModel, said, turn


def call(
    root: Path, name: str, arguments: dict[str, Any], model: ScriptedModel | None = None, **more: Any
) -> tuple[str, FakeReporter]:
    """Make one call in a fresh turn."""
    given, report = turn(root, **more)
    box = Toolbox(given, (model or ScriptedModel([])).line())
    return asyncio.run(box.call(name, arguments)), report


def test_free_read_asks_nobody(tmp_path: Path) -> None:
    """A read inside the workspace needs no approval when supervised."""
    result, report = call(tmp_path, "fs_list", {"path": "."})
    assert (result, report.asked, report.violations) == ("(empty)", [], [])


def test_write_asks_once_and_is_made_when_approved(tmp_path: Path) -> None:
    """The user sees what is to be written before it is."""
    arguments = {"path": "a.md", "content": "x"}
    result, report = call(tmp_path, "fs_write", arguments, answers=(True,))
    assert result == "wrote 1 characters to a.md"
    assert report.asked == [("fs_write", arguments)]


def test_denied_write_is_not_made(tmp_path: Path) -> None:
    """A denial reaches the model as an error and the disk not at all."""
    result, _ = call(tmp_path, "fs_write", {"path": "a.md", "content": "x"})
    assert result == "error: the user did not approve this call of fs_write"
    assert not (tmp_path / "workspace/a.md").exists()


def test_manual_autonomy_asks_before_a_read(tmp_path: Path) -> None:
    """In manual mode nothing happens without the user."""
    _, report = call(tmp_path, "fs_list", {"path": "."}, autonomy="manual", answers=(True,))
    assert [action for action, _ in report.asked] == ["fs_list"]


def test_blocked_call_is_reported_and_not_made(tmp_path: Path) -> None:
    """Leaving the workspace is a violation, is not put to the user, and names no path of the machine."""
    result, report = call(tmp_path, "fs_read", {"path": "../etc/passwd"}, autonomy="manual", answers=(True,))
    assert result == "error: blocked by policy: ../etc/passwd is outside of /workspace and /tmp"
    assert report.violations == [("fs_read", "../etc/passwd is outside of /workspace and /tmp")]
    assert report.asked == []


@pytest.mark.parametrize("name", ["fs_write", "shell_run"])
def test_tool_outside_of_the_list_is_a_violation(tmp_path: Path, name: str) -> None:
    """Known or not, a tool that was not offered is not called."""
    result, report = call(
        tmp_path, name, {"path": "a", "content": "x"}, tools=("fs_read",), autonomy="autonomous"
    )
    assert result.startswith(f"error: blocked by policy: {name} is not among the tools")
    assert [tool for tool, _ in report.violations] == [name]
    assert not (tmp_path / "workspace/a").exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "error: fs_read takes path; it got nothing"),
        ({"file": "a"}, "error: fs_read takes path; it got file"),
        ({"path": "a", "mode": "r"}, "error: fs_read takes path; it got path, mode"),
        ({"path": 3}, "error: fs_read: path must be a string"),
    ],
)
def test_arguments_that_do_not_fit_are_said(tmp_path: Path, arguments: dict[str, Any], text: str) -> None:
    """The model is told what the tool takes, before any policy is asked."""
    result, report = call(tmp_path, "fs_read", arguments)
    assert (result, report.violations) == (text, [])


def test_failed_tool_is_an_error_text(tmp_path: Path) -> None:
    """A missing file is something the model can tell the user."""
    result, _ = call(tmp_path, "fs_read", {"path": "/tmp/gone.log"})
    assert result == "error: not found: /tmp/gone.log"


def test_supra_llm_asks_the_runs_model_without_tools(tmp_path: Path) -> None:
    """The question goes out alone: no history, no tools."""
    model = ScriptedModel([said(" Lima ")])
    result, _ = call(tmp_path, "supra_llm", {"prompt": "capital of Peru?"}, model)
    assert result == "Lima"
    assert model.requests[0]["messages"] == [{"role": "user", "content": "capital of Peru?"}]
    assert "tools" not in model.requests[0]


def test_supra_llm_that_fails_is_an_error_text(tmp_path: Path) -> None:
    """A model that refuses the question does not end the turn."""
    result, _ = call(
        tmp_path, "supra_llm", {"prompt": "x"}, ScriptedModel([httpx.Response(400, text="too long")])
    )
    assert result == "error: the model refused the request: HTTP 400: too long"


def test_unknown_tool_in_the_scenario_is_an_error(tmp_path: Path) -> None:
    """A scenario that wants a tool the agent does not have must not run without it."""
    given, _ = turn(tmp_path, tools=("fs_read", "shell"))
    with pytest.raises(ValueError, match="has no tool shell; it has fs_read"):
        Toolbox(given, ScriptedModel([]).line())


def test_schemas_follow_the_scenario(tmp_path: Path) -> None:
    """The model is offered the scenario's tools, in its order."""
    given, _ = turn(tmp_path, tools=("supra_llm", "fs_read"))
    names = [schema["function"]["name"] for schema in Toolbox(given, ScriptedModel([]).line()).schemas()]
    assert names == ["supra_llm", "fs_read"]
