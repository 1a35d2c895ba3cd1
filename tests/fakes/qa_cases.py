"""Repositories for the QA agent, and a line that answers from a list."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kit.agents.chat import AskedCall, ModelAnswer
from kit.agents.permissions import Permissions
from kit.agents.qa_tools import QaTools
from kit.agents.terminal import TIME_LIMIT_S
from kit.run.workspace import Workspace
from tests.fakes.home_turns import FakeReporter, place

REPO = "/workspace/repo"


@dataclass
class ScriptedLine:
    """Answers from a list and keeps what it was asked."""

    answers: list[ModelAnswer]
    asked: list[list[dict[str, Any]]] = field(default_factory=list)

    async def ask(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> ModelAnswer:
        """The next answer."""
        del tools
        self.asked.append([dict(message) for message in messages])
        return self.answers.pop(0)


def said(text: str) -> ModelAnswer:
    """An answer in words."""
    return ModelAnswer(text, (), is_cut=False)


def calling(*calls: tuple[str, Any]) -> ModelAnswer:
    """An answer with tool calls; arguments as a string are sent as they stand."""
    asked = tuple(
        AskedCall(f"c{number}", name, given if isinstance(given, str) else json.dumps(given))
        for number, (name, given) in enumerate(calls)
    )
    return ModelAnswer("", asked, is_cut=False)


def verdict(word: str, reason: str = "because") -> ModelAnswer:
    """An answer that ends the work."""
    return calling(("emit_qa_verdict", {"verdict": word, "reason": reason}))


def repository(root: Path, **files: str) -> Workspace:
    """A workspace with a small repository in it; names spell `/` as `__`."""
    workspace = place(root)
    for name, text in {"a.js": "let a", **files}.items():
        file = root / "workspace" / "repo" / name.replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return workspace


def tools(
    root: Path, *allow: str, answers: tuple[bool, ...] = (), time_limit_s: float = TIME_LIMIT_S
) -> tuple[QaTools, FakeReporter]:
    """The tools on that repository, with these allow patterns and these answers of a person."""
    report = FakeReporter(list(answers))
    permissions = Permissions("/workspace", allow)
    return QaTools(repository(root), REPO, permissions, report, time_limit_s=time_limit_s), report
