"""What the agent remembers after the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kit.oracle.memory import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"key": "tea"}, None),
        ({"key": "tea", "contains_any": ["GREEN"]}, None),
        ({"key": "tea", "content": "green"}, None),
        ({"key": "tea", "content": "black"}, "is not «black»; it holds «green»"),
        ({"key": "tea", "exists": False}, "is remembered, expected not to be"),
        ({"key": "milk"}, "is not remembered"),
        ({"key": "milk", "exists": True}, "is not remembered"),
        ({"key": "milk", "not_contains": ["x"]}, "is not remembered"),
        ({"key": "milk", "exists": False}, None),
    ],
)
def test_entry(
    entry: Any, problem: str | None, scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """One finding an entry, with what is wrong of it."""
    [finding] = findings(scenario(memory=[entry]), trace(memory={"tea": "green"}))
    assert finding.ok is (problem is None)
    assert finding.reason == f"memory: '{entry['key']}' {problem or 'is as stated'}"
