"""A scenario's faults in a whole run, live and in replay."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

import kit
from kit.agent.protocol import Turn
from kit.recording.damage import TORN
from kit.run.faults import planned
from kit.scenario.faults import Fault
from tests.unit.run.conftest import Bench, ask

RETRIES = 3
MODEL_FAULTS: tuple[dict[str, Any], ...] = (
    {"status": 503, "headers": {"Retry-After": "2"}},
    {"close": True},
    {"timeout": True},
    {"cut": 30},
)


def patient(turn: Turn) -> str:
    """Retries with a pause that grows."""
    for attempt in range(RETRIES):
        try:
            return ask(turn)
        except (httpx.HTTPError, ValueError):
            time.sleep(30 * 2**attempt)
    return "the model is away"


@kit.tool
def look(path: str) -> str:
    """A tool."""
    return f"saw {path}"


def looks(turn: Turn) -> str:
    """Uses a tool and tells the model how that went."""
    try:
        seen = look("/etc/x")
    except OSError as error:
        seen = f"{type(error).__name__}: {error}"
    return ask(turn, seen)


def test_a_scenario_says_what_a_session_injects() -> None:
    """Each key becomes what the recording knows."""
    written = [
        {"on": "model", "nth": "every", "status": 429, "headers": {"Retry-After": "1"}},
        {"on": "model", "nth": 1, "status": 500, "body": "down"},
        {"on": "model", "nth": 2, "close": True},
        {"on": "model", "nth": 3, "cut": "arguments"},
        {"on": "model", "nth": 4, "cut": 7, "delay_ms": 5},
        {"on": "tool", "tool": "f", "nth": 1, "raise": "OSError: x"},
        {"on": "tool", "nth": 2, "timeout": True},
    ]
    busy, down, closed, cut, short, raised, late = planned(Fault.model_validate(one) for one in written)
    assert busy.nth is None
    assert busy.answer is not None
    assert busy.answer.headers == (("content-type", "application/json"), ("retry-after", "1"))
    assert json.loads(busy.answer.body)["error"]["message"] == "the scenario injects status 429"
    assert down.answer is not None
    assert (down.answer.body, dict(down.answer.headers)["content-type"]) == (
        b"down",
        "text/plain; charset=utf-8",
    )
    assert closed.answer is not None
    assert closed.answer.failure == "RemoteProtocolError: Server disconnected without sending a response."
    assert [(one.damage, one.at, one.delay_ms) for one in (cut, short)] == [
        ("cut", None, None),
        ("cut", 7, 5),
    ]
    assert (raised.tool, raised.raises, raised.what) == ("f", "OSError: x", "raise OSError: x on call of f 1")
    assert (late.on, late.is_timeout) == ("tool", True)


@pytest.mark.parametrize("fault", MODEL_FAULTS, ids=lambda fault: next(iter(fault)))
def test_a_retry_of_a_failed_call_is_the_same_live_and_in_replay(bench: Bench, fault: dict[str, Any]) -> None:
    """Handled, in no time, with the real answer recorded once; neither run is an error."""
    setup = {"faults": [{"on": "model", "nth": 1, **fault}]}
    began = time.monotonic()
    live = bench.run(patient, setup=setup)
    replayed = bench.run(patient, "replay", setup=setup)
    assert time.monotonic() - began < 15
    assert live.verdict_error is replayed.verdict_error is None
    assert live.trace.outcome == replayed.trace.outcome == "error_handled"
    assert live.trace.steps == replayed.trace.steps
    assert live.trace.latency_ms == replayed.trace.latency_ms >= 30_000
    assert [step.kind for step in live.trace.steps] == ["user", "model_call", "sleep", "model_call", "answer"]
    assert [step.fault is not None for step in live.trace.steps] == [False, True, False, False, False]
    assert live.notices == replayed.notices == ()
    assert all(step.failure is None for step in live.trace.steps[2:])


def test_a_model_that_is_always_away_is_a_run_all_the_same(bench: Bench) -> None:
    """Nothing real was asked and nothing recorded, yet kit itself stood in the way of each call."""
    setup = {"faults": [{"on": "model", "nth": "every", "status": 500}]}
    live = bench.run(patient, setup=setup)
    replayed = bench.run(patient, "replay", setup=setup)
    for result in (live, replayed):
        assert result.verdict_error is None
        assert result.session.interactions == ()
        assert result.session.live_requests == 0
        assert result.trace.final_response == "the model is away"
        assert (result.trace.outcome, result.trace.cost_micro_usd) == ("error_handled", 0)
    assert live.trace.steps == replayed.trace.steps


def test_an_agent_that_gives_up_on_an_injected_fault_fails(bench: Bench) -> None:
    """The agent's failure, and not that of the model's server (decision 13)."""
    setup = {"faults": [{"on": "model", "nth": 1, "status": 500}]}
    for mode in ("record", "replay"):
        result = bench.run(ask, mode, setup=setup)
        assert result.verdict_error is None
        assert result.trace.outcome == "failure"


def test_a_torn_answer_is_one_in_the_trace(bench: Bench) -> None:
    """What was recorded is whole."""
    live = bench.run(patient, setup={"faults": [{"on": "model", "nth": 1, "cut": 30}]})
    assert live.trace.steps[1].failure == TORN
    assert len(live.session.interactions) == 2


def test_a_tool_that_may_not(bench: Bench) -> None:
    """Called, as far as the agent and the oracles go; not run, and not recorded."""
    setup = {"faults": [{"on": "tool", "tool": "look", "nth": 1, "raise": "PermissionError: not for you"}]}
    live = bench.run(looks, setup=setup)
    replayed = bench.run(looks, "replay", setup=setup)
    for result in (live, replayed):
        assert result.verdict_error is None
        assert result.trace.outcome == "error_handled"
        assert result.trace.replies == ("you said PermissionError: not for you",)
        (step,) = result.trace.tool_calls()
        assert (step.name, step.failure, step.is_injected) == ("look", "PermissionError: not for you", True)
        assert [item.lane for item in result.session.interactions] == ["model"]
    assert live.trace.steps == replayed.trace.steps
