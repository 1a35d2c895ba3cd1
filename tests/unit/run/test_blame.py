"""How an agent's exception reads."""

from __future__ import annotations

import json
from pathlib import Path

from kit.agents.qa_tools import SPECS
from kit.run.blame import describe

HERE = Path(__file__).parent


def _caught(call: object) -> BaseException:
    try:
        call()  # type: ignore[operator]
    except BaseException as fault:  # noqa: BLE001 - it is handed on
        return fault
    raise AssertionError


def test_the_authors_line_is_named_and_not_the_librarys() -> None:
    """An exception out of json is blamed on the line that called it."""
    text = describe(_caught(lambda: json.loads("{")), HERE)
    assert text.startswith("JSONDecodeError: ")
    assert "(test_blame.py:" in text


def test_a_foreign_agents_line_is_shown_without_the_machines_path(tmp_path: Path) -> None:
    """Where no line is the project's, the innermost one stands without its folder."""
    text = describe(_caught(lambda: json.loads("{")), tmp_path)
    assert "(json/decoder.py:" in text


def test_a_shipped_agents_line_is_named_in_another_project(tmp_path: Path) -> None:
    """Not the line of the library below it, nor that of the loop above."""

    def ask() -> None:
        SPECS["read_file"].mismatch(None)  # type: ignore[arg-type]

    text = describe(_caught(ask), tmp_path)
    assert "(kit/agents/tool_specs.py:" in text


def test_a_group_of_one_is_its_one() -> None:
    """A task group with one failed task reads like the task."""

    def fail() -> None:
        raise BaseExceptionGroup("tasks", [BaseExceptionGroup("inner", [_caught(lambda: int("x"))])])

    assert describe(_caught(fail), HERE).startswith("ValueError: invalid literal")


def test_an_exception_without_text_or_traceback_is_its_name() -> None:
    """Nothing is made up."""
    assert describe(ValueError(), HERE) == "ValueError"
