"""The report of one suite and one model (S2-40): the three numbers first, then every result."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from kit.oracle.result import OracleResult


class EvalReport(BaseModel):
    """What running the scenarios of one suite on one model gave.

    Attributes:
        schema_version: of this form.
        suite: name of the suite.
        model: tag of the model; models are never pooled (decision 20).
        commit: git commit of the project, `-dirty` behind it where the tree was; None outside git.
        timestamp: when the report was made.
        mode: replay or live.
        scenarios: one result each, in the order of the plan.
        summary: the three numbers and the counts beside them, by metric name (`harness.metrics`).
        baseline_diff: what changed against the accepted verdicts; None where nothing was accepted.
        gate: pass, warn or block.
        gate_reasons: a sentence for everything that moved the gate.
        overridden: a block was passed with a stated reason (S2-37).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    suite: str
    model: str
    commit: str | None
    timestamp: dt.datetime
    mode: Literal["replay", "live"]
    scenarios: tuple[OracleResult, ...]
    summary: dict[str, Any]
    baseline_diff: dict[str, Any] | None = None
    gate: Literal["pass", "warn", "block"] = "pass"
    gate_reasons: tuple[str, ...] = ()
    overridden: bool = False
