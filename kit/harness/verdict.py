"""From findings and proofs to the verdict of one run (decision 13)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit.harness.exit_code import worst
from kit.harness.plan import Cell
from kit.oracle.finding import Finding, crashes, failures
from kit.oracle.result import FindingRecord, OracleResult, Verdict
from kit.run.runner import RunResult


@dataclass(frozen=True, slots=True)
class Judged:
    """What the oracles said of a run, and what besides speaks against it."""

    findings: tuple[Finding, ...]


def judged_result(
    cell: Cell, run: RunResult, judged: Judged, trace_path: Path, notices: tuple[str, ...] = ()
) -> OracleResult:
    """The result of a run that took place.

    Tool drift is a failure of the run, an oracle's crash and a failed proof of interception are errors.
    """
    failed = (*failures(judged.findings), *(f"tool drift: {text}" for text in run.tool_drift))
    crashed = crashes(judged.findings)
    errors = (*_errors(cell, run), *(crash.reason for crash in crashed))
    verdict: Verdict = "error" if errors else "fail" if failed else "pass"
    trace = run.trace
    return OracleResult(
        scenario_id=cell.selected.scenario.id,
        passed=verdict == "pass",
        failures=failed,
        trace_path=trace_path,
        cost_usd=None if trace.cost_micro_usd is None else trace.cost_micro_usd / 1_000_000,
        latency_ms=trace.latency_ms,
        verdict=verdict,
        suite=cell.selected.suite.name,
        category=cell.selected.scenario.category,
        model=cell.model,
        replicate=cell.replicate,
        variant=cell.variant,
        outcome=trace.outcome,
        cost_micro_usd=trace.cost_micro_usd,
        findings=tuple(
            FindingRecord(oracle=one.oracle, ok=one.ok, reason=one.reason, step=one.step)
            for one in judged.findings
        ),
        errors=errors,
        exit_code=worst((run.exit_code, *(crash.exit_code for crash in crashed))),
        notices=(*notices, *run.notices),
        model_calls=sum(step.kind == "model_call" for step in trace.steps),
        tool_calls=len(trace.tool_calls()),
    )


def _errors(cell: Cell, run: RunResult) -> tuple[str, ...]:
    """What the proof of interception says; leftovers alone do not say what to type, a miss does."""
    if run.verdict_error is None:
        return ()
    session = run.session
    is_unexplained = session.leftovers and not (session.misses or session.side_effects or session.escapes)
    command = f"kit record --model {cell.model} {cell.selected.scenario.id}"
    return (run.verdict_error + (f"\n  next: {command}, if the change is meant" if is_unexplained else ""),)


def error_result(cell: Cell, error: str, exit_code: int) -> OracleResult:
    """The result of a run that never took place."""
    return OracleResult(
        scenario_id=cell.selected.scenario.id,
        passed=False,
        trace_path=Path(),
        verdict="error",
        suite=cell.selected.suite.name,
        category=cell.selected.scenario.category,
        model=cell.model,
        replicate=cell.replicate,
        variant=cell.variant,
        errors=(error,),
        exit_code=exit_code,
    )
