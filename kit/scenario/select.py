"""Which scenarios a command means; what it names but does not exist is an error, and so is nothing at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kit.errors import UsageError
from kit.scenario.load import LoadedSuite
from kit.scenario.schema import Scenario
from kit.scenario.suite import Suite
from kit.scenario.tree import did_you_mean


@dataclass(frozen=True, slots=True)
class Selected:
    """One scenario that a command means.

    Attributes:
        suite: the suite it belongs to.
        scenario: the scenario.
        path: its file.
    """

    suite: Suite
    scenario: Scenario
    path: Path


def select(
    suites: Sequence[LoadedSuite], wanted: Sequence[str] = (), only: Sequence[str] = ()
) -> tuple[Selected, ...]:
    """Narrow all scenarios down to those a command means, in order of suite and id.

    Args:
        suites: everything that was loaded.
        wanted: ids, the beginning of an id up to a `_` (`001`), suite names, or paths of a file or a suite's
            folder. Without any, all scenarios of the suites that are `default`.
        only: categories; narrows further.

    Raises:
        UsageError: an unknown id, suite, path or category, with what exists (S2-46 15), or nothing left
            (S2-46 10).
    """
    categories = sorted({category for loaded in suites for category in loaded.suite.categories})
    for category in only:
        if category not in categories:
            hint = did_you_mean(category, categories)
            raise UsageError(
                f"no suite has a category `{category}`{hint}", why=f"categories: {', '.join(categories)}"
            )
    everything = tuple(
        Selected(loaded.suite, scenario, loaded.path_of(scenario))
        for loaded in suites
        for scenario in loaded.scenarios
    )
    if wanted:
        named = {item.path for name in wanted for item in _named(name, suites, everything)}
        chosen = [item for item in everything if item.path in named]
    else:
        chosen = [item for item in everything if item.suite.default]
    chosen = [item for item in chosen if not only or item.scenario.category in only]
    if not chosen:
        raise UsageError("no scenario is selected", why=_why_empty(suites, only))
    return tuple(chosen)


def _named(name: str, suites: Sequence[LoadedSuite], everything: tuple[Selected, ...]) -> list[Selected]:
    """What one name on the command line means."""
    found = [item for item in everything if name in (item.scenario.id, item.suite.name)]
    found = found or [item for item in everything if item.scenario.id.startswith(f"{name}_")]
    if not found:
        path = Path(name).resolve()
        found = [item for item in everything if path in (item.path.resolve(), item.path.parent.resolve())]
    if found:
        return found
    ids = [item.scenario.id for item in everything]
    names = [loaded.suite.name for loaded in suites]
    raise UsageError(
        f"no scenario, suite or file is called `{name}`{did_you_mean(name, [*ids, *names])}",
        why=f"suites: {', '.join(names) or 'none'}; scenarios: {', '.join(ids) or 'none'}",
    )


def _why_empty(suites: Sequence[LoadedSuite], only: Sequence[str]) -> str:
    if not any(loaded.scenarios for loaded in suites):
        return "no suite holds a scenario"
    others = [loaded.suite.name for loaded in suites if not loaded.suite.default]
    aside = f"; name these suites to take them in: {', '.join(others)}" if others else ""
    if only:
        return f"none of those named is in {', '.join(only)}{aside}"
    return f"no suite is `default: true`{aside}"
