"""What a session keeps while it runs: entries go to the journal at once, their sum is its result."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kit.cassette.interaction import HttpRequest, Interaction
from kit.recording.journal import FoundKind, Journal, leftover_notices, read_journal
from kit.recording.options import SessionOptions, SessionResult, Sleep

if TYPE_CHECKING:
    from kit.cassette.divergence import Divergence


class Ledger:
    """Interactions, findings and sleeps of one session; safe to use from any thread.

    Of what is recorded nothing stays in memory, however long the run: the journal has it (decision 9).

    Args:
        journal: where entries go at once.
        read_back: the journal's file, from which the result gets what was recorded; None leaves that to
            another process.
    """

    def __init__(self, journal: Journal, read_back: Path | None = None) -> None:
        self._journal = journal
        self._read_back = read_back
        self._has_recorded = False
        self._lock = threading.RLock()
        self._interactions: list[Interaction] = []
        self._found: dict[FoundKind, dict[str, None]] = {}
        self._sleeps: list[Sleep] = []
        self._divergences: list[Divergence] = []
        self._asked: dict[int, HttpRequest] = {}

    def recorded(self, interaction: Interaction) -> None:
        """Keeps what was recorded.

        Raises:
            EnvironmentFault: the journal cannot be written.
        """
        self._has_recorded = True
        self._journal.interaction(interaction)

    def played(self, interaction: Interaction) -> None:
        """Keeps that a recorded interaction was handed out."""
        with self._lock:
            self._interactions.append(interaction)
        self._journal.played(interaction.number)

    def diverged(self, divergence: Divergence, asked: HttpRequest) -> None:
        """Keeps that an interaction was handed out for another request than the recorded one."""
        with self._lock:
            self._divergences.append(divergence)
            self._asked[divergence.interaction] = asked
        self._journal.diverged(divergence)

    def report(self, kind: FoundKind, text: str) -> None:
        """Keeps a violation or a notice; a repeated one is kept once."""
        with self._lock:
            known = self._found.setdefault(kind, {})
            if text in known:
                return
            known[text] = None
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

        Raises:
            EnvironmentFault: the journal could not be written to its end, or not be read.
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
                asked=self._asked,
            )
        self._journal.end(ended_ms, live_requests)
        if self._read_back is None or not self._has_recorded:
            return result
        recorded = read_journal(self._read_back).result.interactions
        return replace(result, interactions=(*result.interactions, *recorded))

    def _texts(self, kind: FoundKind) -> tuple[str, ...]:
        return tuple(self._found.get(kind, ()))


def in_order_of_the_file(result: SessionResult, options: SessionOptions) -> SessionResult:
    """What was recorded, numbered by where each came from and not by what happened to arrive first.

    A wrapped program's journal is put in order by its parent: an import this late would change how the
    interpreter ends after Ctrl-C.
    """
    if options.mode == "replay" or options.is_wrapped:
        return result
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
