"""A run as the agent met it, where faults were injected: what was recorded is another thing."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Protocol

from kit.cassette.interaction import Interaction
from kit.trace.model_call import ModelCall
from kit.trace.trace import Step


class InjectedFault(Protocol):
    """A call that met a fault (`recording.faults.FaultMet`)."""

    @property
    def interaction(self) -> Interaction:
        """With the injected or damaged answer."""
        ...

    @property
    def what(self) -> str:
        """The fault for people."""
        ...

    @property
    def is_real(self) -> bool:
        """Whether the model or tool was asked, so that the recording holds the same number."""
        ...


def as_met(interactions: Sequence[Interaction], faults: Sequence[InjectedFault]) -> Sequence[Interaction]:
    """The interactions with what was injected in its place, in order of start."""
    if not faults:
        return interactions
    damaged = {one.interaction.number: one.interaction for one in faults if one.is_real}
    met = [damaged.get(item.number, item) for item in interactions]
    return sorted([*met, *(one.interaction for one in faults if not one.is_real)], key=_number)


def with_real_usage(calls: Sequence[ModelCall], real: Sequence[ModelCall]) -> tuple[ModelCall, ...]:
    """The calls as met, with the tokens that the model counted: a torn answer was paid for as a whole."""
    answers = {call.number: call.answer for call in real}
    return tuple(
        dataclasses.replace(
            call,
            answer=dataclasses.replace(
                call.answer,
                prompt_tokens=answers[call.number].prompt_tokens,
                completion_tokens=answers[call.number].completion_tokens,
            ),
        )
        if call.number in answers
        else call
        for call in calls
    )


def marked(
    steps: Sequence[Step], interactions: Sequence[Interaction], faults: Sequence[InjectedFault]
) -> tuple[Step, ...]:
    """The steps, each with the fault that it met; whatever broke an answer is a failure of its step."""
    recorded = {item.number: item.response for item in interactions}
    met = {one.interaction.number: one for one in faults}
    told = []
    for step in steps:
        fault = met.get(step.interaction or 0) if step.kind in ("model_call", "tool_call") else None
        if fault is None:
            told.append(step)
            continue
        is_broken = fault.is_real and fault.interaction.response != recorded.get(fault.interaction.number)
        failure = step.failure or ("the tool-call arguments are no JSON" if is_broken else None)
        told.append(
            dataclasses.replace(step, failure=failure, fault=fault.what, is_injected=not fault.is_real)
        )
    return tuple(told)


def _number(interaction: Interaction) -> int:
    return interaction.number
