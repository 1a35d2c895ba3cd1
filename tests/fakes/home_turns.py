"""Turns for the home agent, and a model that answers from a list; both hold what a test asks about later."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from kit.agent.protocol import Autonomy, Message, ModelEndpoint, Turn
from kit.agents.chat import ChatLine
from kit.run.workspace import Workspace

ENDPOINT = ModelEndpoint(base_url="http://model.test/v1", model="m", max_tokens=64)


@dataclass
class FakeReporter:
    """Remembers what was reported; approvals are answered from `answers`, then denied."""

    answers: list[bool] = field(default_factory=list)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    violations: list[tuple[str, str]] = field(default_factory=list)

    def ask_approval(self, action: str, arguments: Mapping[str, Any] | None = None) -> bool:
        """The next answer of the list, else a denial."""
        self.asked.append((action, dict(arguments or {})))
        return self.answers.pop(0) if self.answers else False

    def refusal(self, reason: str) -> None:
        """The home agent never reports one."""
        raise AssertionError(f"unexpected refusal: {reason}")

    def handoff(self, to: str) -> None:
        """The home agent never hands over."""
        raise AssertionError(f"unexpected handoff to {to}")

    def policy_violation(self, tool: str, reason: str, arguments: Mapping[str, Any] | None = None) -> None:
        """Kept for the test."""
        self.violations.append((tool, reason))


def place(root: Path) -> Workspace:
    """A real workspace whose home exists."""
    (root / "workspace").mkdir(exist_ok=True)
    return Workspace(root)


def turn(
    root: Path,
    *,
    message: str = "hello",
    tools: tuple[str, ...] = ("fs_read", "fs_list", "fs_write", "supra_llm"),
    autonomy: Autonomy = "supervised",
    policy: str = "default",
    answers: tuple[bool, ...] = (),
    history: tuple[Message, ...] = (),
    endpoint: ModelEndpoint = ENDPOINT,
) -> tuple[Turn, FakeReporter]:
    """A turn in a real workspace, and what it reports to."""
    report = FakeReporter(list(answers))
    given = Turn(message, history, place(root), tools, autonomy, policy, endpoint, report)
    return given, report


@dataclass
class ScriptedModel:
    """Answers requests in order; an exception in the list is raised in place of an answer."""

    answers: list[httpx.Response | Exception]
    requests: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        self.requests.append(json.loads(request.content))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def line(self) -> ChatLine:
        """A line to this model."""
        return ChatLine(ENDPOINT, httpx.AsyncClient(transport=httpx.MockTransport(self)))


def said(text: str, finish_reason: str = "stop") -> httpx.Response:
    """A completion in words."""
    return completion({"role": "assistant", "content": text}, finish_reason)


def calling(name: str, arguments: Any, finish_reason: str = "tool_calls", **more: Any) -> httpx.Response:
    """A completion that asks for one call; `arguments` as a string goes out as it stands."""
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": "call-a", "type": "function", "function": {"name": name, "arguments": raw}} | more
    return completion({"role": "assistant", "content": None, "tool_calls": [call]}, finish_reason)


def completion(message: dict[str, Any], finish_reason: str = "stop") -> httpx.Response:
    """Any message as a chat completion."""
    return httpx.Response(200, json={"choices": [{"message": message, "finish_reason": finish_reason}]})
