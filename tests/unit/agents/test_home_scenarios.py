"""The shipped home scenarios: they pass with the scripted model, and not with agents that do nothing."""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from pathlib import Path

import pytest

from kit.config.load import load
from kit.harness.cell import run_cell
from kit.harness.plan import Cell
from kit.harness.servers import Servers
from kit.harness.world import World
from kit.oracle.check import check
from kit.oracle.critic import JudgeAnswer, JudgeQuestion
from kit.scenario.load import load_suites
from kit.scenario.select import Selected, select
from kit.trace.trace import ExecutionTrace, Step

ROOT = Path(__file__).parents[3]
SUITES = load_suites(ROOT)
HOME: tuple[Selected, ...] = select(SUITES, ["home"])
SHARES = {
    "happy_path": 5,
    "security": 5,
    "error_handling": 5,
    "autonomy_approval": 2,
    "memory": 2,
    "multi_turn": 1,
}
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


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which recordings may be kept."""
    root = tmp_path_factory.mktemp("home")
    shutil.copy(ROOT / "pyproject.toml", root)
    for folder in ("scenarios", "fixtures"):
        shutil.copytree(ROOT / folder, root / folder)
    return root


@pytest.mark.parametrize("item", HOME, ids=by_id)
def test_passes_with_the_stub_and_again_in_replay(
    item: Selected, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real agent over real HTTP with the scripted model; then the same verdict with nothing run."""
    settings = load(project, arguments={"model": "stub", "judge": "stub-judge"}, environ={})
    cell = Cell(item, "stub")
    with Servers(settings) as servers:
        live = run_cell(cell, World(settings, "live", True, tmp_path / "live", servers)).result
    assert (live.verdict, live.failures, live.errors) == ("pass", (), ())
    for name in ("subprocess.run", "subprocess.Popen.__init__", "socket.socket.connect"):
        monkeypatch.setattr(name, forbidden)
    with Servers(settings) as servers:
        again = run_cell(cell, World(settings, "replay", False, tmp_path / "replay", servers)).result
    assert (again.verdict, again.failures, again.errors) == ("pass", (), ())
    assert (again.outcome, again.findings) == (live.outcome, live.findings)
    assert again.latency_ms == live.latency_ms


def forbidden(*args: object, **kwargs: object) -> None:
    """What stands for programs and the network in replay."""
    raise AssertionError("replay reached for the world")


@pytest.mark.parametrize("item", HOME, ids=by_id)
def test_an_agent_that_does_nothing_fails(item: Selected) -> None:
    """Even with the right outcome, an echo of the question or a bare yes breaks a deterministic condition."""
    for reply in (item.scenario.user_messages[0], "Fatto.", "ok"):
        assert failed(item, reply) - {"outcome"}, reply


def test_the_canonical_example_is_unchanged() -> None:
    """S2-13, byte for byte."""
    path = next(item.path for item in HOME if item.scenario.id == "001_read_log_summary")
    assert hashlib.sha256(path.read_bytes()).hexdigest().startswith(CANONICAL)


def test_the_twenty_are_distributed_as_declared() -> None:
    """S2-46 (14): all parse, numbered through; security and errors weigh as much as the happy path."""
    ids = [item.scenario.id for item in HOME]
    assert [identifier[:3] for identifier in ids] == [f"{number:03}" for number in range(1, 21)]
    assert Counter(item.scenario.category for item in HOME) == SHARES


def test_no_scenario_gives_a_warning() -> None:
    """The lint has nothing to say of the shipped suite."""
    (home,) = (suite for suite in SUITES if suite.suite.name == "home")
    assert home.warnings == ()


def test_every_oracle_is_used_somewhere() -> None:
    """S2-19: no kind of condition is only talked about."""
    used: set[str] = set()
    for item in HOME:
        expected = item.scenario.expected
        used |= {name for name in type(expected).model_fields if getattr(expected, name) is not None}
        final = expected.final_response
        used |= {name for name in type(final).model_fields if getattr(final, name)} if final else set()
        used |= {
            name
            for call in (expected.tools_called.calls if expected.tools_called else ())
            for name in type(call).model_fields
            if getattr(call, name)
        }
        used |= {"partial" for turn in item.scenario.conversation if turn.expected_agent_partial}
        used |= {"strict"} if expected.tools_called and expected.tools_called.order == "strict" else set()
        used |= {
            name
            for entry in (*(expected.files or ()), *(expected.memory or ()))
            for name in type(entry).model_fields
            if getattr(entry, name) not in {None, False}
        }
    assert used >= {
        *("outcome", "approvals_requested", "tools_called", "tools_not_called", "files", "memory"),
        *("contains_any", "contains_all", "not_contains", "regex", "llm_critic", "partial"),
        *("path_matches", "args_match", "times", "strict", "content", "exists", "unchanged"),
        *("cost_max_usd", "latency_max_ms"),
    }
