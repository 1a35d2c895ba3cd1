"""`memory`: what the agent remembers after the run."""

from __future__ import annotations

from collections.abc import Iterator

from kit.oracle.finding import Finding
from kit.oracle.state import problems
from kit.scenario.expected import MemoryExpected
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace

ORACLE = "memory"


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding a remembered thing that conditions are stated of."""
    for entry in scenario.expected.memory or ():
        problem = _problem(entry, trace)
        yield Finding(ORACLE, problem is None, f"{ORACLE}: {entry.key!r} {problem or 'is as stated'}")


def _problem(entry: MemoryExpected, trace: ExecutionTrace) -> str | None:
    remembered = trace.memory.get(entry.key)
    if entry.exists is False:
        return None if remembered is None else "is remembered, expected not to be"
    return "is not remembered" if remembered is None else problems(remembered, entry)
