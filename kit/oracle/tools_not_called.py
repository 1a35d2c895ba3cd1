"""`tools_not_called`: tools that a run must leave alone."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.finding import Finding
from kit.oracle.text import in_steps
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

ORACLE = "tools_not_called"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding a tool named; a call that the model asked for and the agent never made does not count."""
    for name in scenario.expected.tools_not_called or ():
        steps = tuple(step.index for step in trace.tool_calls() if step.name == name)
        if steps:
            yield Finding(
                ORACLE, ok=False, reason=f"{ORACLE}: {name} was called{in_steps(steps)}", step=steps[0]
            )
        else:
            yield Finding(ORACLE, ok=True, reason=f"{ORACLE}: {name} was not called")
