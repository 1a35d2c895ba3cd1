"""`expected_agent_partial`: what the agent's reply to one turn of the conversation contains (S2-11)."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.finding import Finding
from kit.oracle.text import contains, quoted
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

ORACLE = "expected_agent_partial"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding a condition of the conversation, about the reply to the user's turn before it."""
    turn = 0
    for item in scenario.conversation:
        if item.user is not None:
            turn += 1
        if item.expected_agent_partial is not None:
            yield _finding(turn, item.expected_agent_partial, trace)


def _finding(turn: int, part: str, trace: ExecutionTrace) -> Finding:
    if turn > len(trace.replies):
        reason = f"{ORACLE}: the run ended before a reply to turn {turn}, expected one that contains {part!r}"
        return Finding(ORACLE, ok=False, reason=reason)
    reply = trace.replies[turn - 1]
    ok = contains(reply, part)
    verb = "contains" if ok else "does not contain"
    reason = f"{ORACLE}: the reply to turn {turn} {verb} {part!r}; it says {quoted(reply)}"
    answers = [step.index for step in trace.steps if step.kind == "answer"]
    return Finding(ORACLE, ok, reason, answers[turn - 1] if turn <= len(answers) else None)
