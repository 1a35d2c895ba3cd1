"""A project of its own for each test, and short ways to write its files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kit.errors import ScenarioError
from kit.scenario.load import LoadedSuite, load_suites

SUITE = "description: a suite\ncategories: [happy_path, security]\n"


class Project:
    """A throwaway project with one suite, `home`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("scenarios/home/suite.yaml", SUITE)

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file below the root."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def scenario(self, identifier: str = "001_x", suite: str = "home", **changes: Any) -> Path:
        """Write a valid scenario with `changes`; `__` in a name goes a level down, None takes a key out."""
        values: dict[str, Any] = {
            "id": identifier,
            "category": "happy_path",
            "description": "a scenario",
            "setup": {"autonomy": "supervised", "available_tools": ["fs_read"]},
            "conversation": [{"user": "hello"}],
            "expected": {"outcome": "success", "final_response": {"contains_any": ["hi"]}},
        }
        for name, value in changes.items():
            *parents, last = name.split("__")
            at = values
            for parent in parents:
                at = at[parent]
            if value is None:
                del at[last]
            else:
                at[last] = value
        text = yaml.safe_dump(values, sort_keys=False, allow_unicode=True)
        return self.write(f"scenarios/{suite}/{identifier}.yaml", text)

    def load(self) -> tuple[LoadedSuite, ...]:
        """All suites."""
        return load_suites(self.root)

    def problems(self) -> list[str]:
        """What is wrong, as a person reads it."""
        with pytest.raises(ScenarioError) as refused:
            self.load()
        return [str(problem) for problem in refused.value.problems]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty suite to write scenarios into."""
    return Project(tmp_path)
