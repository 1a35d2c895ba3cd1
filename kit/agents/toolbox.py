"""One turn's tools behind its policy: what is offered, what is allowed, what is asked, what is called."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from kit.agent.protocol import Turn
from kit.agents.chat import ChatLine, ModelError
from kit.agents.policy import preset, rule_on
from kit.agents.tools import SPECS, ToolSpec, file_tools, model_tool


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
        self._functions: dict[str, Callable[..., Any]] = {
            **file_tools(turn.workspace),
            **model_tool(_asking(line)),
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
        if problem := _mismatch(spec, arguments):
            return f"error: {problem}"
        ruling = rule_on(
            spec.effect, arguments.get("path"), self._policy, self._turn.autonomy, self._turn.workspace
        )
        if ruling.action == "block":
            report.policy_violation(name, ruling.reason, arguments)
            return f"error: blocked by policy: {ruling.reason}"
        if ruling.action == "ask" and not report.ask_approval(name, arguments):
            return f"error: the user did not approve this call of {name}"
        return await self._made(name, arguments)

    async def _made(self, name: str, arguments: dict[str, Any]) -> str:
        try:
            result = self._functions[name](**arguments)
            return str(await result if inspect.isawaitable(result) else result)
        except (OSError, ValueError, ModelError) as problem:
            return f"error: {problem}"


def _asking(line: ChatLine) -> Callable[[str], Any]:
    async def ask(prompt: str) -> str:
        answer = await line.ask([{"role": "user", "content": prompt}], [])
        return answer.text.strip()

    return ask


def _mismatch(spec: ToolSpec, arguments: dict[str, Any]) -> str:
    """What is wrong with arguments against the tool's parameters; empty where nothing is."""
    wanted = ", ".join(spec.parameters)
    if set(arguments) != set(spec.parameters):
        return f"{spec.name} takes {wanted}; it got {', '.join(arguments) or 'nothing'}"
    wrong = [name for name, value in arguments.items() if not isinstance(value, str)]
    return f"{spec.name}: {', '.join(wrong)} must be a string" if wrong else ""
