"""What was never recorded."""

from __future__ import annotations

from typing import Any

from kit.harness.unrecorded import Unrecorded
from kit.report.unrecorded import unrecorded_lines
from tests.builders import report, result


def lines(**fields: Any) -> list[str]:
    """The lines about two scenarios."""
    known = {"cells": ("002_y", "003_z"), "runs": 18, "prompt_tokens": 2100, "completion_tokens": 340}
    return list(unrecorded_lines(report(result(), unrecorded=Unrecorded.model_validate({**known, **fields}))))


def test_golden_lines() -> None:
    """Which, how much, and what to type."""
    assert lines(is_priced=True, cost_micro_usd=12_345) == [
        "not recorded: 2 runs of home on m:1b",
        "  002_y, 003_z",
        (
            "  recording takes about 2 × (2,100 in + 340 out) tokens, the mean of 18 recorded runs: "
            "about $0.012345, judges not counted"
        ),
        "  next: kit record home --missing --model m:1b",
    ]


def test_price_unknown_free_or_without_tokens() -> None:
    """Three different things (X-05)."""
    assert lines()[2].endswith('price unknown ([tool.kit.prices] has none for "m:1b")')
    assert lines(is_priced=True, cost_micro_usd=0)[2].endswith("free of charge, judges not counted")
    unknown = lines(is_priced=True, runs=0, prompt_tokens=None, completion_tokens=None)
    assert unknown[2] == "  recording takes tokens that no recorded run tells of: cost unknown"


def test_runs_of_other_models_are_named_so() -> None:
    """The estimate is weaker then."""
    assert "the mean of 1 recorded run on other models" in lines(runs=1, on_model=False)[2]


def test_all_is_recorded() -> None:
    """Then there is nothing to say."""
    assert list(unrecorded_lines(report(result()))) == []
