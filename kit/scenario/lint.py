"""What a scenario may say but probably does not mean; warnings never stop a run."""

from __future__ import annotations

import re

from kit.errors import Problem
from kit.scenario.schema import Scenario
from kit.scenario.tree import Location, Tree

_CANONICAL = 20
"""The default dataset has this many scenarios; later ones have to say why they exist (S2-25)."""


def lint(scenario: Scenario, tree: Tree) -> tuple[Problem, ...]:
    """The warnings of one scenario, with their lines.

    Args:
        scenario: as loaded.
        tree: the file it was loaded from.
    """
    found: list[tuple[Location, str]] = []
    if not scenario.has_deterministic_condition:
        what = "nothing but `outcome` is checked: add an oracle that looks at what the agent did"
        found.append((("expected",), what))
    number = re.match(r"0*(\d{1,9})", scenario.id)  # Python reads no integer of thousands of digits
    if number and int(number[1]) > _CANONICAL and not (scenario.reason or scenario.origin):
        what = "a scenario above 020 says why it exists: add `reason`, or `origin` with a link to the failure"
        found.append((("id",), what))
    calls = scenario.expected.tools_called
    for index, call in enumerate(calls.calls if calls else ()):
        if call.name not in scenario.setup.available_tools:
            what = f"expects a call of `{call.name}`, which is not in `setup.available_tools`"
            found.append((("expected", "tools_called", index), what))
    for index, fault in enumerate(scenario.setup.faults):
        if fault.tool is not None and fault.tool not in scenario.setup.available_tools:
            what = f"a fault of `{fault.tool}`, which is not in `setup.available_tools`, never happens"
            found.append((("setup", "faults", index, "tool"), what))
    return tuple(Problem(f"{tree.path}:{tree.line(location)}", what) for location, what in found)
