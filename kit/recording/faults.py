"""Faults that a scenario asks for: which call meets which, decided by its ordinal alone (no I/O).

An injected fault is no answer of a model and no result of a tool: it is never recorded, and a replay injects
it again. What the agent met is kept beside the recording, for the trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from kit.cassette.interaction import HttpResponse, Interaction

_LATE = "ReadTimeout: The read operation timed out"
_LATE_TOOL = "TimeoutError: timed out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that goes wrong with one call, or with every call.

    Attributes:
        on: calls of the model, or of tools.
        what: the fault for people, `status 503 on model call 1`.
        tool: only calls of this tool; None is any.
        nth: which of these calls, 1-based; None is every.
        answer: what the agent gets instead of the model's answer.
        raises: what the tool raises instead of running, `ExceptionName: text`.
        is_timeout: nobody answers in time.
        damage: what becomes of the model's real answer.
        at: bytes that arrive of an answer that is cut; None is the middle of the tool-call arguments.
        delay_ms: how much later it happens; of a time-out, None is as long as the client waits.
    """

    on: Literal["model", "tool"]
    what: str
    tool: str | None = None
    nth: int | None = None
    answer: HttpResponse | None = None
    raises: str | None = None
    is_timeout: bool = False
    damage: Literal["cut", "garble"] | None = None
    at: int | None = None
    delay_ms: int | None = None

    def after_waiting(self, patience_ms: int | None) -> Fault:
        """The fault as a client meets it that waits so long; None waits for ever."""
        delay_ms = self.delay_ms or 0
        if self.is_timeout:
            delay_ms = delay_ms if self.delay_ms is not None else patience_ms or 0
        is_late = self.is_timeout or (patience_ms is not None and delay_ms > patience_ms)
        if not is_late:
            return replace(self, delay_ms=delay_ms)
        waited_ms = delay_ms if patience_ms is None else min(delay_ms, patience_ms)
        if self.on == "tool":
            return replace(self, raises=_LATE_TOOL, delay_ms=waited_ms)
        return replace(self, answer=HttpResponse(0, failure=_LATE), damage=None, delay_ms=waited_ms)

    def damaged(self, response: HttpResponse) -> HttpResponse | None:
        """What the agent sees of a real answer; None where there is nothing to damage."""
        from kit.recording.damage import cut, garble

        return garble(response) if self.damage == "garble" else cut(response, self.at)


@dataclass(frozen=True, slots=True)
class FaultMet:
    """A call as the agent met it, where that is not what was recorded.

    Attributes:
        interaction: with the injected or damaged answer.
        what: the fault for people.
        is_real: whether the model or tool was asked, so that the recording holds the same number.
    """

    interaction: Interaction
    what: str
    is_real: bool


class Faults:
    """The faults of one session; the session guards it against its threads.

    Attributes:
        met: what happened so far.
        is_backing_off: the last call went wrong, so that a pause now is one before a retry: nobody waits for
            real.

    Args:
        planned: the first that is about a call counts.
    """

    def __init__(self, planned: Sequence[Fault]) -> None:
        self.met: list[FaultMet] = []
        self.is_backing_off = False
        self._planned = tuple(planned)
        self._models = 0
        self._tools: Counter[str | None] = Counter()
        self._happened: set[str] = set()

    def in_order(self) -> tuple[FaultMet, ...]:
        """What happened, by number of the call."""
        return tuple(sorted(self.met, key=lambda one: one.interaction.number))

    def of_model(self, patience_ms: int | None = None) -> Fault | None:
        """What the next call of the model meets.

        Args:
            patience_ms: how long the client waits for an answer; None is for ever.
        """
        if not self._planned:
            return None
        self._models += 1
        for fault in self._planned:
            if fault.on == "model" and fault.nth in (None, self._models):
                return fault.after_waiting(patience_ms)
        return None

    def of_tool(self, name: str) -> Fault | None:
        """What the next call of this tool meets."""
        if not self._planned:
            return None
        self._tools[name] += 1
        self._tools[None] += 1
        for fault in self._planned:
            if fault.on != "tool" or fault.tool not in (None, name):
                continue
            if fault.nth in (None, self._tools[fault.tool]):
                return fault.after_waiting(None)
        return None

    def number(self, last: int, recorded: Collection[int]) -> int:
        """The number of a call that nobody is asked for.

        Args:
            last: number of the call that started last: the live run gave the next one.
            recorded: numbers that are given to recorded calls, where those come from a run under other
                faults, or in another order.
        """
        taken = {*recorded, *(one.interaction.number for one in self.met if not one.is_real)}
        return last + 1 if last + 1 not in taken else max(taken) + 1

    def instead(self, fault: Fault, interaction: Interaction) -> None:
        """Keeps a call that nobody was asked for."""
        self._keep(fault, interaction, is_real=False)
        self.is_backing_off = True

    def around(self, fault: Fault, interaction: Interaction) -> Interaction:
        """Keeps a call that was really made, and gives it as the agent meets it."""
        seen = interaction
        if fault.damage is not None and isinstance(interaction.response, HttpResponse):
            damaged = fault.damaged(interaction.response)
            if damaged is None:
                return interaction
            seen = replace(seen, response=damaged)
            self.is_backing_off = True
        if fault.delay_ms:
            seen = replace(seen, started_ms=max(0, seen.started_ms - fault.delay_ms))
        self._keep(fault, seen, is_real=True)
        return seen

    def never(self) -> tuple[str, ...]:
        """What to say of each fault that nothing met."""
        return tuple(
            f"the fault `{fault.what}` never happened: {_reason(fault)}"
            for fault in self._planned
            if fault.what not in self._happened
        )

    def _keep(self, fault: Fault, interaction: Interaction, *, is_real: bool) -> None:
        self._happened.add(fault.what)
        self.met.append(FaultMet(interaction, fault.what, is_real))


def _reason(fault: Fault) -> str:
    return "there was no such call" + (", or nothing in its answer to break" if fault.damage else "")
