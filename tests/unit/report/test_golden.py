"""A golden run as text."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from kit.gate.floor import Floor, compare
from kit.golden.outcome import CaseOutcome
from kit.golden.passes import Pass
from kit.golden.trend import trends
from kit.report.golden import (
    BANNER,
    pass_lines,
    render_golden,
    render_history,
    render_trend,
    render_unmeasured,
)
from kit.workflow.golden import GoldenOutcome, JudgedPass
from tests.unit.golden.test_passes import WHEN, one_pass

FLOORS = {"m": Floor(1, 3)}
MIXED = Pass(
    "m",
    1,
    (
        CaseOutcome("rf-a", "hit", "approved", "", 4_000),
        CaseOutcome("rf-long", "awaiting_approval", None, "waits", 12_345),
        CaseOutcome("rf-b", "blocked", None, "gone"),
    ),
    WHEN,
    "live",
)


def told(*passes: Pass, **fields: object) -> str:
    """The text of a run with these passes."""
    judged = tuple(JudgedPass(one, compare(FLOORS, one.model, one.hits, one.of)) for one in passes)
    outcome = GoldenOutcome(judged, (), Path(".kit/golden/x"), 0, 0)
    return render_golden(dataclasses.replace(outcome, **fields))  # type: ignore[arg-type]


def test_all_cases_of_a_pass_stand_together() -> None:
    """With the count, its total, how each ended and how long it took; the floor behind (S4-28, X-06)."""
    assert told(MIXED).splitlines() == [
        "m, pass 1 (live): 1/3",
        "  rf-a     hit                 4.0 s  approved",
        "  rf-long  awaiting_approval  12.3 s  waits",
        "  rf-b     blocked(infra)          -  gone",
        "  floor: 1/3 holds the floor 1/3 of m",
        "",
        "traces: .kit/golden/x",
    ]


def test_notices_stand_below_the_cases() -> None:
    """They change no count, and a count that rests on an edited recording is to be known."""
    judged = JudgedPass(MIXED, compare(FLOORS, "m", 1, 3), ("rf-a: x.yaml was edited by hand",))
    lines = list(pass_lines(judged))
    assert lines[4] == "  i rf-a: x.yaml was edited by hand"
    assert lines[5].startswith("  floor: ")


def test_trouble_everywhere_points_at_the_harness() -> None:
    """And a missed floor is marked (F14)."""
    text = told(one_pass("no_verdict", "blocked", "crash"))
    assert "  ! harness problem suspected: no case ended with a judgement" in text
    assert "  x floor: 0/3 is below the floor 1/3 of m" in text


def test_several_passes_are_counted_side_by_side() -> None:
    """Model by model, never pooled; a single pass is not told twice."""
    other = dataclasses.replace(MIXED, model="n")
    text = told(MIXED, dataclasses.replace(one_pass("hit", "hit", "miss"), number=2), other)
    assert "m: 1/3, 2/3; least 1/3" in text
    assert "  hint: 2/3 is above the floor: a person may raise it" in text
    assert "n: " not in text


def test_what_else_is_told() -> None:
    """The seed's object, what was kept, what was logged; nothing can steer the terminal."""
    text = told(MIXED, seed='{"model": "\x1b[2J"}\n', kept=("recorded x.yaml",), logged=2)
    assert "recorded x.yaml" in text
    assert "history: 2 passes appended" in text
    assert "\x1b" not in text
    assert "history: 1 pass appended" in told(MIXED, logged=1)


def test_the_banner_says_what_it_is() -> None:
    """S4-07."""
    assert BANNER.startswith("NOT deterministic")
    assert "not in CI" in BANNER


def test_a_trend_has_counts_floor_and_how_each_case_ended() -> None:
    """Never a bare percentage (X-06)."""
    text = render_trend(trends([MIXED, dataclasses.replace(MIXED, number=2)], FLOORS))
    assert text.splitlines() == [
        "m: 1/3, 1/3 (least 1/3, most 1/3, floor 1/3)",
        "  rf-a     hit 2/2",
        "  rf-long  hit 0/2; awaiting_approval 2",
        "  rf-b     hit 0/2; blocked(infra) 2",
    ]
    assert "no floor" in render_trend(trends([MIXED], {}))


def test_floors_without_a_pass_are_told_too() -> None:
    """Side by side with those that were measured (S4-33)."""
    assert render_unmeasured({"a": Floor(1, 6), "b": Floor(4, 6)}) == (
        "no pass was logged of a (floor 1/6), b (floor 4/6)"
    )
    assert render_unmeasured({}) == ""


def test_a_history_has_a_line_for_each_pass() -> None:
    """When, who, which, from where, how many."""
    assert render_history([MIXED]) == "2026-11-30T02:00:00Z  m  pass 1  live  1/3"
    assert render_history([]) == ""
