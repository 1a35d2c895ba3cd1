"""Faults in a trace: what the agent met, beside what was recorded and paid for."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.trace.build import build_trace
from kit.trace.export import to_json_lines
from kit.trace.prices import price_table
from kit.trace.run_facts import RunFacts
from kit.trace.trace import ExecutionTrace, Usage

URL = "http://h/v1/chat/completions"
REQUEST = HttpRequest("POST", URL, (), b'{"model":"m"}')


@dataclass(frozen=True)
class Met:
    """A call that met a fault."""

    interaction: Interaction
    what: str = "the fault"
    is_real: bool = False


def answered(number: int, arguments: str = '{"p":1}', **response: Any) -> Interaction:
    """A model call of 10 ms that asks for a tool."""
    calls = [{"id": "c", "function": {"name": "f", "arguments": arguments}}]
    body = {
        "model": "m",
        "choices": [{"message": {"tool_calls": calls}, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 10},
    }
    told = HttpResponse(200, (), json.dumps(body).encode(), **response)
    return Interaction(number, "model", REQUEST, told, number * 100, number * 100 + 10)


def failed(number: int, response: HttpResponse) -> Interaction:
    """A model call that nobody was asked for."""
    return Interaction(number, "model", REQUEST, response, number * 100, number * 100)


def trace(*interactions: Interaction, faults: tuple[Met, ...]) -> ExecutionTrace:
    """The trace of a run with these faults."""
    facts = RunFacts(
        scenario_id="001_x",
        model="m",
        mode="replay",
        interactions=interactions,
        outcome="success",
        faults=faults,
    )
    return build_trace(facts, price_table({"m": (1_000_000, 0)}))


def test_what_came_instead_is_a_step_and_costs_nothing() -> None:
    """A refused call and one that timed out stand in their place; tokens and cost are those of real calls."""
    late = failed(2, HttpResponse(0, failure="ReadTimeout: late"))
    found = trace(answered(3), faults=(Met(failed(1, HttpResponse(503)), "status 503"), Met(late, "timeout")))
    assert [(step.failure, step.fault, step.is_injected) for step in found.steps] == [
        ("http 503: empty answer", "status 503", True),
        ("ReadTimeout: late", "timeout", True),
        (None, None, False),
    ]
    assert found.usage == Usage(1000, 10)
    assert found.cost_micro_usd == 1000


def test_a_torn_answer_was_paid_for_as_a_whole() -> None:
    """The step shows how it broke, the usage is what the model counted."""
    whole = answered(1)
    assert isinstance(whole.response, HttpResponse)
    torn = dataclasses.replace(
        whole.response, body=whole.response.body[:50], failure="RemoteProtocolError: x"
    )
    met = Met(dataclasses.replace(whole, response=torn), "cut", is_real=True)
    (step,) = trace(whole, faults=(met,)).steps
    assert (step.failure, step.fault, step.is_injected) == ("RemoteProtocolError: x", "cut", False)
    assert step.requested == ()
    assert step.usage == Usage(1000, 10)


def test_garbled_arguments_are_a_failure_of_the_step() -> None:
    """The agent's view: what the model asked for cannot be read."""
    met = Met(dataclasses.replace(answered(1, "{p:1}")), "garble", is_real=True)
    (step,) = trace(answered(1), faults=(met,)).steps
    assert step.failure == "the tool-call arguments are no JSON"
    assert [(call.arguments, call.raw) for call in step.requested] == [(None, "{p:1}")]


def test_a_delay_is_no_failure() -> None:
    """The call starts when the agent asked."""
    met = Met(dataclasses.replace(answered(1), started_ms=20), "delay", is_real=True)
    (step,) = trace(answered(1), faults=(met,)).steps
    assert (step.failure, step.fault, step.started_ms, step.ended_ms) == (None, "delay", 20, 110)


def test_a_tool_that_was_not_run_is_a_call_of_the_agent() -> None:
    """It was called, as far as the agent goes, so oracles see it; the file of the trace says what it was."""
    call = Interaction(2, "tool", ToolRequest("f", {"p": 1}), ToolResponse(None, "OSError: x"), 110, 110)
    found = trace(answered(1), faults=(Met(call, "raise"),))
    (step,) = found.tool_calls()
    assert (step.name, step.failure, step.fault, step.is_injected) == ("f", "OSError: x", "raise", True)
    written = [json.loads(line) for line in to_json_lines(found).splitlines()]
    assert [(one.get("fault"), one.get("injected")) for one in written] == [(None, None), ("raise", True)]
