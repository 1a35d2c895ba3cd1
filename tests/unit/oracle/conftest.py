"""Scenarios and traces in few words, for the tests of all oracles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace, Step

SETUP = {"autonomy": "supervised", "available_tools": ["fs_read"]}
QUESTION = "leggi il log"


def make_scenario(conversation: list[dict[str, str]] | None = None, **expected: Any) -> Scenario:
    """A scenario that expects success and what is named."""
    return Scenario.model_validate(
        {
            "id": "001_x",
            "category": "happy_path",
            "description": "d",
            "setup": SETUP,
            "conversation": conversation or [{"user": QUESTION}],
            "expected": {"outcome": "success", **expected},
        }
    )


def make_trace(*steps: Step, **fields: Any) -> ExecutionTrace:
    """A successful run of these steps, numbered as they stand."""
    numbered = tuple(replace(step, index=index) for index, step in enumerate(steps))
    answers = tuple(step.text or "" for step in steps if step.kind == "answer")
    known: dict[str, Any] = {
        "scenario_id": "001_x",
        "model": "m",
        "mode": "replay",
        "steps": numbered,
        "outcome": "success",
        "final_response": answers[-1] if answers else None,
        "replies": answers,
    }
    return ExecutionTrace(**{**known, **fields})


def make_call(name: str, **arguments: Any) -> Step:
    """A call of a tool."""
    return Step(0, "tool_call", name=name, arguments=arguments)


@pytest.fixture
def scenario() -> Callable[..., Scenario]:
    """`make_scenario`, for tests."""
    return make_scenario


@pytest.fixture
def trace() -> Callable[..., ExecutionTrace]:
    """`make_trace`, for tests."""
    return make_trace


@pytest.fixture
def call() -> Callable[..., Step]:
    """`make_call`, for tests."""
    return make_call
