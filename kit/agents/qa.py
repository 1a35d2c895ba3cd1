"""The QA agent of S4, `kit.agents.qa:agent`: do the tests of a repository cover its business rules?

The judgement is one function, `judge`: no state machine, no pull request, no backlog around it (S4-02). A
test hands it a line that answers from a list, a run one to a real model, and that is all that differs.
"""

from __future__ import annotations

import posixpath
from typing import Any, Protocol

import httpx

from kit.agent.protocol import Reply, Turn, Workspace
from kit.agents.arguments import ArgumentsError
from kit.agents.chat import ChatLine, ModelAnswer
from kit.agents.exchange import Given, Repeats, arguments_of, as_history
from kit.agents.permissions import read_permissions
from kit.agents.qa_tools import Ending, QaTools

SYSTEM_PROMPT = """\
You are a QA engineer. You judge whether the automated tests of a repository cover its business rules.
Read the code and the tests, run the tests with the tool terminal, then call emit_qa_verdict.
approved: tests that run and pass check everything the business rules say. changes_requested: they do not.
Work through the tools only. You judge; you change and repair nothing."""

REMINDER = "There is no verdict yet. Go on with the tools and end with emit_qa_verdict."
REPOSITORY = "repo"
"""Folder below home that holds the repository."""
INSTRUCTIONS = "AGENTS.md"
MAX_TURNS = 12
MAX_REPEATS = 2
_AWAY = ("node_modules", ".git")


class Line(Protocol):
    """What answers: a real model, or in a test a list."""

    async def ask(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> ModelAnswer:
        """The next message of the model."""
        ...


async def agent(turn: Turn) -> Reply:
    """Judge the repository in `repo` below home by the rules in the user's message.

    Raises:
        ModelError: the model gave no usable answer.
        ChildProcessError: a command that the project allows cannot be started, as without Node: whatever
            the model would say of the tests then, it is no judgement (S4-18).
        TimeoutError: such a command did not end; likewise.
        ValueError: the turn names a tool that this agent does not have, or permissions.json is wrong.
    """
    verify = turn.endpoint.base_url.startswith("https:")
    repository = posixpath.join(turn.workspace.home, REPOSITORY)
    tools = QaTools(turn.workspace, repository, read_permissions(turn.workspace), turn.report, turn.tools)
    # Reading takes what the model takes (S4-29); connecting must not.
    timeout = httpx.Timeout(turn.endpoint.timeout_s, connect=10.0)
    async with httpx.AsyncClient(timeout=timeout, verify=verify) as client:
        messages = opening(turn.message, repository, turn.workspace)
        ending = await judge(messages, ChatLine(turn.endpoint, client), tools)
    if ending.status == "blocked":
        raise ChildProcessError(ending.reason)
    if ending.status == "time_out":
        raise TimeoutError(ending.reason)
    text = ending.reason if ending.verdict is None else f"{ending.verdict}: {ending.reason}"
    return Reply(text or ending.status, {"status": ending.status, "verdict": ending.verdict})


def opening(request: str, repository: str, workspace: Workspace) -> list[dict[str, Any]]:
    """The first two messages: who the model is, and what to judge by what the repository says of itself.

    Args:
        request: story with its business rules, and the task.
        repository: its folder as the agent sees it.
        workspace: the run's.
    """
    root = workspace.resolve(repository)
    files = sorted(file.relative_to(root) for file in root.rglob("*") if file.is_file())
    names = [file.as_posix() for file in files if file.parts[0] not in _AWAY]
    parts = [request.strip(), f"Files in {repository}:\n" + "\n".join(names)]
    if (root / INSTRUCTIONS).is_file():
        parts.append(f"{INSTRUCTIONS} says:\n{(root / INSTRUCTIONS).read_text(encoding='utf-8').strip()}")
    return [
        {"role": "system", "content": SYSTEM_PROMPT},
        {"role": "user", "content": "\n\n".join(parts)},
    ]


async def judge(messages: list[dict[str, Any]], line: Line, tools: QaTools) -> Ending:
    """Ask the model and make its calls until the judgement ends, with a verdict or without.

    A model that answers in words is reminded of the verdict; twice in a row, and it has ended without one.

    Args:
        messages: what `opening` made; the conversation is put behind it.
        line: who answers.
        tools: of the repository.

    Raises:
        ModelError: the model gave no usable answer.
    """
    made = Repeats()
    is_reminded = False
    for _ in range(MAX_TURNS):
        answer = await line.ask(messages, tools.schemas())
        if not answer.calls:
            if is_reminded:
                return Ending("no_verdict", f"the model ended without a verdict: {answer.text.strip()}")
            is_reminded = True
            messages += [{"role": "assistant", "content": answer.text}, {"role": "user", "content": REMINDER}]
            continue
        is_reminded = False
        arguments = [arguments_of(call, answer) for call in answer.calls]
        messages.append(as_history(answer, arguments))
        for call, given in zip(answer.calls, arguments, strict=True):
            repeats = made.count(call, given)
            if repeats >= MAX_REPEATS:
                return Ending(
                    "no_verdict", f"the model asked for the same call of {call.name} {repeats + 1} times"
                )
            result = _result(call.name, given, tools)
            if isinstance(result, Ending):
                return result
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    return Ending("no_verdict", f"no verdict within {MAX_TURNS} answers of the model")


def _result(name: str, given: Given, tools: QaTools) -> str | Ending:
    return f"error: {given}" if isinstance(given, ArgumentsError) else tools.call(name, given)
