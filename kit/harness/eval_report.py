"""The report of one suite and one model (S2-40): the three numbers first, then every result."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from kit.gate.reason import Reason
from kit.harness.unrecorded import Unrecorded
from kit.oracle.result import OracleResult, Printable


class DriftRecord(BaseModel):
    """One difference between a run and what was accepted of it (`baseline.drift`).

    Attributes:
        cell: which run.
        kind: class of the difference.
        severity: how much it weighs.
        sentence: for a person.
        step: of the run, counted from 1; None where it is about the whole run.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cell: str
    kind: str
    severity: Literal["info", "warn", "block"]
    sentence: Printable
    step: int | None = None


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
        baseline_summary: the three numbers of what was accepted, over the scenarios that ran again.
        baseline_diff: what changed against the accepted verdicts; None where nothing was accepted.
        against: the git ref whose baselines counted; None is the working tree.
        drift: what differs from the accepted runs, by cell and class.
        gate: pass, warn or block.
        gate_reasons: a sentence for everything that moved the gate.
        gate_details: the same reasons with level, rule and cell, for a program.
        overridden: a block was passed with a stated reason (S2-37).
        unrecorded: what has no cassette, and what recording it would cost; None where all has one.
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
    baseline_summary: dict[str, Any] | None = None
    baseline_diff: dict[str, Any] | None = None
    against: str | None = None
    drift: tuple[DriftRecord, ...] = ()
    gate: Literal["pass", "warn", "block"] = "pass"
    gate_reasons: tuple[str, ...] = ()
    gate_details: tuple[Reason, ...] = ()
    overridden: bool = False
    unrecorded: Unrecorded | None = None
