"""The outcome of a run, from events and never from text (decision 19)."""

from __future__ import annotations

from collections.abc import Sequence

from kit.trace.trace import Outcome, Step

_NO_ERROR = "Abandoned"
"""An agent that stops reading a stream because it has what it wants met no error."""


def outcome_of(steps: Sequence[Step], final_response: str | None, failure: str | None) -> Outcome:
    """What became of a run; the first rule that holds decides.

    Args:
        steps: the run's steps, reported events among them.
        final_response: the reply to the last turn; None or blank where there was none.
        failure: how the agent itself failed, else None.
    """
    if failure is not None or not (final_response or "").strip():
        return "failure"
    if _lacks_approval(steps):
        return "needs_approval"
    if any(step.kind == "event" and step.name in ("policy_violation", "refusal") for step in steps):
        return "refused"
    if any(_is_error(step) for step in steps):
        return "error_handled"
    return "success"


def _lacks_approval(steps: Sequence[Step]) -> bool:
    """Whether an approval was denied, or asked for and never decided."""
    requested = sum(step.kind == "event" and step.name == "approval_requested" for step in steps)
    decisions = [step for step in steps if step.kind == "event" and step.name == "approval_decided"]
    denied = any(not (step.arguments or {}).get("approved") for step in decisions)
    return denied or requested > len(decisions)


def _is_error(step: Step) -> bool:
    went_wrong = step.failure is not None and step.failure.partition(":")[0] != _NO_ERROR
    return step.kind in ("model_call", "tool_call") and went_wrong
