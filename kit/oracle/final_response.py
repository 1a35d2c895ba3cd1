"""`final_response`: conditions on the text of the last answer (the judged one is in `critic`)."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.conditions import judged
from kit.oracle.finding import Finding
from kit.oracle.text import quoted
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace, Step

ORACLE = "final_response"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding for each of `contains_any`, `contains_all`, `not_contains`, `regex` that is stated.

    Without an answer nothing is contained, so that only `not_contains` holds.
    """
    conditions = scenario.expected.final_response
    if conditions is None:
        return
    last = answer_step(trace)
    answer = trace.final_response
    for name, problem in judged(answer or "", conditions):
        oracle = f"{ORACLE}.{name}"
        said = "the agent gave no final answer" if answer is None else f"it says {quoted(answer)}"
        holds = problem is None and (answer is not None or name == "not_contains")
        what = f"the answer {problem or 'satisfies it'}"
        yield Finding(oracle, holds, f"{oracle}: {what}; {said}", None if last is None else last.index)


def answer_step(trace: ExecutionTrace) -> Step | None:
    """The step of the last answer."""
    return next((step for step in reversed(trace.steps) if step.kind == "answer"), None)
