"""The steps of a run, in order."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.trace.event import Event
from kit.trace.model_call import model_calls
from kit.trace.run_facts import RunFacts, Said
from kit.trace.steps import build_steps
from kit.trace.trace import Asked, RequestedCall, Step, Usage

URL = "http://localhost:11434/v1/chat/completions"


@dataclass(frozen=True)
class Pause:
    """A sleep as the recording reports it."""

    started_ms: int
    ended_ms: int
    where: str


def model(number: int, start: int, end: int, *requested: str, messages: tuple[Any, ...] = ()) -> Interaction:
    """A model call that asks for tools by name."""
    calls = [{"id": f"c{number}", "function": {"name": name, "arguments": "{}"}} for name in requested]
    message = {"content": None if requested else "text", "tool_calls": calls}
    body: dict[str, Any] = {"model": "m", "choices": [{"message": message, "finish_reason": "stop"}]}
    body["usage"] = {"prompt_tokens": 3, "completion_tokens": 1}
    request = HttpRequest("POST", URL, (), json.dumps({"messages": list(messages)}).encode())
    return Interaction(number, "model", request, HttpResponse(200, (), json.dumps(body).encode()), start, end)


def tool(number: int, start: int, end: int, name: str, failure: str | None = None) -> Interaction:
    """A wrapped tool's call."""
    return Interaction(number, "tool", ToolRequest(name, {"a": 1}), ToolResponse("r", failure), start, end)


def steps(*interactions: Interaction, **fields: Any) -> tuple[Step, ...]:
    """The steps of a run."""
    facts = RunFacts(
        scenario_id="s", model="m", mode="replay", interactions=interactions, outcome="success", **fields
    )
    return build_steps(facts, model_calls(interactions))


def kinds(found: tuple[Step, ...]) -> list[str]:
    """Kind and name of each step."""
    return [
        f"{step.kind} {step.name}" if step.kind in {"tool_call", "event"} else step.kind for step in found
    ]


def test_a_turn_reads_as_it_happened() -> None:
    """User, model, approval, tool, model, answer: in order, though many start at the same instant."""
    found = steps(
        model(1, 0, 500, "fs_read"),
        tool(2, 500, 500, "fs_read"),
        model(3, 500, 900),
        turns=[Said("do it"), Said("and now", 900, 3)],
        replies=[Said("done", 900, 3)],
        events=[Event("approval_requested", 500, 1), Event("approval_decided", 500, 1, {"approved": True})],
    )
    assert kinds(found) == [
        "user",
        "model_call",
        "event approval_requested",
        "event approval_decided",
        "tool_call fs_read",
        "model_call",
        "answer",
        "user",
    ]
    assert [step.index for step in found] == list(range(8))


def test_steps_carry_what_crossed_the_boundary() -> None:
    """Every field comes from the interaction it is numbered by."""
    call, ran = steps(model(1, 0, 500, "f"), tool(2, 500, 510, "f", "OSError: no"))
    assert call == Step(
        0, "model_call", 0, 500, name="m", requested=(RequestedCall("c1", "f", {}, "{}"),),
        finish_reason="stop", usage=Usage(3, 1), interaction=1, asked=Asked(),
    )  # fmt: skip
    assert ran == Step(1, "tool_call", 500, 510, None, "f", {"a": 1}, "r", "OSError: no", interaction=2)


def test_tools_nobody_wrapped_are_seen_through_the_model() -> None:
    """An agent with plain functions still has tool calls in its trace, between its model calls."""
    history = (
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]},
    )
    told = {"role": "tool", "tool_call_id": "c1", "content": "r"}
    found = steps(model(1, 0, 500, "f"), model(2, 600, 900, messages=(*history, told)))
    assert kinds(found) == ["model_call", "tool_call f", "model_call"]
    assert (found[1].started_ms, found[1].ended_ms, found[1].result) == (500, 600, "r")


