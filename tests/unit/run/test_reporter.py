"""Events that the agent tells, with their place on the run's clock."""

from __future__ import annotations

import pytest

from kit.errors import UsageError
from kit.redaction.redactor import Redactor
from kit.run.reporter import RunReporter


class FakeClock:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.ms = 0
        self.number = 0

    def now_ms(self) -> int:
        """Where it stands."""
        return self.ms

    def started(self) -> int:
        """The last interaction."""
        return self.number


def test_approvals_are_answered_in_order_and_then_denied() -> None:
    """Decision 18: exhausted is a denial and says so."""
    reporter = RunReporter(FakeClock(), (True, False))
    assert [reporter.ask_approval("write", {"path": "/a"}) for _ in range(3)] == [True, False, False]
    decided = [event.detail for event in reporter.events if event.kind == "approval_decided"]
    assert [(detail["approved"], detail["by"]) for detail in decided] == [
        (True, "scenario"),
        (False, "scenario"),
        (False, "exhausted"),
    ]
    assert reporter.events[0].detail == {"action": "write", "arguments": {"path": "/a"}}


def test_every_event_says_when_and_after_what() -> None:
    """Clock and interaction number are those at the moment of the report."""
    clock = FakeClock()
    reporter = RunReporter(clock)
    reporter.refusal("no")
    clock.ms, clock.number = 250, 3
    reporter.handoff("other")
    reporter.policy_violation("rm", "never", {"path": "/"})
    assert [(event.kind, event.at_ms, event.after, event.detail) for event in reporter.events] == [
        ("refusal", 0, 0, {"reason": "no"}),
        ("handoff", 250, 3, {"to": "other"}),
        ("policy_violation", 250, 3, {"tool": "rm", "reason": "never", "arguments": {"path": "/"}}),
    ]


def test_what_was_reported_does_not_change_afterwards() -> None:
    """The agent may go on working on its own dict."""
    reporter = RunReporter(FakeClock())
    arguments = {"lines": ["a"]}
    reporter.policy_violation("t", "r", arguments)
    arguments["lines"].append("b")
    assert reporter.events[0].detail["arguments"] == {"lines": ["a"]}


def test_only_json_values_can_be_reported() -> None:
    """A trace is written as JSON, so an event that is none is refused where it is made."""
    with pytest.raises(UsageError, match="what the agent reported as approval_requested"):
        RunReporter(FakeClock()).ask_approval("x", {"bad": object()})


def test_secrets_in_reports_are_masked() -> None:
    """What the recording masks stands in no trace."""
    redactor = Redactor()
    reporter = RunReporter(FakeClock())
    reporter.policy_violation("t", "r", {"password": "hunter22"})
    reporter.refusal("I keep hunter22 to myself")
    reporter.hide_secrets(redactor)
    assert [event.detail for event in reporter.events] == [
        {"tool": "t", "reason": "r", "arguments": {"password": "<secret-1>"}},
        {"reason": "I keep <secret-1> to myself"},
    ]
