"""Warnings: returned with their lines, never an error."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from kit.scenario.lint import lint
from tests.builders import scenario

if TYPE_CHECKING:
    from tests.unit.scenario.conftest import Project


@pytest.mark.parametrize(
    ("identifier", "changes", "warnings"),
    [
        ("001_x", {}, []),
        ("020_x", {}, []),
        ("021_x", {}, [":1: a scenario above 020 says why it exists"]),
        ("021_x", {"reason": "seen on 2026-05-01"}, []),
        ("021_x", {"origin": "https://example.org/1"}, []),
        ("001_x", {"expected": {"outcome": "success"}}, ["nothing but `outcome` is checked"]),
        (
            "001_x",
            {"expected": {"outcome": "success", "tools_called": [{"name": "fs_read"}, {"name": "fs_write"}]}},
            ["expects a call of `fs_write`, which is not in `setup.available_tools`"],
        ),
        (
            "001_x",
            {"setup__faults": [{"on": "tool", "tool": "rm", "nth": 1, "timeout": True}]},
            ["a fault of `rm`, which is not in `setup.available_tools`, never happens"],
        ),
    ],
)
def test_warnings(project: Project, identifier: str, changes: dict[str, Any], warnings: list[str]) -> None:
    """What is allowed but hardly meant is said beside the result."""
    project.scenario(identifier, **changes)
    (loaded,) = project.load()
    assert len(loaded.warnings) == len(warnings)
    for found, part in zip(loaded.warnings, warnings, strict=True):
        assert part in str(found)
        assert found.where.startswith(f"scenarios/home/{identifier}.yaml:")


def test_an_id_of_thousands_of_digits_is_above_the_first_twenty() -> None:
    """Python reads no integer of more than 4,300 digits; found by fuzzing."""
    tree: Any = SimpleNamespace(path="a.yaml", line=lambda _: 1)
    (found, *_) = lint(scenario("0" + "9" * 5000, final_response={"contains_any": ["x"]}), tree)
    assert "above 020" in found.what
    assert not lint(scenario("020_x", final_response={"contains_any": ["x"]}), tree)