def test_wrapped_tools_are_the_truth() -> None:
    """Where tools are wrapped, a call that only the model saw answered was never made."""
    history = (
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]},
    )
    told = {"role": "tool", "tool_call_id": "c1", "content": "blocked"}
    second = model(3, 600, 900, messages=(*history, told))
    assert kinds(steps(model(1, 0, 500, "f"), tool(2, 550, 560, "g"), second)) == [
        "model_call",
        "tool_call g",
        "model_call",
    ]
    assert kinds(steps(model(1, 0, 500, "f"), second, has_tool_boundary=True)) == ["model_call", "model_call"]


def test_pauses_of_one_line_are_one_step() -> None:
    """A loop that waits in small pieces reads as one wait; another line is another."""
    pauses = [
        Pause(500, 600, "a.py:1"),
        Pause(600, 700, "a.py:1"),
        Pause(700, 800, "b.py:2"),
        Pause(950, 960, "b.py:2"),
    ]
    found = steps(model(1, 0, 500), model(2, 900, 950), sleeps=pauses)
    assert [
        (step.kind, step.text, step.started_ms, step.ended_ms) for step in found if step.kind == "sleep"
    ] == [
        ("sleep", "a.py:1", 500, 700),
        ("sleep", "b.py:2", 700, 800),
        ("sleep", "b.py:2", 950, 960),
    ]
    assert [step.index for step in found] == list(range(5))


def test_other_traffic_is_a_plain_step() -> None:
    """Price tables and telemetry are told by their address alone."""
    request = HttpRequest("GET", "http://prices/", (), b"")
    (step,) = steps(Interaction(1, "other", request, HttpResponse(200), 0, 1))
    assert (step.kind, step.name, step.text, step.failure) == ("http", "GET http://prices/", None, None)


@given(st.permutations([0, 1, 2, 3, 4]), st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_the_order_of_what_is_handed_over_does_not_matter(order: list[int], starts: list[int]) -> None:
    """Concurrent interactions end in any order; the trace sorts them by start and number."""
    interactions = [
        tool(number + 1, start, start + 5, f"t{number}") for number, start in enumerate(sorted(starts))
    ]
    assert steps(*(interactions[place] for place in order)) == steps(*interactions)
    assert [step.interaction for step in steps(*interactions)] == [1, 2, 3, 4, 5]


def mcp(number: int, start: int, name: str, arguments: dict[str, Any]) -> Interaction:
    """A tool called on an MCP server."""
    params = {"name": name, "arguments": arguments}
    asked = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    content = {"content": [{"type": "text", "text": "found"}]}
    answer = json.dumps({"jsonrpc": "2.0", "id": number, "result": content}).encode()
    request = HttpRequest("POST", "http://h/mcp", (), json.dumps(asked).encode())
    return Interaction(number, "tool", request, HttpResponse(200, (), answer), start, start + 5)


def test_a_tool_on_a_server_is_told_once_with_what_was_seen_on_its_way() -> None:
    """The model's view of the same call is not told again; that of a plain function is."""
    history = (
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "c1", "function": {"name": "docs_search", "arguments": "{}"}},
                {"id": "c1", "function": {"name": "fs_read", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "shortened"},
        {"role": "tool", "tool_call_id": "c1", "content": "text"},
    )
    found = steps(
        model(1, 0, 10, "docs_search", "fs_read"),
        mcp(2, 12, "search", {}),
        model(3, 30, 40, messages=history),
    )
    told = [(step.name, step.result, step.interaction) for step in found if step.kind == "tool_call"]
    assert told == [("fs_read", "text", 1), ("search", "found", 2)]


def test_tools_on_a_server_stand_beside_wrapped_ones() -> None:
    """Both were seen where they happened."""
    found = steps(model(1, 0, 10, "f"), tool(2, 11, 12, "f"), mcp(3, 13, "search", {"q": 1}))
    assert kinds(found) == ["model_call", "tool_call f", "tool_call search"]
    assert found[2].arguments == {"q": 1}


def test_a_refusal_is_what_the_model_said() -> None:
    """Where it said nothing else."""
    body = {"choices": [{"message": {"content": None, "refusal": "No."}, "finish_reason": "stop"}]}
    request = HttpRequest("POST", URL, (), b'{"messages":[]}')
    answer = HttpResponse(200, (), json.dumps(body).encode())
    (step,) = steps(Interaction(1, "model", request, answer, 0, 1))
    assert (step.text, step.failure) == ("No.", None)
