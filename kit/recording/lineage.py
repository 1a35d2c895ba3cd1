"""What an interaction came from: the one before it in the same task, thread or their ancestors (decision 4).

A context variable carries the number of the last interaction that started there. Tasks and threads begin with
that of whoever started them, so two sub-agents that run at once have a line each, however their answers
arrive.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import NamedTuple


class Last(NamedTuple):
    """The last interaction of a line; `session` is the `id` of the run it belongs to."""

    session: int
    number: int


LAST: ContextVar[Last | None] = ContextVar("kit_last", default=None)


def before(session: object) -> int:
    """Number of the interaction that this context had last in a run; 0 before its first."""
    last = LAST.get()
    return last.number if last is not None and last.session == id(session) else 0


def follows(session: object, number: int) -> None:
    """What starts in this context from now on comes from interaction `number`."""
    LAST.set(Last(id(session), number))
