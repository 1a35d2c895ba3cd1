"""One turn's tools behind its policy: what is offered, what is allowed, what is asked, what is called."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from kit.agent.protocol import Turn
from kit.agents.chat import ChatLine, ModelError
from kit.agents.memory import Memory
from kit.agents.policy import Effect, folders, preset, rule_on
from kit.agents.reminders import reminder_tool
from kit.agents.shell import shell_tool
from kit.agents.tool_specs import SPECS
from kit.agents.tools import file_tools, model_tool
from kit.agents.web import web_tool

ATTEMPTS = 2
PAUSE_S = 1.0
_REPEATABLE: frozenset[Effect] = frozenset({"read", "run", "fetch"})
"""What a second attempt cannot do twice: after a time-out nobody knows whether the first had its effect."""


class Toolbox:
    """Makes the calls of one turn; whatever goes wrong comes back as a text for the model.

    Raises:
        ValueError: the turn names a tool or a policy preset that the home agent does not have.
    """

    def __init__(self, turn: Turn, line: ChatLine) -> None:
        if unknown := [name for name in turn.tools if name not in SPECS]:
            raise ValueError(f"the home agent has no tool {', '.join(unknown)}; it has {', '.join(SPECS)}")
        self._turn = turn
        self._policy = preset(turn.policy)
        self._memory = Memory(turn.workspace)
        self._functions: dict[str, Callable[..., Any]] = {
            **file_tools(turn.workspace),
            **model_tool(_asking(line)),
            **shell_tool(turn.workspace, folders(self._policy.readable, turn.workspace)),
            **web_tool(self._policy.hosts),
            **self._memory.tools(),
            **reminder_tool(turn.workspace),
        }

    def schemas(self) -> list[dict[str, Any]]:
        """The tools of the turn as the model is told of them, in the scenario's order."""
        return [SPECS[name].schema() for name in self._turn.tools]

    async def call(self, name: str, arguments: dict[str, Any]) -> str:
        """The result of a call, or `error: …`; a call is made only if the policy and the user let it."""
        report = self._turn.report
        if name not in self._turn.tools:
            reason = f"{name} is not among the tools of this conversation"
            report.policy_violation(name, reason, arguments)
            return f"error: blocked by policy: {reason}"
        spec = SPECS[name]
        if problem := spec.mismatch(arguments):
            return f"error: {problem}"
        ruling = rule_on(spec.effect, arguments, self._policy, self._turn.autonomy, self._turn.workspace)
        if ruling.action == "block":
            report.policy_violation(name, ruling.reason, arguments)
            return f"error: blocked by policy: {ruling.reason}"
        # Before the user is bothered with a question about it.
        if spec.effect == "forget" and (problem := self._memory.why_not_delete(arguments["key"])):
            return f"error: {problem}"
        if ruling.action == "ask" and not report.ask_approval(name, arguments):
            return f"error: the user did not approve this call of {name}"
        return await self._made(name, arguments)

    async def _made(self, name: str, arguments: dict[str, Any]) -> str:
        attempts = ATTEMPTS if SPECS[name].effect in _REPEATABLE else 1
        for left in reversed(range(attempts)):
            try:
                result = self._functions[name](**arguments)
                return str(await result if inspect.isawaitable(result) else result)
            except TimeoutError as problem:
                if not left:
                    return f"error: {problem}"
                await asyncio.sleep(PAUSE_S)
            except (OSError, ValueError, ModelError) as problem:
                return f"error: {problem}"
        raise AssertionError("unreachable: the last attempt returns")


def _asking(line: ChatLine) -> Callable[[str], Any]:
    async def ask(prompt: str) -> str:
        answer = await line.ask([{"role": "user", "content": prompt}], [])
        return answer.text.strip()

    return ask
