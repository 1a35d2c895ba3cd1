"""The tree of errors and their exit codes (decision 14)."""

from __future__ import annotations

import re

import pytest

from kit import errors
from kit.errors import BaselineError, KitError, Problem, ReplayStop, ScenarioError


def tree(root: type[BaseException]) -> dict[str, type[BaseException]]:
    """Every public class of kit.errors below a root, by name."""
    found = {} if root.__name__.startswith("_") else {root.__name__: root}
    for kind in root.__subclasses__():
        if kind.__module__ == "kit.errors":
            found |= tree(kind)
    return found


def drawn() -> dict[str, int]:
    """Class and exit code of each line of the tree that the module's docstring draws."""
    lines = re.findall(r"^[│ ]*[├└]── (\w+) +(\d+) ", errors.__doc__ or "", flags=re.MULTILINE)
    return {name: int(code) for name, code in lines}


def test_tree_in_the_docstring_is_the_tree() -> None:
    """Who reads the module sees every class, and the code it really has."""
    classes = tree(KitError) | tree(ReplayStop)
    real = {
        name: kind.exit_code
        for name, kind in classes.items()
        if issubclass(kind, KitError | ReplayStop) and kind not in {KitError, ReplayStop}
    }
    assert drawn() == real


def test_error_without_a_code_of_its_own_is_a_bug() -> None:
    """Forgetting it must not look like success."""
    assert KitError("x").exit_code == 70


def test_text_says_what_where_why_and_next() -> None:
    """What is not known is left out."""
    assert str(KitError("it broke")) == "it broke"
    assert str(KitError("it broke", where="a.py:3")) == "a.py:3: it broke"
    assert str(KitError("it broke", where="a.py:3", why="so", next_command="kit record")) == (
        "a.py:3: it broke\n  why:  so\n  next: kit record"
    )


@pytest.mark.parametrize(
    ("kind", "files"), [(ScenarioError, "scenario files"), (BaselineError, "baseline files")]
)
def test_files_tell_every_problem(kind: type[ScenarioError | BaselineError], files: str) -> None:
    """All at once, in their order."""
    one, two = Problem("a.yaml:1", "is empty"), Problem("b.yaml", "is no mapping")
    error = kind((one, two))
    assert str(error) == f"2 problems in {files}:\n  a.yaml:1: is empty\n  b.yaml: is no mapping"
    assert error.problems == (one, two)
    assert str(kind((one,))).startswith(f"1 problem in {files}:")


def test_stop_is_not_swallowed_by_except_exception() -> None:
    """Agents and SDKs retry or swallow `Exception`; a miss must end the run all the same."""
    assert issubclass(ReplayStop, BaseException)
    for kind in tree(ReplayStop).values():
        assert not issubclass(kind, Exception)


def test_expected_failures_are_exceptions() -> None:
    """Whoever drives kit as a library catches one class."""
    assert issubclass(KitError, Exception)
