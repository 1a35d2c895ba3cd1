"""The steps of a run, in order: what crossed the boundary and what the agent reported, on one clock."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from kit.cassette.interaction import Interaction, ToolRequest, ToolResponse
from kit.trace.answered_call import answered_calls
from kit.trace.asked import asked_of
from kit.trace.mcp_call import McpCall, mcp_calls, not_remote
from kit.trace.model_call import ModelCall
from kit.trace.plain_http import http_step
from kit.trace.run_facts import RunFacts
from kit.trace.trace import Asked, RequestedCall, Step, Usage

_Key = tuple[int, int, int]
"""Start on the clock, number of the interaction it belongs to, rank among what belongs to the same one."""

_INTERACTION, _EVENT, _ANSWERED_CALL, _ANSWER, _USER = range(5)
_LAST = 2**62
"""A sleep moves the clock, so whatever started at the same instant came before it."""


def build_steps(facts: RunFacts, calls: Sequence[ModelCall]) -> tuple[Step, ...]:
    """All steps sorted by start, ties by number of the interaction; a total order, the same each time.

    Args:
        facts: of the run.
        calls: the model calls among its interactions (`model_calls`).
    """
    asked = asked_of(calls, {turn.text for turn in facts.turns})
    placed = [
        *(
            (_key(call.started_ms, call.number, _INTERACTION), _model_step(call, one))
            for call, one in zip(calls, asked, strict=True)
        ),
        *_tool_steps(facts, calls),
        *(
            (_key(step.started_ms, step.interaction or 0, _INTERACTION), step)
            for step in map(http_step, facts.interactions)
            if step is not None
        ),
        *_told_steps(facts),
    ]
    placed.sort(key=lambda pair: pair[0])
    steps: list[Step] = []
    for _, step in placed:
        if steps and _continues(steps[-1], step):
            steps[-1] = dataclasses.replace(steps[-1], ended_ms=step.ended_ms)
        else:
            steps.append(dataclasses.replace(step, index=len(steps)))
    return tuple(steps)


def _key(started_ms: int, number: int, rank: int) -> _Key:
    return (started_ms, number, rank)


def _model_step(call: ModelCall, asked: Asked | None) -> Step:
    answer = call.answer
    return Step(
        index=0,
        kind="model_call",
        started_ms=call.started_ms,
        ended_ms=call.ended_ms,
        text=answer.text or answer.refusal,
        name=answer.model,
        failure=call.failure,
        requested=tuple(RequestedCall(c.id, c.name, c.arguments, c.raw) for c in answer.tool_calls),
        finish_reason=answer.finish_reason,
        usage=Usage(answer.prompt_tokens, answer.completion_tokens),
        interaction=call.number,
        asked=asked,
    )


def _tool_steps(facts: RunFacts, calls: Sequence[ModelCall]) -> Iterator[tuple[_Key, Step]]:
    """Tool calls from lane `tool`; where an agent wraps none, also those that the model saw answered.

    A tool on an MCP server is seen on its way there, so the model's view of the same call is not told again.
    """
    recorded = [_tool_step(interaction) for interaction in facts.interactions]
    remote = mcp_calls(facts.interactions)
    for step in (*recorded, *map(_remote_step, remote)):
        if step is not None:
            yield _key(step.started_ms, step.interaction or 0, _INTERACTION), step
    if any(recorded) if facts.has_tool_boundary is None else facts.has_tool_boundary:
        return
    answered = answered_calls(calls, facts.events)
    for call, is_local in zip(answered, not_remote([one.call for one in answered], remote), strict=True):
        if not is_local:
            continue
        step = Step(
            index=0,
            kind="tool_call",
            started_ms=call.started_ms,
            ended_ms=call.ended_ms,
            name=call.call.name,
            arguments=call.call.arguments,
            result=call.result,
            interaction=call.number,
        )
        yield _key(call.started_ms, call.number, _ANSWERED_CALL), step


def _remote_step(call: McpCall) -> Step:
    return Step(
        index=0,
        kind="tool_call",
        started_ms=call.started_ms,
        ended_ms=call.ended_ms,
        name=call.call.name,
        arguments=call.call.arguments,
        result=call.result,
        failure=call.failure,
        interaction=call.number,
    )


def _tool_step(interaction: Interaction) -> Step | None:
    request, response = interaction.request, interaction.response
    if not isinstance(request, ToolRequest) or not isinstance(response, ToolResponse):
        return None
    return Step(
        index=0,
        kind="tool_call",
        started_ms=interaction.started_ms,
        ended_ms=interaction.ended_ms,
        name=request.name,
        arguments=request.arguments,
        result=response.result,
        failure=response.failure,
        interaction=interaction.number,
    )


def _told_steps(facts: RunFacts) -> Iterator[tuple[_Key, Step]]:
    """What no boundary shows: turns, replies, events, pauses."""
    for turn in facts.turns:
        step = Step(0, "user", turn.at_ms, turn.at_ms, text=turn.text)
        yield _key(turn.at_ms, turn.after, _USER), step
    for reply in facts.replies:
        step = Step(0, "answer", reply.at_ms, reply.at_ms, text=reply.text)
        yield _key(reply.at_ms, reply.after, _ANSWER), step
    for event in facts.events:
        step = Step(0, "event", event.at_ms, event.at_ms, event.kind, event.kind, arguments=event.detail)
        yield _key(event.at_ms, event.after, _EVENT), step
    for slept in facts.sleeps:
        step = Step(0, "sleep", slept.started_ms, slept.ended_ms, text=slept.where)
        yield _key(slept.started_ms, _LAST, _INTERACTION), step


def _continues(before: Step, step: Step) -> bool:
    """Whether a pause goes on with the one before it: a loop that waits in small pieces is one step."""
    return (
        step.kind == before.kind == "sleep"
        and step.text == before.text
        and step.started_ms >= before.ended_ms
    )
