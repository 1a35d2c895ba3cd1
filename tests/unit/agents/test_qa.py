"""The QA agent's judgement in isolation: one function, a line that answers from a list (S4-02)."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from kit.agent.protocol import ModelEndpoint, Turn
from kit.agents.chat import ModelAnswer, ModelError
from kit.agents.qa import MAX_TURNS, REMINDER, SYSTEM_PROMPT, agent, judge, opening
from kit.agents.qa_tools import Ending, QaTools
from tests.fakes.home_turns import FakeReporter
from tests.fakes.home_turns import calling as answering
from tests.fakes.qa_cases import REPO, ScriptedLine, calling, repository, said, tools, verdict

GREEN = calling(("terminal", {"command": "true"}))


def judged(
    root: Path, *answers: ModelAnswer, allow: tuple[str, ...] = ("true",)
) -> tuple[Ending, ScriptedLine]:
    """How the judgement ends with these answers."""
    line = ScriptedLine(list(answers))
    given, _ = tools(root, *allow)
    return asyncio.run(judge([{"role": "user", "content": "judge"}], line, given)), line


def test_a_verdict_ends_the_work(tmp_path: Path) -> None:
    """Whatever else the model called beside it."""
    ending, line = judged(tmp_path, GREEN, verdict("approved", "all tested"))
    assert ending == Ending("judged", "all tested", "approved")
    assert [message["role"] for message in line.asked[1]] == ["user", "assistant", "tool"]
    assert line.asked[1][-1]["content"] == "exit 0\n"


def test_calls_of_one_answer_are_made_in_order(tmp_path: Path) -> None:
    """What stands behind the verdict is not made."""
    both = calling(
        ("terminal", {"command": "true"}),
        ("emit_qa_verdict", {"verdict": "approved", "reason": "r"}),
        ("terminal", {"command": ""}),
    )
    assert judged(tmp_path, both)[0].status == "judged"


def test_a_command_that_nobody_approves_ends_the_work(tmp_path: Path) -> None:
    """It stays so, as nobody is there (S4-14)."""
    ending, _ = judged(tmp_path, calling(("terminal", {"command": ""})))
    assert ending.status == "awaiting_approval"


def test_words_are_answered_with_a_reminder(tmp_path: Path) -> None:
    """Once; a call in between starts anew."""
    answers = (said("fine"), GREEN, said("all fine"), verdict("approved"))
    ending, line = judged(tmp_path, *answers)
    assert ending.status == "judged"
    assert line.asked[1][-1] == {"role": "user", "content": REMINDER}


def test_words_twice_in_a_row_are_no_verdict(tmp_path: Path) -> None:
    """The text is never read for one (decision 19)."""
    ending, _ = judged(tmp_path, said("approved"), said("I said approved"))
    assert (ending.status, ending.verdict) == ("no_verdict", None)
    assert ending.reason == "the model ended without a verdict: I said approved"


def test_the_same_call_again_and_again_is_no_verdict(tmp_path: Path) -> None:
    """Three times in a row."""
    ending, _ = judged(tmp_path, GREEN, GREEN, GREEN)
    assert ending == Ending("no_verdict", "the model asked for the same call of terminal 3 times")


def test_a_model_that_never_ends_is_ended(tmp_path: Path) -> None:
    """After a number of answers."""
    answers = [calling(("read_file", {"path": f"{number}.js"})) for number in range(MAX_TURNS + 1)]
    ending, line = judged(tmp_path, *answers)
    assert ending.reason == f"no verdict within {MAX_TURNS} answers of the model"
    assert len(line.asked) == MAX_TURNS


def test_arguments_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    """And the model may try again."""
    ending, line = judged(tmp_path, calling(("terminal", "true")), verdict("changes_requested"))
    assert ending.status == "judged"
    assert line.asked[1][-1]["content"].startswith("error: the arguments are no valid JSON object")


def test_the_opening_shows_the_repository(tmp_path: Path) -> None:
    """Rules, the names of files, and what AGENTS.md says; nothing of what is installed or hidden by git."""
    workspace = repository(
        tmp_path,
        **{"AGENTS.md": "run npm test\n", "test__b.js": "", "node_modules__x.js": "", ".git__HEAD": ""},
    )
    system, user = opening("Rules\n", REPO, workspace)
    assert system == {"role": "system", "content": SYSTEM_PROMPT}
    names = "AGENTS.md\na.js\ntest/b.js"
    assert user["content"] == f"Rules\n\nFiles in {REPO}:\n{names}\n\nAGENTS.md says:\nrun npm test"


def test_a_repository_without_instructions(tmp_path: Path) -> None:
    """The opening says nothing of them."""
    assert "AGENTS" not in opening("Rules", REPO, repository(tmp_path))[1]["content"]


def turn(root: Path, report: FakeReporter, timeout_s: float | None = 300.0) -> Turn:
    """A turn of the agent on the repository."""
    return Turn(
        message="Rules",
        history=(),
        workspace=repository(root),
        tools=("read_file", "terminal", "emit_qa_verdict"),
        autonomy="supervised",
        policy="default",
        endpoint=ModelEndpoint("http://model.test/v1", "m", timeout_s=timeout_s),
        report=report,
    )


def run(
    root: Path, monkeypatch: pytest.MonkeyPatch, answer: httpx.Response, timeout_s: float | None = 300.0
) -> tuple[Any, list[httpx.Timeout]]:
    """The agent over a model that always answers so; with the time-outs of its client."""
    real = httpx.AsyncClient
    seen: list[httpx.Timeout] = []

    def client(**options: Any) -> httpx.AsyncClient:
        seen.append(options["timeout"])
        return real(transport=httpx.MockTransport(lambda _: answer), **options)

    monkeypatch.setattr(httpx, "AsyncClient", client)
    return asyncio.run(agent(turn(root, FakeReporter(), timeout_s))), seen


def test_the_agent_replies_with_verdict_and_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And in a form for programs."""
    given = answering("emit_qa_verdict", {"verdict": "changes_requested", "reason": "no test"})
    reply, seen = run(tmp_path, monkeypatch, given)
    assert reply.text == "changes_requested: no test"
    assert reply.detail == {"status": "judged", "verdict": "changes_requested"}
    assert (seen[0].read, seen[0].connect) == (300.0, 10.0)


