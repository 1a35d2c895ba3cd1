"""From findings and proofs to a verdict (decision 13)."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kit.cassette.differences import Difference
from kit.cassette.divergence import Divergence
from kit.harness.verdict import error_result, judged_result
from kit.oracle.finding import Finding, OracleCrash
from kit.oracle.result import OracleResult
from kit.recording.options import SessionResult
from kit.run.runner import RunResult
from kit.scenario.suite import Suite
from kit.trace.trace import Step
from kit.wire.dialect import UNUSABLE_OUTPUT
from tests.builders import cell, run, trace

HOLDS = Finding("outcome", ok=True, reason="outcome: success")
BROKEN = Finding("final_response.contains_any", ok=False, reason="the answer lacks 'x'", step=3)
CRASHED = OracleCrash("files", ok=False, reason="files could not be judged: boom", exit_code=70)


def judged(*findings: Finding, notices: tuple[str, ...] = (), made: RunResult | None = None) -> OracleResult:
    """The result of a run on which the oracles said this."""
    path = Path("traces/001_x.jsonl")
    return judged_result(cell(), made or run(), findings, path, notices, root=Path("/nowhere"))


@pytest.mark.parametrize(
    ("findings", "fields", "verdict", "exit_code"),
    [
        ((HOLDS,), {}, "pass", 0),
        ((), {}, "pass", 0),
        ((HOLDS, BROKEN), {}, "fail", 0),
        ((HOLDS,), {"tool_drift": ("fs_read gave another text",)}, "fail", 0),
        ((HOLDS, CRASHED), {}, "error", 70),
        ((BROKEN, CRASHED), {}, "error", 70),
        ((BROKEN,), {"verdict_error": "MISS", "exit_code": 3}, "error", 3),
        ((CRASHED,), {"verdict_error": "MISS", "exit_code": 3}, "error", 70),
    ],
)
def test_precedence(
    findings: tuple[Finding, ...], fields: dict[str, object], verdict: str, exit_code: int
) -> None:
    """Error before fail before pass; a failing scenario alone has no exit code, the gate decides on it."""
    found = judged(*findings, made=run(**fields))
    assert (found.verdict, found.exit_code) == (verdict, exit_code)
    assert found.passed == (verdict == "pass")


def test_everything_found_is_kept() -> None:
    """S2-44: all failures are listed, beside an error too; a crash is an error and no failure."""
    found = judged(
        BROKEN,
        CRASHED,
        HOLDS,
        made=run(verdict_error="MISS", exit_code=3, tool_drift=("t differs",), notices=("from the run",)),
        notices=("from the cell",),
    )
    assert found.failures == ("the answer lacks 'x'", "tool drift: t differs")
    assert found.errors == ("MISS", "files could not be judged: boom")
    assert found.notices == ("from the cell", "from the run")
    assert [(one.oracle, one.ok, one.step) for one in found.findings] == [
        ("final_response.contains_any", False, 3),
        ("files", False, None),
        ("outcome", True, None),
    ]


def test_figures_come_from_the_trace() -> None:
    """Cost in both units, latency as recorded, calls counted by kind of step."""
    steps = (Step(0, "user"), Step(1, "model_call"), Step(2, "tool_call"), Step(3, "model_call"))
    found = judged(HOLDS, made=run(trace=trace(*steps, cost_micro_usd=1_250_000)))
    assert (found.cost_micro_usd, found.cost_usd, found.latency_ms) == (1_250_000, 1.25, 2000)
    assert (found.model_calls, found.tool_calls) == (2, 1)
    assert found.trace_path == Path("traces/001_x.jsonl")


def test_unknown_cost_stays_unknown() -> None:
    """X-05: without a price there is no cost, in neither unit."""
    found = judged(made=run(trace=trace(cost_micro_usd=None)))
    assert found.cost_micro_usd is None
    assert found.cost_usd is None


def test_result_names_its_cell() -> None:
    """Suite, category, model, replicate and variant are those of the cell."""
    found = judged_result(cell(replicate=2, variant="terse"), run(), (), Path("t"), root=Path("/nowhere"))
    assert (found.suite, found.category, found.model) == ("home", "happy_path", "m:1b")
    assert (found.scenario_id, found.replicate, found.variant) == ("001_x", 2, "terse")


def test_run_that_never_took_place() -> None:
    """An error without a run: no outcome, no cost, no latency, and its own exit code."""
    found = error_result(cell(replicate=3), "no model server answers", 4)
    assert (found.verdict, found.passed, found.exit_code) == ("error", False, 4)
    assert found.errors == ("no model server answers",)
    assert (found.outcome, found.cost_micro_usd, found.latency_ms) == (None, None, None)
    assert (found.scenario_id, found.replicate) == ("001_x", 3)


CHANGED = Divergence(1, ("system prompt",), (Difference("messages[0].content", "a", "b"),))


def test_what_a_changed_prompt_shows_is_conditional() -> None:
    """Decision 6: needs recording, and nothing that was found on the old answers is a failure or a pass."""
    made = run(
        session=SessionResult(divergences=(CHANGED,)),
        verdict_error="needs recording: 1 of 1 request",
        exit_code=3,
        is_conditional=True,
        tool_drift=("t differs",),
    )
    found = judged(HOLDS, BROKEN, made=made)
    assert (found.verdict, found.passed, found.exit_code) == ("error", False, 3)
    assert (found.failures, found.findings) == ((), ())
    assert found.errors == ("needs recording: 1 of 1 request\n  next      kit record --model m:1b 001_x",)
    assert found.conditional is not None
    assert [(one.oracle, one.ok) for one in found.conditional.findings] == [
        ("outcome", True),
        ("final_response.contains_any", False),
        ("tool_drift", False),
    ]
    (divergence,) = found.conditional.divergences
    assert (divergence.interaction, divergence.changes) == (1, ("system prompt",))
    assert [(one.path, one.old, one.new) for one in divergence.differences] == [
        ("messages[0].content", "a", "b")
    ]
    assert OracleResult.model_validate_json(found.model_dump_json()) == found


def test_a_run_that_was_stopped_shows_only_what_had_changed() -> None:
    """After a miss there is no end that a condition could be about."""
    session = SessionResult(divergences=(CHANGED,), misses=("MISS",))
    found = judged(made=run(session=session, verdict_error="MISS", exit_code=3))
    assert found.conditional is not None
    assert found.conditional.findings == ()
    assert found.errors == ("MISS",)


def test_injected_calls_are_not_counted() -> None:
    """Neither the model nor the tool was called."""
    steps = (
        Step(0, "model_call", is_injected=True),
        Step(1, "model_call"),
        Step(2, "tool_call", name="f", is_injected=True),
    )
    found = judged(made=run(trace=trace(*steps)))
    assert (found.model_calls, found.tool_calls) == (1, 0)


def test_how_the_run_went_is_kept_for_designs_over_cells() -> None:
    """What the agent judged, how it failed, and an answer that its server could not read."""
    suite = Suite.model_validate(
        {
            "name": "golden",
            "description": "d",
            "categories": ["c"],
            "judging": {"tool": "emit", "values": ["yes", "no"]},
        }
    )
    of_judges = cell()
    of_judges = dataclasses.replace(of_judges, selected=dataclasses.replace(of_judges.selected, suite=suite))
    steps = (
        Step(0, "tool_call", name="emit", arguments={"verdict": "no"}),
        Step(1, "model_call", failure=f"http 500: {UNUSABLE_OUTPUT}: Failed to parse"),
    )
    made = run(trace=trace(steps=steps, failure="ModelError: x"))
    found = judged_result(of_judges, made, (), Path("t"), root=Path("/nowhere"))
    assert (found.judgement, found.failure) == ("no", "ModelError: x")
    assert found.unusable_output is not None
    assert found.ending is None
    silent = judged_result(of_judges, run(), (), Path("t"), root=Path("/nowhere"))
    assert (silent.judgement, silent.ending) == (None, "salve")
    plain = judged(made=run(trace=trace(steps=(Step(0, "model_call", failure="http 503"),))))
    assert (plain.judgement, plain.failure, plain.unusable_output) == (None, None, None)
    assert plain.ending is None
