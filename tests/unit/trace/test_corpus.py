"""Whole recordings of the corpus, as the trace and the conversation that a person reads of them."""

from __future__ import annotations

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.recording.lanes import lane_of
from kit.trace.build import build_trace
from kit.trace.conversation import conversation
from kit.trace.model_call import model_calls
from kit.trace.plain_http import unknown_traffic
from kit.trace.run_facts import RunFacts
from kit.trace.trace import ExecutionTrace
from kit.wire.dialect import WireCall
from kit.wire.mcp import tool_calls
from tests.fakes.corpus import Exchange, recordings


def interactions(exchanges: tuple[Exchange, ...]) -> tuple[Interaction, ...]:
    """The exchanges as they would have been recorded, one after the other."""
    found = []
    for number, one in enumerate(exchanges, 1):
        request = HttpRequest(one.method, one.url, (), one.sent)
        answer = HttpResponse(one.status, (("content-type", one.content_type),), one.body)
        lane = lane_of(request, ())
        found.append(Interaction(number, lane, request, answer, number * 10, number * 10 + 5))
    return tuple(found)


def traced(recorded: tuple[Interaction, ...]) -> ExecutionTrace:
    """The trace of a run that crossed its boundary with these interactions."""
    facts = RunFacts(
        scenario_id="s", model="m", mode="replay", interactions=recorded, outcome="success", ended_ms=0
    )
    return build_trace(facts)


def sent_calls(interaction: Interaction) -> tuple[WireCall, ...]:
    """The calls that a request makes of an MCP server."""
    assert isinstance(interaction.request, HttpRequest)
    return tool_calls(interaction.request.body)


@pytest.mark.parametrize("exchanges", recordings())
def test_every_exchange_is_a_step(exchanges: tuple[Exchange, ...]) -> None:
    """A model's work, a tool's call or plain HTTP; only an answer that was read before is not told again."""
    recorded = interactions(exchanges)
    trace = traced(recorded)
    told = {step.interaction for step in trace.steps}
    untold = [one for one in recorded if one.number not in told]
    assert all(isinstance(one.request, HttpRequest) and one.request.method == "GET" for one in untold)
    plain = {step.interaction for step in trace.steps if step.kind == "http"}
    assert plain == {one.number for one in recorded if one.lane == "other"}


@pytest.mark.parametrize("exchanges", recordings())
def test_usage_is_the_sum_of_what_each_model_counted(exchanges: tuple[Exchange, ...]) -> None:
    """Refused calls cost nothing; one that did not say makes the sum unknown (X-05)."""
    recorded = interactions(exchanges)
    counts = [call.answer.prompt_tokens for call in model_calls(recorded) if call.is_counted]
    known = [count for count in counts if count is not None]
    assert traced(recorded).usage.prompt_tokens == (sum(known) if len(known) == len(counts) else None)


@pytest.mark.parametrize("exchanges", recordings())
def test_a_recording_can_be_read_by_a_person(exchanges: tuple[Exchange, ...]) -> None:
    """Each interaction has its line; what a model said stands there whole."""
    recorded = interactions(exchanges)
    items = conversation(recorded)
    assert {item.number for item in items} == {one.number for one in recorded}
    for call in model_calls(recorded):
        if call.answer.text and call.dialect is not None and call.dialect.kind == "chat":
            assert any(item.kind == "answer" and item.text == call.answer.text for item in items)


@pytest.mark.parametrize("exchanges", recordings())
def test_a_tool_that_got_a_result_is_told_once(exchanges: tuple[Exchange, ...]) -> None:
    """Seen on its way to an MCP server or in the model's next request, and never both."""
    recorded = interactions(exchanges)
    asked = sum(len(call.answer.tool_calls) for call in model_calls(recorded))
    called = traced(recorded).tool_calls()
    remote = {one.number: call.name for one in recorded if one.lane == "tool" for call in sent_calls(one)}
    seen = {step.interaction: step.name for step in called if step.interaction in remote}
    assert seen == remote
    local = [step.name for step in called if step.interaction not in remote]
    assert len(local) <= asked
    assert not set(local) & set(remote.values())


@pytest.mark.parametrize("exchanges", recordings())
def test_what_no_dialect_knows_is_said(exchanges: tuple[Exchange, ...]) -> None:
    """A notice names it, and nothing where all is known."""
    recorded = interactions(exchanges)
    plain = [step for step in traced(recorded).steps if step.kind == "http" and step.text is None]
    notice = unknown_traffic(recorded)
    assert (notice is not None) == bool(plain)
    for step in plain:
        assert str(step.name).partition("?")[0] in str(notice)
