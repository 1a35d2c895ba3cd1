"""Why the gate says what it says."""

from __future__ import annotations

from kit.baseline.accepted import CellId
from kit.gate.reason import Reason
from kit.harness.unrecorded import Unrecorded
from kit.report.reasons import told_reasons
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
