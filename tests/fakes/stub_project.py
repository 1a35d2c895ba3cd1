"""A throwaway project on disk whose model is the scripted one: everything of kit runs in it, offline."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from kit.cassette.paths import cassette_path
from kit.harness.address import select_addressed
from kit.harness.plan import Cell, cells_to_record
from kit.scenario.load import load_suites
from kit.scenario.select import select
from kit.workflow.project import Project, open_project
from kit.workflow.scenarios import RunOutcome, RunRequest, run_scenarios

AGENT = "tests.fakes.agents:asks"
SETTINGS = f"""[tool.kit]
agent = "{AGENT}"
model = "stub"

[tool.kit.tiers]
frontier = "stub-judge"
"""
MODEL = """model: stub
rules:
  - name: a greeting
    when: {user: {contains: hello}}
    answer: {text: "ciao, I am the stub"}
"""
JUDGE = """model: stub-judge
rules:
  - name: a greeting
    when: {user: {contains: ciao}}
    answer: {text: "Yes\\nit greets."}
"""
CRITIC = {"prompt": "Does it greet? Yes/No\n{final_response}", "accept": "Yes"}


class StubProject:
    """What a test holds of the project: its root, its files, and short ways to run it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("pyproject.toml", SETTINGS)
        self.write("scenarios/home/suite.yaml", "description: d\ncategories: [happy_path, security]\n")
        self.write("fixtures/stub/model.yaml", MODEL)
        self.write("fixtures/stub/judge.yaml", JUDGE)

    def write(self, path: str, text: str) -> Path:
        """Write a file below the root."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def scenario(
        self,
        identifier: str = "001_x",
        *,
        judged: bool = False,
        says: str = "ciao",
        suite: str = "home",
        **changes: Any,
    ) -> Path:
        """Write a scenario that the stub passes; `judged` adds a critic, `says` is what it must contain."""
        final: dict[str, Any] = {"contains_any": [says]}
        if judged:
            final["llm_critic"] = CRITIC
        values: dict[str, Any] = {
            "id": identifier,
            "category": "happy_path",
            "description": "d",
            "setup": {"autonomy": "manual", "available_tools": ["t"]},
            "conversation": [{"user": "hello"}],
            "expected": {"outcome": "success", "final_response": final},
        }
        text = yaml.safe_dump({**values, **changes}, sort_keys=False)
        return self.write(f"scenarios/{suite}/{identifier}.yaml", text)

    def open(self, **arguments: Any) -> Project:
        """The project as a command line opens it."""
        return open_project(start=self.root, **arguments)

    def record(
        self, *wanted: str, agent: str | None = None, replicates: int = 1, **request: Any
    ) -> RunOutcome:
        """What `kit record` does."""
        project = self.open(agent=_full(agent))
        given: dict[str, Any] = {"mode": "live", "keep": True, "wanted": wanted, **request}
        if replicates != 1:
            selected, samples = select_addressed(load_suites(self.root), wanted)
            model = project.settings.model
            given["cells"] = cells_to_record(
                selected, model, self.root, replicates=replicates, samples=samples
            )
        return run_scenarios(project, RunRequest(**given))

    def replay(self, *wanted: str, agent: str | None = None, **request: Any) -> RunOutcome:
        """What `kit replay` does."""
        given: dict[str, Any] = {"mode": "replay", "wanted": wanted, **request}
        return run_scenarios(self.open(agent=_full(agent)), RunRequest(**given))

    def cell(self, identifier: str = "001_x", model: str = "stub", **fields: Any) -> Cell:
        """A run of one of its scenarios."""
        (found,) = select(load_suites(self.root), (identifier,))
        return Cell(found, model, **fields)

    def cassette(self, identifier: str = "001_x", model: str = "stub") -> Path:
        """Where a run is recorded."""
        return cassette_path(self.root, "home", model, identifier)


def _full(agent: str | None) -> str | None:
    return None if agent is None else f"tests.fakes.agents:{agent}"


@contextmanager
def stub_project(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProject]:
    """A project in an environment without CI and without settings of the machine's user."""
    for name in ("CI", *(name for name in os.environ if name.startswith("KIT_"))):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield StubProject(root)
