"""What a session keeps while it runs: entries go to the journal at once, their sum is its result."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kit.cassette.interaction import Interaction
from kit.recording.journal import FoundKind, Journal, leftover_notices
from kit.recording.options import SessionResult, Sleep

if TYPE_CHECKING:
    from kit.cassette.divergence import Divergence


class Ledger:
    """Interactions, findings and sleeps of one session; safe to use from any thread.

    Args:
        journal: where entries go at once.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.RLock()
        self._interactions: list[Interaction] = []
        self._found: dict[FoundKind, list[str]] = {}
        self._sleeps: list[Sleep] = []
        self._divergences: list[Divergence] = []

    def recorded(self, interaction: Interaction) -> None:
        """Keeps what was recorded."""
        with self._lock:
            self._interactions.append(interaction)
        self._journal.interaction(interaction)

    def played(self, interaction: Interaction) -> None:
        """Keeps that a recorded interaction was handed out."""
        with self._lock:
            self._interactions.append(interaction)
        self._journal.played(interaction.number)

    def diverged(self, divergence: Divergence) -> None:
        """Keeps that an interaction was handed out for another request than the recorded one."""
        with self._lock:
            self._divergences.append(divergence)
        self._journal.diverged(divergence)

    def report(self, kind: FoundKind, text: str) -> None:
        """Keeps a violation or a notice; a repeated one is kept once."""
        with self._lock:
            known = self._found.setdefault(kind, [])
            if text in known:
                return
            known.append(text)
        self._journal.found(kind, text)

    def slept(self, sleep: Sleep) -> None:
        """Keeps a sleep; consecutive ones of one line count as one."""
        with self._lock:
            last = self._sleeps[-1] if self._sleeps else None
            if last is not None and last.where == sleep.where and last.ended_ms == sleep.started_ms:
                self._sleeps[-1] = Sleep(last.started_ms, sleep.ended_ms, sleep.where)
            else:
                self._sleeps.append(sleep)

    def close(self, leftovers: Sequence[Interaction], *, ended_ms: int, live_requests: int) -> SessionResult:
        """Sums up and gives the journal its end mark.

        Args:
            leftovers: recorded and never played.
            ended_ms: the virtual clock.
            live_requests: how many requests left the program.
        """
        for sleep in self._sleeps:
            self._journal.sleep(sleep)
        for notice in leftover_notices(leftovers):
            self.report("notices", notice)
        with self._lock:
            result = SessionResult(
                interactions=tuple(self._interactions),
                leftovers=tuple(interaction for interaction in leftovers if interaction.lane != "other"),
                misses=self._texts("misses"),
                side_effects=self._texts("side_effects"),
                escapes=self._texts("escapes"),
                tool_drift=self._texts("tool_drift"),
                notices=self._texts("notices"),
                reads=self._texts("reads"),
                writes=self._texts("writes"),
                sleeps=tuple(self._sleeps),
                live_requests=live_requests,
                ended_ms=ended_ms,
                divergences=tuple(self._divergences),
            )
        self._journal.end(ended_ms, live_requests)
        return result

    def _texts(self, kind: FoundKind) -> tuple[str, ...]:
        return tuple(self._found.get(kind, ()))


def in_order_of_the_file(result: SessionResult) -> SessionResult:
    """What was recorded, numbered by where each came from and not by what happened to arrive first."""
    from kit.cassette.order import in_order  # replay plays by the numbers it finds

    ordered = in_order(result.interactions)
    met = (
        replace(one, interaction=replace(one.interaction, number=ordered.number(one.interaction.number)))
        for one in result.faults
    )
    return replace(
        result,
        interactions=ordered.interactions,
        numbers=ordered.numbers,
        faults=tuple(sorted(met, key=lambda one: one.interaction.number)),
    )
