"""What the QA agent can do: read a file, run a command, and end with a verdict."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Any, Literal

from kit.agent.protocol import Reporter, Workspace
from kit.agent.tool import tool
from kit.agents.bounds import out_of_bounds
from kit.agents.permissions import Permissions, why_held
from kit.agents.speaking import speaking_of
from kit.agents.terminal import TIME_LIMIT_S, terminal_tool
from kit.agents.tool_specs import ToolSpec

VERDICTS = ("approved", "changes_requested")
MAX_FILE = 3_000
"""Characters of a file that the model gets; what is left out is said."""
_NOT_STARTED = (126, 127)
"""Exit codes of what is no program or is not there: of the terminal, of a shell, of `env`, and so of npm."""

SPECS: dict[str, ToolSpec] = {
    spec.name: spec
    for spec in (
        ToolSpec("read_file", "Read a file of the repository", {"path": "path of the file"}, "read"),
        ToolSpec("terminal", "Run a command in the repository", {"command": "the command"}, "run"),
        ToolSpec(
            "emit_qa_verdict",
            "Give the verdict; this ends the work",
            {"verdict": "your judgement", "reason": "why, in one sentence"},
            "write",
            choices={"verdict": VERDICTS},
        ),
    )
}
"""Every tool of the QA agent by name."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a judgement ended.

    Attributes:
        status: `judged` with a verdict, `awaiting_approval` with a command that nobody approved, `blocked`
            with one that the project allows and this machine cannot start, `time_out` with one that had to
            be stopped, or `no_verdict`: the model stopped, or went on for too long, without giving one.
        reason: the model's, or what was awaited, or how it stopped.
        verdict: one of `VERDICTS`; None without one.
    """

    status: Literal["judged", "awaiting_approval", "blocked", "time_out", "no_verdict"]
    reason: str
    verdict: str | None = None


class QaTools:
    """The tools of one judgement, on one repository.

    Args:
        workspace: the run's.
        repository: the repository's folder as the agent sees it.
        permissions: what the terminal may do by itself.
        report: asked for approval of the rest.
        names: of the tools that are offered.
        time_limit_s: seconds after which a command is stopped.
    """

    def __init__(
        self,
        workspace: Workspace,
        repository: str,
        permissions: Permissions,
        report: Reporter,
        names: tuple[str, ...] = tuple(SPECS),
        time_limit_s: float = TIME_LIMIT_S,
    ) -> None:
        if unknown := [name for name in names if name not in SPECS]:
            raise ValueError(f"the QA agent has no tool {', '.join(unknown)}; it has {', '.join(SPECS)}")
        self._workspace = workspace
        self._repository = repository
        self._permissions = permissions
        self._report = report
        self._names = names
        self._is_green = False
        self._read = tool(self._read_file, name="read_file", replay="execute")
        self._terminal = terminal_tool(workspace, repository, time_limit_s)
        self._emit = tool(self._emit_qa_verdict, name="emit_qa_verdict", replay="execute")

    def schemas(self) -> list[dict[str, Any]]:
        """The tools as the model is told of them."""
        return [SPECS[name].schema() for name in self._names]

    def call(self, name: str, arguments: dict[str, Any]) -> str | Ending:
        """The result of a call for the model, or how the judgement ended with it."""
        if name not in self._names:
            return f"error: there is no tool {name}; there is {', '.join(self._names)}"
        if name == "terminal":
            return self._run(arguments)
        if problem := SPECS[name].mismatch(arguments):
            return f"error: {problem}"
        try:
            if name == "read_file":
                return self._read(arguments["path"])
            verdict = arguments["verdict"].strip().lower()
            self._emit(verdict, arguments["reason"])
        except (OSError, ValueError) as problem:
            return f"error: {problem}"
        return Ending("judged", arguments["reason"], verdict)

    def _run(self, arguments: dict[str, Any]) -> str | Ending:
        """A call without a command is one with an empty command: nobody approves it by itself."""
        command = arguments.get("command", "")
        if not isinstance(command, str):
            return "error: terminal: command must be a string"
        held = why_held(command, self._repository, self._permissions, self._workspace)
        asked = {"command": command, "cwd": self._repository}
        if held and not self._report.ask_approval("terminal", {**asked, "reason": held}):
            return Ending("awaiting_approval", f"terminal {command!r}: {held}")
        if not command.strip():
            return "error: terminal: the command is empty"
        done = self._terminal(command)
        if not held and done["exit"] in _NOT_STARTED:
            return Ending("blocked", f"terminal {command!r} cannot be started: {done['output']}")
        if not held and done["exit"] is None:
            return Ending("time_out", f"terminal {command!r} did not end: {done['output'].splitlines()[-1]}")
        self._is_green = self._is_green or done["exit"] == 0
        return f"exit {done['exit']}\n{done['output']}"

    def _read_file(self, path: str) -> str:
        place = posixpath.join(self._repository, path)
        if problem := out_of_bounds(place, (self._repository,), self._workspace):
            raise PermissionError(problem)
        with speaking_of(path):
            text = self._workspace.resolve(place).read_bytes().decode("utf-8")
        left_out = len(text) - MAX_FILE
        return text if left_out <= 0 else f"{text[:MAX_FILE]}\n[{left_out} more characters are left out]"

    def _emit_qa_verdict(self, verdict: str, reason: str) -> str:
        del reason
        if verdict not in VERDICTS:
            raise ValueError(f"verdict must be {' or '.join(VERDICTS)}")
        if verdict == "approved" and not self._is_green:
            raise ValueError("approved needs a terminal command that ended with exit 0: run the tests first")
        return "noted"
