"""Drift as a person reads it."""

from __future__ import annotations

from kit.baseline.accepted import CellId
from kit.baseline.drift import Drift
from kit.harness.eval_report import DriftRecord
from kit.report.drift import MOST, counted, drift_lines, render_comparison, report_lines
from kit.workflow.diff import ComparedCell, Comparison
from tests.builders import report, result

PROMPT = Drift("prompt", "warn", "system prompt: «be ‹kind›» → «be ‹brief›»", 2)
WORSE = Drift("verdict", "block", "pass → fail: no answer")
SLOWER = Drift("latency", "info", "1000 ms → 2000 ms (+100 %)")
ONE, TWO = CellId("home", "m", "001_x"), CellId("home", "m", "002_y")


def test_golden_comparison() -> None:
    """Both sides, each cell that differs with the heaviest first, what only one has, and the counts."""
    cells = (ComparedCell(ONE, ONE, (PROMPT, SLOWER, WORSE)), ComparedCell(TWO, TWO, ()))
    extra = CellId("home", "m", "003_z", replicate=2)
    assert (
        render_comparison(Comparison("baseline", "last (x)", cells, (), (extra,), 1))
        == """\
before  baseline
after   last (x)

home/001_x on m
  block  verdict         pass → fail: no answer
  warn   prompt          system prompt: «be ‹kind›» → «be ‹brief›»
  info   latency         1000 ms → 2000 ms (+100 %)

only after: home/003_z@2 on m

2 runs compared, 1 the same: 1 block, 1 warn, 1 info"""
    )


def test_models_and_different_cells_are_named_with_both() -> None:
    """A model swap says which became which."""
    other = CellId("home", "n", "001_x")
    swap = Comparison("m", "n", (ComparedCell(ONE, other, (SLOWER,)),), (), (), 0)
    assert "\nhome/001_x on m → n\n" in render_comparison(swap)
    two = Comparison("a", "b", (ComparedCell(ONE, TWO, (SLOWER,)),), (), (), 0)
    assert "\nhome/001_x on m → home/002_y on m\n" in render_comparison(two)


def test_many_differences_are_counted() -> None:
    """JSON has all of them."""
    lines = list(drift_lines([SLOWER] * (MOST + 2)))
    assert len(lines) == MOST + 1
    assert lines[-1] == "… and 2 more differences (--json has all)"
    assert counted([SLOWER, WORSE]) == "1 block, 0 warn, 1 info"


def record(cell: str, kind: str = "prompt") -> DriftRecord:
    return DriftRecord(cell=cell, kind=kind, severity="warn", sentence="s", step=1)


def test_a_report_tells_what_changed_against_its_baseline() -> None:
    """Verdicts by cell, then drift; the gate says a worse verdict itself."""
    told = report(
        result(), baseline_diff={"better": ["002_y"], "worse": ["001_x"]}, against="main",
        drift=(record("001_x"), record("001_x", "verdict")),
    )  # fmt: skip
    assert list(report_lines(told)) == [
        "",
        "  against main: better: 002_y; worse: 001_x",
        "    001_x",
        "      warn   prompt          s",
    ]


def test_a_report_without_changes_tells_nothing() -> None:
    """Unless somebody asked about another ref."""
    assert list(report_lines(report(result(), baseline_diff={}))) == []
    assert list(report_lines(report(result()))) == []
    assert list(report_lines(report(result(), baseline_diff={}, against="main"))) == [
        "",
        "  against main: no verdict changed",
    ]
    assert list(report_lines(report(result(), against="main"))) == [
        "",
        "  against main: nothing of this suite and model was accepted there",
    ]
