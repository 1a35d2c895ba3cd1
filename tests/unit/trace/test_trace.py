"""The trace of one run, as oracles look at it."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest

from kit.scenario.suite import OUTCOMES
from kit.trace.trace import ExecutionTrace, Outcome, RequestedCall, Step, Usage

STEPS = (
    Step(0, "user", text="leggi"),
    Step(1, "model_call", requested=(RequestedCall("c1", "fs_read", {}, "{}"),)),
    Step(2, "event", name="approval_requested"),
    Step(3, "tool_call", name="fs_read"),
    Step(4, "event", name="refusal"),
    Step(5, "tool_call", name="fs_list", failure="PermissionError: no"),
    Step(6, "answer", text="fatto"),
)
TRACE = ExecutionTrace("001_x", "m", "replay", STEPS, "success", "fatto")


def test_tool_calls_are_those_really_made() -> None:
    """A call that a model asked for is none; one that failed is one."""
    assert [step.name for step in TRACE.tool_calls()] == ["fs_read", "fs_list"]


def test_events_of_one_kind() -> None:
    """A tool that is called like an event is none."""
    odd = dataclasses.replace(TRACE, steps=(*STEPS, Step(7, "tool_call", name="refusal")))
    assert [step.index for step in odd.events("refusal")] == [4]
    assert odd.events("handoff") == ()


def test_what_nobody_said_is_none_and_not_zero() -> None:
    """X-05: tokens and cost of a trace that was told nothing."""
    assert Usage() == Usage(None, None)
    assert TRACE.usage == Usage()
    assert TRACE.cost_micro_usd is None
    assert Step(0, "model_call").usage == Usage()


def test_trace_does_not_change() -> None:
    """Oracles share it."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(TRACE, "outcome", "failure")  # noqa: B010 - the assignment that type checkers refuse


def test_outcomes_are_those_of_the_suites() -> None:
    """Decision 19's values are what a suite may expect."""
    assert set(get_args(Outcome)) == set(OUTCOMES)
