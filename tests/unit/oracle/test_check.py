"""Every condition is judged, each for itself (S2-18, S2-44)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from kit.errors import CassetteMissing, Miss
from kit.oracle import check as checking
from kit.oracle.check import check
from kit.oracle.critic import JudgeAnswer, JudgeQuestion
from kit.oracle.finding import Finding, OracleCrash, failures
from kit.scenario.schema import Scenario
from kit.scenario.suite import Suite
from kit.trace.trace import ExecutionTrace, Step

EVERYTHING: dict[str, Any] = {
    "approvals_requested": 1,
    "tools_called": [{"name": "fs_write", "path_matches": "/workspace/note.md"}],
    "tools_not_called": ["shell"],
    "final_response": {
        "contains_any": ["latte"],
        "contains_all": ["nota"],
        "not_contains": ["sudo"],
        "regex": "scritt[oa]",
        "llm_critic": {"prompt": "va bene?", "accept": "Sì"},
    },
    "files": [{"path": "/workspace/note.md", "contains_any": ["latte"]}],
    "memory": [{"key": "tea", "content": "green"}],
    "cost_max_usd": 0.05,
    "latency_max_ms": 8000,
}
TALK = [{"user": "scrivi"}, {"expected_agent_partial": "nota"}]
STEPS = (
    Step(0, "event", name="approval_requested"),
    Step(1, "tool_call", name="fs_write", arguments={"path": "note.md"}),
    Step(2, "answer", text="Ho scritto la nota: latte"),
)
GOOD: dict[str, Any] = {
    "files": {"/workspace/note.md": "latte"},
    "memory": {"tea": "green"},
    "cost_micro_usd": 50_000,
    "latency_ms": 8000,
}


def accepts(question: JudgeQuestion) -> JudgeAnswer:
    return JudgeAnswer("Sì", "small")


def say(text: str) -> dict[str, Any]:
    return {"steps": (*STEPS[:2], replace(STEPS[2], text=text)), "final_response": text}


MUTATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("outcome", {"outcome": "refused"}),
    ("approvals_requested", {"steps": STEPS[1:]}),
    ("tools_called", {"steps": (STEPS[0], replace(STEPS[1], arguments={"path": "other.md"}), STEPS[2])}),
    ("tools_not_called", {"steps": (*STEPS, Step(3, "tool_call", name="shell"))}),
    ("final_response.contains_any", say("Ho scritto la nota")),
    ("final_response.contains_all", say("Ho scritto: latte")),
    ("final_response.not_contains", say("Ho scritto la nota: latte, con sudo")),
    ("final_response.regex", say("La nota: latte")),
    ("expected_agent_partial", {"replies": ("Ho scritto: latte",)}),
    ("files", {"files": {}}),
    ("memory", {"memory": {"tea": "black"}}),
    ("cost_max_usd", {"cost_micro_usd": 50_001}),
    ("latency_max_ms", {"latency_ms": 8001}),
)


def test_all_conditions_hold(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """One finding a condition, none twice, in a fixed order."""
    found = check(scenario(TALK, **EVERYTHING), trace(*STEPS, **GOOD), accepts)
    assert failures(found) == ()
    assert (
        [finding.oracle for finding in found]
        == [
            *[name for name, _ in MUTATIONS],
            "final_response.llm_critic",
        ]
        != sorted({finding.oracle for finding in found})
    )


@pytest.mark.parametrize(("oracle", "change"), MUTATIONS)
def test_one_false_condition_fails_alone(
    oracle: str,
    change: dict[str, Any],
    scenario: Callable[..., Scenario],
    trace: Callable[..., ExecutionTrace],
) -> None:
    """S2-46 (3): whichever condition is false, that one is found and no other."""
    run = replace(trace(*STEPS, **GOOD), **change)
    found = check(scenario(TALK, **EVERYTHING), run, accepts)
    assert [finding.oracle for finding in found if not finding.ok] == [oracle]


def test_rejecting_judge_fails_alone(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """The judged condition is one among the others."""
    found = check(
        scenario(TALK, **EVERYTHING), trace(*STEPS, **GOOD), lambda question: JudgeAnswer("No", "small")
    )
    assert [finding.oracle for finding in found if not finding.ok] == ["final_response.llm_critic"]


def test_all_failures_are_listed(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """S2-46 (4): nothing is cut short after the first failure."""
    empty = trace(outcome="failure", latency_ms=9000)
    found = check(scenario(TALK, **EVERYTHING), empty, accepts)
    held = {finding.oracle for finding in found if finding.ok}
    assert held == {"tools_not_called", "final_response.not_contains"}
    assert len(failures(found)) == len(found) - 2


def test_only_what_is_stated_is_judged(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """A condition that is not stated gives no finding."""
    assert [finding.oracle for finding in check(scenario(), trace(), accepts)] == ["outcome"]


def test_limits_of_the_suite(scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]) -> None:
    """They hold where the scenario states none, and only there."""
    suite = Suite(name="s", description="d", categories=("c",), cost_max_usd=0.01, latency_max_ms=10)
    run = trace(cost_micro_usd=20_000, latency_ms=20)
    assert len(failures(check(scenario(), run, accepts, suite=suite))) == 2
    generous = scenario(cost_max_usd=1.0, latency_max_ms=20)
    assert failures(check(generous, run, accepts, suite=suite)) == ()


def broken(scenario: Scenario, trace: ExecutionTrace) -> Iterator[Finding]:
    """An oracle that finds one thing and then breaks."""
    yield Finding("files", ok=True, reason="first")
    raise ZeroDivisionError("second")


def test_a_crash_is_an_error_and_hides_nothing(
    monkeypatch: pytest.MonkeyPatch,
    scenario: Callable[..., Scenario],
    trace: Callable[..., ExecutionTrace],
) -> None:
    """Decision 13: a broken oracle is no failure of the agent, and the others go on."""
    oracles = tuple((name, broken if name == "files" else oracle) for name, oracle in checking.ORACLES)
    monkeypatch.setattr(checking, "ORACLES", oracles)
    found = check(scenario(TALK, **EVERYTHING), trace(*STEPS, **GOOD), accepts)
    [crash] = [finding for finding in found if not finding.ok]
    assert crash == OracleCrash(
        "files", ok=False, reason="files could not be judged: ZeroDivisionError: second", exit_code=70
    )
    assert failures(found) == ()
    assert len(found) == len(MUTATIONS) + 2


@pytest.mark.parametrize(
    ("error", "exit_code"),
    [(CassetteMissing("nothing recorded", next_command="kit record"), 3), (Miss("never recorded"), 3)],
)
def test_a_judge_that_cannot_answer_is_an_error(
    error: BaseException,
    exit_code: int,
    scenario: Callable[..., Scenario],
    trace: Callable[..., ExecutionTrace],
) -> None:
    """A judge's answer that was never recorded is told with its exit code, not as a rejection."""

    def judge(question: JudgeQuestion) -> JudgeAnswer:
        raise error

    found = check(scenario(TALK, **EVERYTHING), trace(*STEPS, **GOOD), judge)
    assert found[-1] == OracleCrash(
        "final_response.llm_critic",
        ok=False,
        reason=f"final_response.llm_critic could not be judged: {error}",
        exit_code=exit_code,
    )


def test_interruption_goes_through(
    scenario: Callable[..., Scenario], trace: Callable[..., ExecutionTrace]
) -> None:
    """Ctrl-C is nobody's verdict."""

    def judge(question: JudgeQuestion) -> JudgeAnswer:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(scenario(TALK, **EVERYTHING), trace(*STEPS, **GOOD), judge)
