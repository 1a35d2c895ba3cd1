"""A scenario as a value."""

from __future__ import annotations

from typing import Any

import pytest

from kit.scenario.schema import Scenario, Setup


def _scenario(**changes: Any) -> Scenario:
    values: dict[str, Any] = {
        "id": "001_x",
        "category": "c",
        "description": "d",
        "setup": {"autonomy": "manual", "available_tools": []},
        "conversation": [{"user": "one"}, {"user": "two"}],
        "expected": {"outcome": "success"},
    }
    return Scenario.model_validate(values | changes)


def test_defaults_are_those_of_the_documents() -> None:
    """S2-14: what may be left out has these values."""
    setup = _scenario().setup
    assert (setup.channel, setup.workspace_state, setup.policy_preset) == ("cli:eval", "minimal", "default")
    assert (setup.fixtures, setup.approvals, setup.memory) == ((), (), {})


def test_approvals_are_words_or_booleans() -> None:
    """Both spellings mean the same answers, in order."""
    setup = Setup.model_validate(
        {"autonomy": "manual", "available_tools": [], "approvals": ["approve", "deny", True, False]}
    )
    assert setup.approvals == (True, False, True, False)


def test_user_messages_leave_out_what_the_agent_should_say() -> None:
    """The agent is driven by what the user says alone."""
    turns = [{"user": "one"}, {"expected_agent_partial": "sure?"}, {"user": "two"}]
    assert _scenario(conversation=turns).user_messages == ("one", "two")


@pytest.mark.parametrize(
    ("changes", "deterministic"),
    [
        ({}, False),
        ({"expected": {"outcome": "success", "cost_max_usd": 1, "latency_max_ms": 1}}, False),
        ({"expected": {"outcome": "success", "approvals_requested": 0}}, True),
        ({"expected": {"outcome": "success", "tools_called": [{"name": "a"}]}}, True),
        ({"expected": {"outcome": "success", "tools_not_called": ["a"]}}, True),
        ({"expected": {"outcome": "success", "files": [{"path": "/a"}]}}, True),
        ({"expected": {"outcome": "success", "memory": [{"key": "a"}]}}, True),
        ({"expected": {"outcome": "success", "final_response": {"regex": "a"}}}, True),
        ({"conversation": [{"user": "a"}, {"expected_agent_partial": "b"}]}, True),
    ],
)
def test_what_counts_as_a_deterministic_condition(changes: dict[str, Any], deterministic: bool) -> None:
    """S2-23: the outcome, limits and a judge look at nothing that the agent did."""
    assert _scenario(**changes).has_deterministic_condition is deterministic
