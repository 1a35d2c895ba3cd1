"""Decision 19 as a table: the first rule that holds decides."""

from __future__ import annotations

import pytest

from kit.run.outcome import outcome_of
from kit.trace.trace import Step

REQUESTED = Step(0, "event", name="approval_requested", arguments={"action": "a"})
APPROVED = Step(0, "event", name="approval_decided", arguments={"approved": True})
DENIED = Step(0, "event", name="approval_decided", arguments={"approved": False})
REFUSAL = Step(0, "event", name="refusal", arguments={"reason": "r"})
BLOCKED = Step(0, "event", name="policy_violation", arguments={"tool": "t"})
HANDOFF = Step(0, "event", name="handoff", arguments={"to": "x"})
MODEL = Step(0, "model_call", text="hi")
MODEL_500 = Step(0, "model_call", failure="http 500")
TOOL = Step(0, "tool_call", name="t")
TOOL_FAILED = Step(0, "tool_call", name="t", failure="FileNotFoundError: x")
LEFT = Step(0, "model_call", failure="Abandoned")
CANCELLED = Step(0, "model_call", failure="Cancelled")
ODD_ANSWER = Step(0, "answer", text="I refuse, error, denied", failure=None)


@pytest.mark.parametrize(
    ("steps", "final", "failure", "outcome"),
    [
        ([MODEL, TOOL], "done", None, "success"),
        ([MODEL], "done", "ValueError: x", "failure"),
        ([MODEL], None, None, "failure"),
        ([MODEL], "  ", None, "failure"),
        ([REQUESTED, DENIED, REFUSAL, TOOL_FAILED], None, "TimeLimit", "failure"),
        ([REQUESTED, DENIED], "ok", None, "needs_approval"),
        ([REQUESTED], "ok", None, "needs_approval"),
        ([REQUESTED, APPROVED], "ok", None, "success"),
        ([REQUESTED, DENIED, REQUESTED, APPROVED], "ok", None, "needs_approval"),
        ([REQUESTED, APPROVED, REQUESTED], "ok", None, "needs_approval"),
        ([REQUESTED, DENIED, REFUSAL, BLOCKED, TOOL_FAILED], "ok", None, "needs_approval"),
        ([REFUSAL], "no", None, "refused"),
        ([BLOCKED], "no", None, "refused"),
        ([BLOCKED, TOOL_FAILED, MODEL_500], "no", None, "refused"),
        ([TOOL_FAILED], "sorry", None, "error_handled"),
        ([MODEL_500, MODEL], "ok", None, "error_handled"),
        ([CANCELLED, MODEL], "ok", None, "error_handled"),
        ([LEFT], "ok", None, "success"),
        ([HANDOFF, MODEL], "ok", None, "success"),
        ([ODD_ANSWER], "I refuse, error, denied", None, "success"),
        ([], "ok", None, "success"),
    ],
)
def test_the_first_rule_decides(
    steps: list[Step], final: str | None, failure: str | None, outcome: str
) -> None:
    """The outcome comes from events and steps, never from what the agent says."""
    assert outcome_of(steps, final, failure) == outcome
