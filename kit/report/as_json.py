"""Results for a program: the same bytes for the same cassettes, but for timestamps and the commit."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kit.harness.eval_report import EvalReport

if TYPE_CHECKING:
    from kit.workflow.diff import Comparison
    from kit.workflow.tape_result import TapeResult
    from kit.workflow.verify import Verified


def render_reports(reports: Sequence[EvalReport]) -> str:
    """A JSON list of EvalReports, keys in the order of the model."""
    return json.dumps([report.model_dump(mode="json") for report in reports], indent=2, ensure_ascii=False)


def render_comparison(comparison: Comparison) -> str:
    """A JSON object of a comparison: every difference of every cell."""
    return json.dumps(dataclasses.asdict(comparison), indent=2, ensure_ascii=False)


def render_tape(result: TapeResult) -> str:
    """A JSON object of a wrapped program's result."""
    return json.dumps(dataclasses.asdict(result), indent=2, ensure_ascii=False, default=str)


def render_verification(verified: Verified) -> str:
    """A JSON object: every recorded request that was asked again, with what drifted."""
    return json.dumps(dataclasses.asdict(verified), indent=2, ensure_ascii=False, default=str)
