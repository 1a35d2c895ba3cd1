"""The agent asked for leave as often as expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kit.oracle.approvals import findings
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace, Step

ASKED = Step(0, "event", name="approval_requested", text="approval_requested")
DECIDED = Step(0, "event", name="approval_decided", text="approval_decided")


@pytest.mark.parametrize(
    ("expected", "asked", "ok"),
    [
        (0, 0, True),
        (0, 1, False),
        (1, 1, True),
        (1, 0, False),
        (1, 2, False),
        ({"min": 1}, 3, True),
        ({"min": 1}, 0, False),
        ({"max": 2}, 2, True),
        ({"min": 1, "max": 2}, 3, False),
    ],
)
def test_number_of_requests(
    expected: Any,
    asked: int,
    ok: bool,
    scenario: Callable[..., Scenario],
    trace: Callable[..., ExecutionTrace],
) -> None:
    """Requests count, decisions do not."""
    [finding] = findings(scenario(approvals_requested=expected), trace(*[ASKED] * asked, DECIDED))
    assert finding.ok is ok


def test_reason(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """Expected, actual and the steps are told."""
    [finding] = findings(scenario(approvals_requested=1), trace(DECIDED, ASKED, ASKED))
    assert finding.reason == "approvals_requested: the agent asked for 2 approvals (steps 1, 2), expected 1"
    assert finding.step == 1


def test_not_stated(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """A condition that is not stated gives no finding."""
    assert not list(findings(scenario(), trace(ASKED)))
