"""What an interaction came from: the one before it in the same task, thread or their ancestors (decision 4).

A context variable carries the number of the last interaction that started there. Tasks and threads begin with
that of whoever started them, so two sub-agents that run at once have a line each, however their answers
arrive.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from typing import NamedTuple


class Last(NamedTuple):
    """The last interaction of a line.

    Attributes:
        session: `id` of the run it belongs to.
        number: of the interaction, 0 before the first.
        job: which job of another thread the line is, counted as they were given out; 0 for none.
    """

    session: int
    number: int
    job: int = 0


_jobs = itertools.count(1)
_thread = threading.local()
LAST: ContextVar[Last | None] = ContextVar("kit_last", default=None)


def before(session: object) -> int:
    """Number of the interaction that this context had last in a run; 0 before its first."""
    last = LAST.get()
    return last.number if last is not None and last.session == id(session) else 0


def job_of(session: object) -> int:
    """Which job of another thread this is, for a run; 0 for none."""
    last = LAST.get()
    # `asyncio.to_thread` runs the job in a copy of the task's context, which does not know of it.
    told = last.job if last is not None and last.session == id(session) else 0
    return told or getattr(_thread, "job", 0)


@contextlib.contextmanager
def beginning(last: Last | None) -> Iterator[None]:
    """The body of the `with` begins its line there: a run at None, a thread by `for_another_thread`."""
    token = LAST.set(last)
    before, _thread.job = getattr(_thread, "job", 0), last.job if last else 0
    try:
        yield
    finally:
        # Left from another context (an async fixture) there is nothing of this one to restore.
        with contextlib.suppress(ValueError):
            LAST.reset(token)
        _thread.job = before


def follows(session: object, number: int) -> None:
    """What starts in this context from now on comes from interaction `number`."""
    LAST.set(Last(id(session), number, job_of(session)))


def for_another_thread(session: object | None) -> Last | None:
    """The line as a thread or a job of a pool begins it: threads race to begin, but were asked in order."""
    return None if session is None else Last(id(session), before(session), next(_jobs))
