"""What a run hands over for its trace to be built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kit.cassette.interaction import Interaction
from kit.trace.event import Event
from kit.trace.faults import InjectedFault
from kit.trace.trace import Mode, Outcome


class Slept(Protocol):
    """A pause the program made on purpose (`recording.options.Sleep`)."""

    @property
    def started_ms(self) -> int:
        """On the run's virtual clock."""
        ...

    @property
    def ended_ms(self) -> int:
        """On the run's virtual clock."""
        ...

    @property
    def where(self) -> str:
        """`file:line` that asked for it."""
        ...


@dataclass(frozen=True, slots=True)
class Said:
    """A user's message or an agent's reply.

    Attributes:
        text: what was said.
        at_ms: the run's virtual clock.
        after: number of the last interaction that had started by then, 0 before the first.
    """

    text: str
    at_ms: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """Everything a trace is built from.

    Attributes:
        scenario_id: id of the scenario, or a tape's name.
        model: tag of the model asked.
        mode: `replay` or `live`.
        interactions: of the run, judge calls excluded.
        outcome: decision 19.
        ended_ms: the run's virtual clock at its end; None takes the end of the last step.
        turns: the user's messages that the agent got, in order.
        replies: the agent's replies, in order; shorter than `turns` where the run ended early.
        events: what the agent reported.
        sleeps: pauses.
        failure: how the agent itself failed, else None.
        has_tool_boundary: whether the agent's tools are wrapped with `kit.tool`, so that an empty tool lane
            means that no tool ran; None guesses from the interactions.
        files: text of each file after the run; None for a binary.
        files_before: the same before the run.
        memory: the agent's memory after the run.
        faults: calls that met an injected fault; `interactions` holds what was recorded.
    """

    scenario_id: str
    model: str
    mode: Mode
    interactions: Sequence[Interaction]
    outcome: Outcome
    ended_ms: int | None = None
    turns: Sequence[Said] = ()
    replies: Sequence[Said] = ()
    events: Sequence[Event] = ()
    sleeps: Sequence[Slept] = ()
    failure: str | None = None
    has_tool_boundary: bool | None = None
    files: Mapping[str, str | None] = field(default_factory=dict)
    files_before: Mapping[str, str | None] = field(default_factory=dict)
    memory: Mapping[str, str] = field(default_factory=dict)
    faults: Sequence[InjectedFault] = ()
