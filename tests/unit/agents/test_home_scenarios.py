"""The shipped home scenarios: they pass with the scripted model, and not with agents that do nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from kit.config import load
from kit.harness.cell import World, run_cell
from kit.harness.plan import Cell
from kit.harness.servers import Servers
from kit.oracle.check import check
from kit.oracle.critic import JudgeAnswer, JudgeQuestion
from kit.scenario.load import load_suites
from kit.scenario.select import Selected, select
from kit.trace.trace import ExecutionTrace, Step

ROOT = Path(__file__).parents[3]
HOME: tuple[Selected, ...] = select(load_suites(ROOT), ["home"])
CANONICAL = "c50a43be267a406f"


def by_id(item: Selected) -> str:
    """The scenario's id, for the test's name."""
    return item.scenario.id


def contented(question: JudgeQuestion) -> JudgeAnswer:
    """A judge that accepts everything: the deterministic conditions have to hold alone."""
    return JudgeAnswer(question.accept, "judge")


def failed(item: Selected, reply: str) -> set[str]:
    """The oracles that do not hold of an agent that calls nothing, asks nothing and says `reply`."""
    steps = (Step(0, "user", text=item.scenario.user_messages[0]), Step(1, "answer", text=reply))
    before = {"/workspace/SOUL.md": "x"} | {fixture.path: "x" for fixture in item.scenario.setup.fixtures}
    trace = ExecutionTrace(
        scenario_id=item.scenario.id,
        model="m",
        mode="live",
        steps=steps,
        outcome=item.scenario.expected.outcome,  # type: ignore[arg-type]
        final_response=reply,
        replies=(reply,),
        cost_micro_usd=0,
        files=before,
        files_before=before,
    )
    return {
        finding.oracle
        for finding in check(item.scenario, trace, contented, suite=item.suite)
        if not finding.ok
    }


@pytest.mark.parametrize("item", HOME, ids=by_id)
def test_passes_with_the_stub(item: Selected, tmp_path: Path) -> None:
    """The real agent over real HTTP, with the scripted model and judge."""
    settings = load(ROOT, arguments={"model": "stub", "judge": "stub-judge"}, environ={})
    with Servers(settings) as servers:
        result = run_cell(Cell(item, "stub"), World(settings, "live", False, tmp_path, servers)).result
    assert (result.verdict, result.failures) == ("pass", ())


@pytest.mark.parametrize("item", HOME, ids=by_id)
def test_an_agent_that_does_nothing_fails(item: Selected) -> None:
    """Even with the right outcome, an echo of the question or a bare yes breaks a deterministic condition."""
    for reply in (item.scenario.user_messages[0], "Fatto.", "ok"):
        assert failed(item, reply) - {"outcome"}, reply


def test_the_canonical_example_is_unchanged() -> None:
    """S2-13, byte for byte."""
    path = next(item.path for item in HOME if item.scenario.id == "001_read_log_summary")
    assert hashlib.sha256(path.read_bytes()).hexdigest().startswith(CANONICAL)
