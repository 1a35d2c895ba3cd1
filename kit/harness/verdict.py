"""From findings and proofs to the verdict of one run (decision 13)."""

from __future__ import annotations

from pathlib import Path

from kit.harness.exit_code import worst
from kit.harness.plan import Cell, record_command
from kit.oracle.finding import Finding, crashes, failures
from kit.oracle.judgement import judgement
from kit.oracle.result import (
    Conditional,
    DifferenceRecord,
    DivergenceRecord,
    FindingRecord,
    OracleResult,
    Verdict,
)
from kit.run.runner import RunResult
from kit.trace.trace import ExecutionTrace
from kit.wire.dialect import UNUSABLE_OUTPUT


def judged_result(
    cell: Cell,
    run: RunResult,
    findings: tuple[Finding, ...],
    trace_path: Path,
    notices: tuple[str, ...] = (),
    *,
    root: Path,
) -> OracleResult:
    """The result of a run that took place.

    Tool drift is a failure of the run, an oracle's crash and a failed proof of interception are errors. What
    was found on answers to other requests is no failure of anything: it stands under `conditional`.
    """
    drifted = tuple(f"tool drift: {text}" for text in run.tool_drift)
    failed = () if run.is_conditional else (*failures(findings), *drifted)
    found = _records(findings)
    errors = (*_errors(cell, run, root), *(crash.reason for crash in crashes(findings)))
    verdict: Verdict = "error" if errors else "fail" if failed else "pass"
    trace = run.trace
    given, ending = _judged(cell, trace)
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
        findings=() if run.is_conditional else found,
        errors=errors,
        exit_code=worst((run.exit_code, *(crash.exit_code for crash in crashes(findings)))),
        notices=(*notices, *run.notices),
        model_calls=sum(step.kind == "model_call" and not step.is_injected for step in trace.steps),
        tool_calls=sum(not step.is_injected for step in trace.tool_calls()),
        prompt_tokens=trace.usage.prompt_tokens,
        completion_tokens=trace.usage.completion_tokens,
        conditional=_conditional(run, found, drifted),
        judgement=given,
        ending=ending,
        failure=trace.failure,
        unusable_output=_unusable_output(trace),
    )


def _records(findings: tuple[Finding, ...]) -> tuple[FindingRecord, ...]:
    return tuple(
        FindingRecord(oracle=one.oracle, ok=one.ok, reason=one.reason, step=one.step) for one in findings
    )


def _judged(cell: Cell, trace: ExecutionTrace) -> tuple[str | None, str | None]:
    """The judgement of a suite that counts them; where there is none, how the run ended instead."""
    judging = cell.selected.suite.judging
    if judging is None:
        return None, None
    given = judgement(trace, judging)[0]
    return given, trace.final_response if given is None else None


def _unusable_output(trace: ExecutionTrace) -> str | None:
    """The failure of the last model call, where the fault lies in what the model wrote."""
    calls = [step for step in trace.steps if step.kind == "model_call"]
    failure = calls[-1].failure if calls else None
    return failure if failure is not None and UNUSABLE_OUTPUT in failure else None


def _conditional(
    run: RunResult, found: tuple[FindingRecord, ...], drifted: tuple[str, ...]
) -> Conditional | None:
    """What holds if the model would have said the same; of a run that was stopped, only what changed."""
    if not run.session.divergences:
        return None
    drift = tuple(FindingRecord(oracle="tool_drift", ok=False, reason=text) for text in drifted)
    return Conditional(
        divergences=tuple(
            DivergenceRecord(
                interaction=one.interaction,
                changes=one.changes,
                differences=tuple(
                    DifferenceRecord(path=place.path, old=place.old, new=place.new)
                    for place in one.differences
                ),
            )
            for one in run.session.divergences
        ),
        findings=(*found, *drift) if run.is_conditional else (),
    )


def _errors(cell: Cell, run: RunResult, root: Path) -> tuple[str, ...]:
    """What the proof of interception says; other than a miss, it does not know what to type."""
    if run.verdict_error is None:
        return ()
    session = run.session
    command = record_command(cell, root)
    if session.misses or session.side_effects or session.escapes:
        return (run.verdict_error,)
    if session.divergences:
        return (f"{run.verdict_error}\n  next      {command}",)
    return (
        run.verdict_error + (f"\n  next: {command}, if the change is meant" if session.leftovers else ""),
    )


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
