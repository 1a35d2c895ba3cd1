"""What an override has to answer for."""

from __future__ import annotations

from kit.baseline.accepted import CellId
from kit.gate.reason import Reason


def test_the_subject_is_the_cell_or_the_metric() -> None:
    """The log of regressions names it."""
    assert Reason("block", "regression", "x", CellId("s", "m", "001_x", replicate=2)).subject == "001_x@2"
    assert Reason("block", "avg_cost", "x").subject == "avg_cost"
