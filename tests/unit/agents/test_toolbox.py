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
    given, _ = turn(tmp_path, tools=("fs_read", "sudo"))
    with pytest.raises(ValueError, match="has no tool sudo; it has fs_read"):
        Toolbox(given, ScriptedModel([]).line())


def test_schemas_follow_the_scenario(tmp_path: Path) -> None:
    """The model is offered the scenario's tools, in its order."""
    given, _ = turn(tmp_path, tools=("supra_llm", "fs_read"))
    names = [schema["function"]["name"] for schema in Toolbox(given, ScriptedModel([]).line()).schemas()]
    assert names == ["supra_llm", "fs_read"]


def test_shell_that_the_policy_blocks_is_a_violation(tmp_path: Path) -> None:
    """A program that is not on the list is never started, whatever the autonomy."""
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace/a.md").write_text("x", encoding="utf-8")
    result, report = call(
        tmp_path, "shell", {"argv": ["rm", "a.md"]}, tools=("shell",), autonomy="autonomous"
    )
    assert result.startswith("error: blocked by policy: shell runs df, ")
    assert [tool for tool, _ in report.violations] == ["shell"]
    assert (tmp_path / "workspace/a.md").exists()


def test_arguments_of_shell_are_a_list(tmp_path: Path) -> None:
    """A line for a shell is not split on a guess; the model is told how to write it."""
    result, report = call(tmp_path, "shell", {"argv": "ls -l"}, tools=("shell",))
    assert result == 'error: shell: argv must be a list of strings, like ["ls", "-l"]'
    assert report.violations == []


MEMORY_TOOLS = ("memory_search", "memory_delete")


def forgetting(root: Path, *keys: str, answers: tuple[bool, ...]) -> tuple[list[str], FakeReporter]:
    """Search for a key, then delete each; the results, and who was asked."""
    given, report = turn(root, tools=MEMORY_TOOLS, answers=answers, autonomy="autonomous")
    (root / "workspace/memory").mkdir()
    (root / "workspace/memory/gate.md").write_text("4471", encoding="utf-8")
    box = Toolbox(given, ScriptedModel([]).line())

    async def use() -> list[str]:
        results = [await box.call("memory_search", {"query": "gate"})]
        return results + [await box.call("memory_delete", {"key": key}) for key in keys]

    return asyncio.run(use()), report


def test_forgetting_asks_even_an_autonomous_agent(tmp_path: Path) -> None:
    """What is forgotten cannot be had back, so the user confirms it."""
    results, report = forgetting(tmp_path, "gate", answers=(True,))
    assert results == ["gate: 4471", "forgot gate"]
    assert report.asked == [("memory_delete", {"key": "gate"})]
    assert not (tmp_path / "workspace/memory/gate.md").exists()


def test_denied_forgetting_keeps_the_memory(tmp_path: Path) -> None:
    """No is no."""
    results, _ = forgetting(tmp_path, "gate", answers=(False,))
    assert results[1] == "error: the user did not approve this call of memory_delete"
    assert (tmp_path / "workspace/memory/gate.md").exists()


def test_nothing_is_forgotten_that_no_search_has_shown(tmp_path: Path) -> None:
    """A guessed key does not even get as far as the user."""
    results, report = forgetting(tmp_path, "door", answers=(True,))
    assert results[1] == "error: search first: no memory_search of this turn has shown 'door'"
    assert report.asked == []


def timing_out(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str, arguments: dict[str, Any], times: int
) -> tuple[str, int]:
    """Call a tool whose first calls time out; the result, and how often it was called."""
    monkeypatch.setattr("kit.agents.toolbox.PAUSE_S", 0)
    given, _ = turn(root, tools=(name,), autonomy="autonomous")
    box = Toolbox(given, ScriptedModel([]).line())
    calls = 0

    def late(**_: Any) -> str:
        nonlocal calls
        calls += 1
        if calls <= times:
            raise TimeoutError("too late")
        return "there"

    monkeypatch.setitem(box._functions, name, late)
    return asyncio.run(box.call(name, arguments)), calls


def test_a_read_that_times_out_is_tried_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once more may help; without end would not."""
    assert timing_out(tmp_path, monkeypatch, "http_get", {"url": "https://wttr.in"}, 1) == ("there", 2)
    late = timing_out(tmp_path, monkeypatch, "http_get", {"url": "https://wttr.in"}, 9)
    assert late == ("error: too late", 2)


def test_a_write_that_times_out_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows whether the first attempt had its effect."""
    write = {"path": "a", "content": "x"}
    assert timing_out(tmp_path, monkeypatch, "fs_write", write, 1) == ("error: too late", 1)
