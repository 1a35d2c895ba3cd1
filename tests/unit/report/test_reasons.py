"""Why the gate says what it says."""

from __future__ import annotations

from kit.baseline.accepted import CellId
from kit.gate.reason import Reason
from kit.harness.unrecorded import Unrecorded
from kit.report.reasons import LONGEST, told_reasons
from tests.builders import report, result


def test_what_was_never_recorded_is_one_reason() -> None:
    """Twenty missing cassettes are one thing to do; everything else stands by itself."""
    details = (
        Reason("block", "error", "002_y has no verdict", CellId("home", "m:1b", "002_y")),
        Reason("block", "error", "003_z has no verdict", CellId("home", "m:1b", "003_z")),
        Reason("warn", "avg_cost", "avg_cost rose"),
    )
    made = report(
        result(), gate="block", gate_details=details, unrecorded=Unrecorded(cells=("002_y", "004_w"))
    )
    assert list(told_reasons(made)) == [
        ("block", "2 runs have no verdict: not recorded, see below"),
        ("block", "003_z has no verdict"),
        ("warn", "avg_cost rose"),
    ]


def test_a_report_with_sentences_alone() -> None:
    """They are all at the gate's level."""
    made = report(result(), gate="warn", gate_reasons=("one", "two"))
    assert list(told_reasons(made)) == [("warn", "one"), ("warn", "two")]
    assert list(told_reasons(report(result()))) == []


def test_only_the_first_failure_is_quoted() -> None:
    """The others stand below, and a wall of them hides the next reason."""
    failures = ("outcome: failure,\nexpected success", "files: x" + "y" * 200, "old")
    cell = CellId("home", "m:1b", "001_x")
    both = Reason("warn", "new", f"001_x is new and fails: {'; '.join(failures[:2])}", cell)
    long = Reason("warn", "new_failures", f"001_x failed before: {failures[1]}", cell)
    other = Reason("warn", "drift", "001_x: 2 differences", cell)
    made = report(result("fail", failures=failures), gate="warn", gate_details=(both, long, other))
    assert [what for _, what in told_reasons(made)] == [
        "001_x is new and fails: outcome: failure, expected success (and 1 more)",
        f"001_x failed before: files: x{'y' * (LONGEST - 9)}…",
        "001_x: 2 differences",
    ]
