"""From the files below `scenarios/` to suites; everything wrong in all of them is said at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kit.errors import Problem, ScenarioError, UsageError
from kit.scenario.complaint import check
from kit.scenario.lint import lint
from kit.scenario.schema import Scenario
from kit.scenario.suite import Suite
from kit.scenario.tree import Tree, did_you_mean, read_tree

FOLDER = "scenarios"
SUITE_FILE = "suite.yaml"


@dataclass(frozen=True, slots=True)
class LoadedSuite:
    """A suite with its scenarios.

    Attributes:
        suite: what `suite.yaml` says.
        folder: where it lies.
        scenarios: in order of their ids.
        warnings: what is allowed but probably not meant.
    """

    suite: Suite
    folder: Path
    scenarios: tuple[Scenario, ...]
    warnings: tuple[Problem, ...] = ()

    def path_of(self, scenario: Scenario) -> Path:
        """The file a scenario was read from: its stem is the id."""
        return self.folder / f"{scenario.id}.yaml"


def load_suites(root: Path) -> tuple[LoadedSuite, ...]:
    """Read every suite of a project, because a broken file anywhere must never look like a pass.

    Args:
        root: the project's root, which holds `scenarios/` and which fixtures are named from.

    Raises:
        UsageError: there is no `scenarios/` folder.
        ScenarioError: with every problem of every file.
    """
    base = root / FOLDER
    if not base.is_dir():
        raise UsageError(
            f"there is no `{FOLDER}/` folder in {root}",
            why=f"a suite is a folder {FOLDER}/<suite>/ with {SUITE_FILE} and one file for each scenario",
            next_command=f"mkdir -p {FOLDER}/my_suite, or kit record -- python my_agent.py, which needs none",
        )
    problems = list(_strays(root, base))
    loaded = []
    for folder in sorted(entry for entry in base.iterdir() if entry.is_dir() and any(entry.glob("*.yaml"))):
        suite = _load_suite(root, folder, problems)
        loaded.append(_with_scenarios(root, folder, suite, problems))
    problems.extend(_twins(root, loaded))
    if problems:
        raise ScenarioError(tuple(problems))
    return tuple(
        LoadedSuite(suite, folder, tuple(found), warnings)
        for suite, folder, found, warnings in loaded
        if suite
    )


_Loaded = tuple[Suite | None, Path, list[Scenario], tuple[Problem, ...]]


def _shown(root: Path, file: Path) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else str(file)


def _strays(root: Path, base: Path) -> Iterator[Problem]:
    """Files that look like scenarios but lie where nobody reads them."""
    for file in sorted(base.rglob("*.y*ml")):
        shown = _shown(root, file)
        if file.suffix == ".yml":
            yield Problem(shown, f"would not be read: rename it to {file.stem}.yaml")
        elif file.parent.parent != base:
            yield Problem(
                shown, f"would not be read: a scenario lies directly in its suite, {FOLDER}/<suite>/<id>.yaml"
            )
        elif not (file.parent / SUITE_FILE).is_file() and file == min(file.parent.glob("*.yaml")):
            yield Problem(_shown(root, file.parent), f"has scenarios but no {SUITE_FILE}")


def _load_suite(root: Path, folder: Path, problems: list[Problem]) -> Suite | None:
    file = folder / SUITE_FILE
    if not file.is_file():
        return None
    tree = read_tree(file, _shown(root, file))
    suite = None
    if tree.value is not None:
        if "name" in tree.value:
            tree.report("`name` is not written in the file: a suite's name is its folder's", ("name",))
        suite = check(Suite, tree, {"name": folder.name})
    problems.extend(tree.problems)
    return suite


def _with_scenarios(root: Path, folder: Path, suite: Suite | None, problems: list[Problem]) -> _Loaded:
    scenarios: list[Scenario] = []
    warnings: list[Problem] = []
    for file in sorted(folder.glob("*.yaml")):
        if file.name == SUITE_FILE:
            continue
        scenario, tree = _read_scenario(root, file, suite)
        problems.extend(tree.problems)
        if scenario is not None:
            scenarios.append(scenario)
            warnings.extend(lint(scenario, tree))
    return suite, folder, scenarios, tuple(warnings)


def _read_scenario(root: Path, file: Path, suite: Suite | None) -> tuple[Scenario | None, Tree]:
    tree = read_tree(file, _shown(root, file))
    if tree.value is None:
        return None, tree
    scenario = check(Scenario, tree)
    _check_id(tree, file.stem, suite)
    _check_fixtures(tree, root)
    _check_ending(tree, suite)
    if suite is not None:
        _check_word(tree, ("category",), suite.categories)
        _check_word(tree, ("expected", "outcome"), suite.outcomes)
    return scenario, tree


def _written(tree: Tree, location: tuple[str, ...]) -> object:
    """A value as it is written, so that it is checked even where the rest of the file is wrong."""
    value = tree.value
    for part in location:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _check_id(tree: Tree, stem: str, suite: Suite | None) -> None:
    written = _written(tree, ("id",))
    if not isinstance(written, str):
        return
    if written != stem:
        tree.report(f"`id` is `{written}` but the file is called {stem}.yaml: both must be equal", ("id",))
    if suite is not None and not re.fullmatch(suite.id_pattern, written):
        tree.report(f"`id` must match {suite.id_pattern}, the pattern of the suite, is `{written}`", ("id",))


def _check_ending(tree: Tree, suite: Suite | None) -> None:
    """A scenario says how its run ends: by outcome, by verdict, or both."""
    expected = _written(tree, ("expected",))
    if not isinstance(expected, dict):
        return
    if "verdict" not in expected:
        if "outcome" not in expected:
            tree.report("`expected.outcome` is missing", ("expected", "outcome"))
    elif suite is not None and suite.judging is None:
        tree.report(
            f"suite {suite.name} has no `judging`: no agent of it gives a verdict", ("expected", "verdict")
        )
    elif suite is not None and suite.judging is not None:
        _check_word(tree, ("expected", "verdict"), suite.judging.values)


def _check_word(tree: Tree, location: tuple[str, ...], words: tuple[str, ...]) -> None:
    written = _written(tree, location)
    if isinstance(written, str) and written not in words:
        name = ".".join(location)
        allowed = ", ".join(words)
        tree.report(
            f"`{name}` is `{written}`{did_you_mean(written, words)}; the suite allows: {allowed}", location
        )


def _check_fixtures(tree: Tree, root: Path) -> None:
    fixtures = _written(tree, ("setup", "fixtures"))
    for number, fixture in enumerate(fixtures if isinstance(fixtures, list) else ()):
        named = fixture.get("content_fixture") if isinstance(fixture, dict) else None
        if not isinstance(named, str):
            continue
        location = ("setup", "fixtures", number, "content_fixture")
        try:
            if not (root / named).resolve().is_relative_to(root.resolve()):
                tree.report(f"fixture `{named}` lies outside the project", location)
            elif not (root / named).exists():
                tree.report(f"fixture `{named}` does not exist in the project", location)
        except (OSError, ValueError):
            tree.report("`content_fixture` cannot be the name of a file", location)


def _twins(root: Path, loaded: list[_Loaded]) -> Iterator[Problem]:
    """Ids are unique over all suites: the command line names scenarios by id alone."""
    first: dict[str, str] = {}
    for _, folder, scenarios, _ in loaded:
        for scenario in scenarios:
            shown = _shown(root, folder)
            if first.setdefault(scenario.id, shown) != shown:
                where = f"{shown}/{scenario.id}.yaml"
                yield Problem(
                    where, f"id `{scenario.id}` is already taken by {first[scenario.id]}/{scenario.id}.yaml"
                )
