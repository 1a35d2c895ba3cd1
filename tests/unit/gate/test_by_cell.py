"""Rules that look at one scenario at a time."""

from __future__ import annotations

from dataclasses import replace

from kit.gate.by_cell import reasons
from kit.gate.thresholds import Thresholds
from tests.fakes.changes import change


def test_a_regression_always_warns_at_least() -> None:
    """In a category without limits the rate decides whether it blocks, and it is named all the same."""
    (reason,) = reasons([change("pass", "fail")], Thresholds())
    assert (reason.level, reason.rule) == ("warn", "regression")
    assert reason.what == "001_x was accepted as pass and fails: it is wrong"


def test_replicates_of_one_scenario_are_one() -> None:
    """Two of two runs that fell are one scenario of error handling, and one warns."""
    first = change("pass", "fail", category="error_handling")
    second = replace(first, cell=replace(first.cell, replicate=2))
    assert [reason.level for reason in reasons([first, second], Thresholds())] == ["warn", "warn"]


def test_a_category_may_be_told_to_warn_only() -> None:
    """The limits of a category are the project's to choose."""
    limits = Thresholds.model_validate({"categories": {"security": {"warn": 1}}})
    (reason,) = reasons([change("pass", "fail", category="security")], limits)
    assert (reason.level, reason.what.split()[1]) == ("warn", "(security)")


def test_missing_may_warn() -> None:
    """A project that drops scenarios often can live with a warning."""
    limits = Thresholds.model_validate({"missing": "warn"})
    assert [reason.level for reason in reasons([change("pass", None)], limits)] == ["warn"]
