"""What an interaction came from: the one before it in the same task, thread or their ancestors (decision 4).

A context variable carries the number of the last interaction that started there. Tasks and threads begin with
that of whoever started them, so two sub-agents that run at once have a line each, however their answers
arrive.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, NamedTuple

from kit.recording.jobs import Jobs


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


_jobs = Jobs()
_thread = threading.local()
LAST: ContextVar[Last | None] = ContextVar("kit_last", default=None)
_PLACE: ContextVar[Last | None] = ContextVar("kit_place", default=None)


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


def asking(session: object) -> tuple[int, int]:
    """Where a request is asked: what it comes `under`, and how many jobs before its own are still to ask."""
    return before(session), _jobs.asks(job_of(session))


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


def for_another_thread(session: object | None, call: Callable[..., Any]) -> Last | None:
    """The line as a thread or a job of a pool begins it: threads race to begin, but were asked in order.

    Args:
        session: the run that it belongs to.
        call: what it will run.
    """
    if session is None:
        return None
    number = before(session)
    return Last(id(session), number, _jobs.given_out((id(session), number), call))


@contextlib.contextmanager
def keeping_place(session: object, call: Callable[..., Any]) -> Iterator[None]:
    """Around a request that begins only when its connection is there: they race, but were asked for in order.

    Args:
        session: the run that it belongs to.
        call: what asks.
    """
    number, job = before(session), job_of(session)
    place = Last(id(session), number, job or _jobs.given_out((id(session), number), call))
    token = _PLACE.set(place)
    try:
        yield
    finally:
        _PLACE.reset(token)
        if not job:
            over(place)


def kept_place(session: object) -> Last:
    """Where a request was asked for that is about to be written; behind a redirect that is here and now."""
    here = Last(id(session), before(session), job_of(session))
    kept = _PLACE.get()
    return kept if kept is not None and kept[:2] == here[:2] else here


def over(last: Last | None) -> None:
    """The thread or job that began there ended, or will never run."""
    if last is not None:
        _jobs.over(last.job)
