"""`verdict`: an agent that judges came to the verdict that people agreed on (S4-21)."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.finding import Finding
from kit.scenario.schema import Scenario
from kit.scenario.suite import Judging
from kit.trace.trace import ExecutionTrace

ORACLE = "verdict"


def findings(scenario: Scenario, trace: ExecutionTrace, judging: Judging | None = None) -> Iterator[Finding]:
    """One finding where a verdict is expected: the verdict is it, however the agent words its reason.

    Args:
        scenario: names the verdict.
        trace: the run.
        judging: how agents of the suite say a verdict.
    """
    wanted = scenario.expected.verdict
    if wanted is None or judging is None:
        return
    given, step = judgement(trace, judging)
    if given is None:
        yield Finding(ORACLE, ok=False, reason=f"{ORACLE}: the agent gave none, expected {wanted}")
        return
    tail = "" if given == wanted else f", expected {wanted}"
    yield Finding(ORACLE, given == wanted, f"{ORACLE}: {given}{tail}", step)


def judgement(trace: ExecutionTrace, judging: Judging) -> tuple[str | None, int | None]:
    """The verdict an agent gave and the step that says it; the last one counts, (None, None) without any.

    A call that failed was turned down, and a word that is none of the suite's is no verdict.
    """
    for step in reversed(trace.tool_calls()):
        given = (step.arguments or {}).get("verdict")
        if step.name == judging.tool and step.failure is None and given in judging.values:
            return str(given), step.index
    return None, None
