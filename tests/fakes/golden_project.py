"""A project with a golden set: what a case's rule says decides how the scripted model behaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from kit.agent.protocol import Reply, Turn
from kit.agents.qa import agent as qa_agent
from kit.workflow.golden import GoldenOutcome, GoldenRequest, run_golden
from tests.fakes.stub_project import StubProject

SUITE = """description: the golden set
agent: "tests.fakes.golden_project:agent"
default: false
id_pattern: 'rf-[a-z]+'
categories: [judging]
judging: {tool: emit_qa_verdict, values: [approved, changes_requested]}
sampling: {temperature: 0.7, max_tokens: 300}
time_limit_s: none
"""


def _calls(name: str, **arguments: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": arguments}]}


def _verdict(word: str) -> dict[str, Any]:
    return _calls("emit_qa_verdict", verdict=word, reason=f"{word} it is")


RULES: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    ("green", {"user": {"contains": "APPROVE"}, "turn": 0}, _calls("terminal", command="true")),
    ("approves", {"user": {"contains": "APPROVE"}, "result_of": "terminal"}, _verdict("approved")),
    ("rejects", {"user": {"contains": "REJECT"}}, _verdict("changes_requested")),
    ("empty", {"user": {"contains": "EMPTY"}}, _calls("terminal", command="")),
    ("talks", {}, {"text": "I talk."}),
)
STUB = {
    "model": "stub",
    "rules": [{"name": name, "when": when, "answer": answer} for name, when, answer in RULES],
}
AS_AGREED = {
    "rf-a": ("APPROVE", "approved"),
    "rf-b": ("REJECT", "changes_requested"),
    "rf-c": ("REJECT", "approved"),
    "rf-d": ("EMPTY", "approved"),
    "rf-e": ("TALK", "changes_requested"),
    "rf-f": ("CRASH", "approved"),
}
"""Two hits, a miss, and three kinds of trouble."""


async def agent(turn: Turn) -> Reply:
    """The QA agent; at the word CRASH it fails as an agent of a user may, at CRASH EARLY before it asks."""
    if "CRASH EARLY" in turn.message:
        raise KeyError("boom")
    reply = await qa_agent(turn)
    if "CRASH" in turn.message:
        raise KeyError("boom")
    return reply


class GoldenProject(StubProject):
    """A project with a golden suite, a repository, and permissions that allow `true`."""

    def __init__(self, root: Path, cases: dict[str, tuple[str, str]] | None = None) -> None:
        super().__init__(root)
        self.write("scenarios/golden/suite.yaml", SUITE)
        self.write("fixtures/stub/golden.yaml", yaml.safe_dump(STUB, sort_keys=False))
        self.write("fixtures/repo/a.js", "let a")
        self.write("fixtures/permissions.json", '{"terminal": {"allow": ["true"]}}')
        for id_, (behaviour, expected) in (AS_AGREED if cases is None else cases).items():
            self.case(id_, behaviour, expected)

    def case(self, id_: str, behaviour: str, expected: str) -> None:
        """One case."""
        values = {
            "id": id_,
            "category": "judging",
            "description": "d",
            "setup": {
                "autonomy": "supervised",
                "workspace_state": "empty",
                "available_tools": ["read_file", "terminal", "emit_qa_verdict"],
                "fixtures": [
                    {
                        "path": "/workspace/permissions.json",
                        "content_fixture": "fixtures/permissions.json",
                    },
                    {"path": "/workspace/repo", "content_fixture": "fixtures/repo"},
                ],
            },
            "conversation": [{"user": f"RF_1: {behaviour}"}],
            "expected": {"verdict": expected},
        }
        self.write(f"scenarios/golden/{id_}.yaml", yaml.safe_dump(values, sort_keys=False))

    def floor(self, hits: int, of: int = 6, model: str = "stub") -> Path:
        """The floor file with one entry."""
        text = json.dumps({model: {"passRate": hits, "of": of}})
        return self.write("baselines/golden/floor.json", text)

    def golden(self, model: str | None = "stub", **request: Any) -> GoldenOutcome:
        """What `kit golden` does."""
        return run_golden(self.open(model=model), GoldenRequest(**{"model": model, **request}))
