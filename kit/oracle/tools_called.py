"""`tools_called`: calls that a run must have made (S2-15, S2-19)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kit.oracle import arguments
from kit.oracle.finding import Finding
from kit.oracle.paths import normal_path, path_arguments, path_matches
from kit.oracle.text import counted, in_steps
from kit.scenario.expected import ToolCalled
from kit.scenario.schema import Scenario
from kit.trace.trace import ExecutionTrace, Step

ORACLE = "tools_called"
_CALLS_SHOWN = 5


def findings(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """One finding a listed call: some call that was really made has its name, path and arguments.

    `times` counts all such calls. Under `order: strict` a call must come after the ones listed before it.
    A call that failed was made; one that the model asked for and the agent never made was not.
    """
    expected = scenario.expected.tools_called
    if expected is None:
        return
    made = trace.tool_calls()
    last: Step | None = None
    for wanted in expected.calls:
        matching = tuple(step for step in made if matches(step, wanted))
        finding = _occurrence(wanted, matching, made)
        if expected.order == "strict" and matching:
            reached = _in_order(wanted, matching, last)
            if finding.ok and reached is None:
                finding = _out_of_order(wanted, matching, last)
            last = reached or last
        yield finding


def matches(step: Step, wanted: ToolCalled) -> bool:
    """Whether a call is the one that a scenario lists."""
    if step.name != wanted.name:
        return False
    given = step.arguments or {}
    paths = path_arguments(given).values()
    if wanted.path_matches is not None and not any(path_matches(path, wanted.path_matches) for path in paths):
        return False
    if wanted.path_regex is not None and not any(_searches(wanted.path_regex, path) for path in paths):
        return False
    return all(
        name in given and arguments.holds(given[name], condition)
        for name, condition in wanted.args_match.items()
    )


def _searches(pattern: str, path: str) -> bool:
    return re.search(pattern, normal_path(path)) is not None


def _occurrence(wanted: ToolCalled, matching: tuple[Step, ...], made: tuple[Step, ...]) -> Finding:
    step = matching[0].index if matching else _first(made, wanted.name)
    if wanted.times is not None:
        ok = wanted.times.holds(len(matching))
        where = in_steps(tuple(step.index for step in matching))
        reason = (
            f"{_call(wanted)} was called {counted(len(matching), 'time')}{where}, expected {wanted.times}"
        )
        return Finding(ORACLE, ok, f"{ORACLE}: {reason}", step)
    if matching:
        where = in_steps(tuple(step.index for step in matching))
        return Finding(ORACLE, ok=True, reason=f"{ORACLE}: {_call(wanted)} was called{where}", step=step)
    return Finding(ORACLE, ok=False, reason=f"{ORACLE}: {_absence(wanted, made)}", step=step)


def _absence(wanted: ToolCalled, made: tuple[Step, ...]) -> str:
    named = [step for step in made if step.name == wanted.name]
    if named:
        shown = ", ".join(f"{_given(step, wanted)} (step {step.index})" for step in named[:_CALLS_SHOWN])
        more = f" and {len(named) - _CALLS_SHOWN} more" if len(named) > _CALLS_SHOWN else ""
        return f"{wanted.name} was called with {shown}{more}, none matched {_condition(wanted)}"
    others = ", ".join(sorted({step.name or "?" for step in made}))
    return f"{_call(wanted)} was never called; " + (
        f"the agent called {others}" if others else "no tool was called"
    )


def _in_order(wanted: ToolCalled, matching: tuple[Step, ...], last: Step | None) -> Step | None:
    """The call with which a listed one is complete, where it comes after those listed before; else None."""
    needed = max(1, wanted.times.min if wanted.times is not None else 1)
    later = [step for step in matching if last is None or step.index > last.index]
    return later[needed - 1] if len(later) >= needed else None


def _out_of_order(wanted: ToolCalled, matching: tuple[Step, ...], last: Step | None) -> Finding:
    where = in_steps(tuple(step.index for step in matching))
    before = "the calls listed before it" if last is None else f"{last.name} (step {last.index})"
    reason = f"{ORACLE}: {_call(wanted)} was called{where}, expected after {before}"
    return Finding(ORACLE, ok=False, reason=reason, step=matching[0].index)


def _first(made: tuple[Step, ...], name: str) -> int | None:
    return next((step.index for step in made if step.name == name), None)


def _given(step: Step, wanted: ToolCalled) -> str:
    """Of a call's arguments those that a condition speaks of, or all where none of them was given."""
    given = step.arguments or {}
    paths = path_arguments(given) if wanted.path_matches or wanted.path_regex else {}
    shown = {
        name: value for name, value in given.items() if name in paths or name in wanted.args_match
    } or given
    return ", ".join(f"{name} {value!r}" for name, value in shown.items()) or "no arguments"


def _condition(wanted: ToolCalled) -> str:
    parts = [repr(wanted.path_matches)] if wanted.path_matches is not None else []
    if wanted.path_regex is not None:
        parts.append(f"the regex {wanted.path_regex!r}")
    parts += [arguments.wanted(name, condition) for name, condition in wanted.args_match.items()]
    return " and ".join(parts)


def _call(wanted: ToolCalled) -> str:
    condition = _condition(wanted)
    return f"{wanted.name} with {condition}" if condition else wanted.name