def test_no_limit_is_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow model is waited for; connecting is not (S4-29)."""
    given = answering("emit_qa_verdict", {"verdict": "changes_requested", "reason": ""})
    reply, seen = run(tmp_path, monkeypatch, given, None)
    assert (seen[0].read, seen[0].connect) == (None, 10.0)
    assert reply.text == "changes_requested: "


def test_without_permissions_the_agent_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is an answer, so that the run's outcome comes from the event."""
    reply, _ = run(tmp_path, monkeypatch, answering("terminal", {"command": "npm test"}))
    assert reply.detail == {"status": "awaiting_approval", "verdict": None}
    assert reply.text.startswith("terminal 'npm test': no allow pattern")


def test_a_machine_without_the_program_is_no_verdict_of_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It raises, so that no verdict on tests that never ran is counted (S4-18)."""
    (repository(tmp_path).root / "workspace/permissions.json").write_text('{"terminal": {"allow": ["gone"]}}')
    with pytest.raises(ChildProcessError, match="terminal 'gone' cannot be started: gone: not found"):
        run(tmp_path, monkeypatch, answering("terminal", {"command": "gone"}))


def test_a_command_that_does_not_end_is_no_verdict_of_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It raises too: the tests did not run to their end."""
    permissions = '{"terminal": {"allow": ["tail -f a.js"]}}'
    (repository(tmp_path).root / "workspace/permissions.json").write_text(permissions)
    monkeypatch.setattr("kit.agents.qa.QaTools", partial(QaTools, time_limit_s=0.1))
    with pytest.raises(TimeoutError, match=r"terminal 'tail -f a\.js' did not end"):
        run(tmp_path, monkeypatch, answering("terminal", {"command": "tail -f a.js"}))


def test_a_server_that_refuses_is_no_verdict_of_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It raises, and the run is the world's fault."""
    with pytest.raises(ModelError, match="HTTP 404"):
        run(tmp_path, monkeypatch, httpx.Response(404, text="no model"))
