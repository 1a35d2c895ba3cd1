"""What is told of prompts, parameters and tool schemas."""

from __future__ import annotations

from typing import Any

from kit.baseline.align import Pair
from kit.baseline.request_drift import told_of_requests
from kit.baseline.skeleton import skeleton_of


def told(old: dict[str, Any], new: dict[str, Any], calls: int = 1) -> list[str]:
    one, other = (
        skeleton_of({"requests": [request], "steps": [{"kind": "model_call", "request": 1}] * calls})
        for request in (old, new)
    )
    pairs = [Pair(index, index) for index in range(calls)]
    return [f"{found.kind} {found.step}: {found.sentence}" for found in told_of_requests(one, other, pairs)]


def test_a_prompt_is_told_once_with_its_first_step() -> None:
    """Fifty calls were asked with it."""
    one = {"prompt": [{"role": "system", "text": "be kind"}]}
    other = {"prompt": [{"role": "system", "text": "be brief"}]}
    assert told(one, other, 50) == ["prompt 1: system prompt: «be ‹kind›» → «be ‹brief›»"]
    assert told(one, {}) == ["prompt 1: system prompt: «be kind» → nothing"]
    assert told(one, one) == []


def test_schemas_are_matched_by_name_and_not_by_place() -> None:
    """A tool that stands elsewhere in the list is the same tool."""
    a, b = {"name": "a", "parameters": {"type": "object"}}, {"type": "function", "function": {"name": "b"}}
    assert told({"tools": [a, b]}, {"tools": [b, a]}) == []
    changed = {**a, "parameters": {"type": "object", "required": ["x"]}}
    assert told({"tools": [a, b]}, {"tools": [changed]}) == [
        'tool_schema 1: tool a: parameters.required: (absent) → ["x"]',
        "tool_schema 1: tool b is no longer offered",
    ]
    assert told({"tools": [a]}, {"tools": [a, a]}) == ["tool_schema 1: tool a (2) is offered anew"]


def test_what_is_unknown_is_not_compared() -> None:
    """An exchange that no dialect reads has no prompt that could have changed."""
    one = skeleton_of({"steps": [{"kind": "model_call"}]})
    other = skeleton_of(
        {"requests": [{"parameters": {"seed": 1}}], "steps": [{"kind": "model_call", "request": 1}]}
    )
    assert list(told_of_requests(one, other, [Pair(0, 0), Pair(None, 0)])) == []
