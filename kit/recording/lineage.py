"""What an interaction came from: the one before it in the same task, thread or their ancestors (decision 4).

A context variable carries the number of the last interaction that started there. Tasks and threads begin with
that of whoever started them, so two sub-agents that run at once have a line each, however their answers
arrive. A client that asks in a task of its own goes on the line of who waits for it: where one task alone of
those made since asked, and is done, its last interaction is that of its maker.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from kit.recording.jobs import Jobs

if TYPE_CHECKING:
    import asyncio


@dataclass(slots=True)
class _Brood:
    """The tasks that were made since the last interaction of a line.

    Attributes:
        asked: how many of them asked for anything, themselves or by what they started.
        asking: how many of those are not done yet.
        last: what the one that ended last had last.
    """

    asked: int = 0
    asking: int = 0
    last: Last | None = None


@dataclass(slots=True, eq=False)
class Strand:
    """A task, a thread or a job of a pool.

    Attributes:
        job: counted as they were given out.
        parent: the one that started it, if that is any.
        brood: of a task, the one that it is of.
        has_asked: whether it asked for anything, itself or by what it started.
        depth: how many stand above it.
    """

    job: int
    parent: Strand | None = None
    brood: _Brood | None = None
    has_asked: bool = False
    depth: int = 0

    def ancestry(self) -> Iterator[Strand]:
        """Itself, and who started it."""
        strand: Strand | None = self
        while strand is not None:
            yield strand
            strand = strand.parent


class Last(NamedTuple):
    """The last interaction of a line.

    Attributes:
        session: `id` of the run it belongs to.
        number: of the interaction, 0 before the first.
        strand: where the line is.
    """

    session: int
    number: int
    strand: Strand | None = None


_DEEPEST = 100
"""A task that makes its own successor, and so on for ever, must not keep them all."""
_lock = threading.Lock()
_jobs = Jobs()
_thread = threading.local()
LAST: ContextVar[Last | None] = ContextVar("kit_last", default=None)
_PLACE: ContextVar[Last | None] = ContextVar("kit_place", default=None)
_BROOD: ContextVar[_Brood | None] = ContextVar("kit_brood", default=None)


def place_of(session: object) -> tuple[int, tuple[int, ...]]:
    """Where an interaction stands: what it comes `under`, and its `job` (see `Interaction`)."""
    here = _here(session)
    if here.strand is None or here.strand.has_asked:
        return here.number, ()
    return here.number, tuple(strand.job for strand in here.strand.ancestry())[::-1]


def asking(session: object) -> tuple[int, int]:
    """Where a request is asked: what it comes `under`, and how many before it there have yet to ask."""
    here = _here(session)
    ahead = 0
    for strand in here.strand.ancestry() if here.strand else ():
        if strand.has_asked:
            break
        ahead += _jobs.asks(strand.job)
    return here.number, ahead


@contextlib.contextmanager
def beginning(last: Last | None) -> Iterator[None]:
    """The body of the `with` begins its line there: a run at None, a thread by `for_another_thread`."""
    token, brood = LAST.set(last), _BROOD.set(None)
    before, _thread.strand = getattr(_thread, "strand", None), last.strand if last else None
    try:
        yield
    finally:
        # Left from another context (an async fixture) there is nothing of this one to restore.
        with contextlib.suppress(ValueError):
            LAST.reset(token)
            _BROOD.reset(brood)
        _thread.strand = before


def follows(session: object, number: int) -> None:
    """What starts in this context from now on comes from interaction `number`."""
    strand = _here(session).strand
    LAST.set(Last(id(session), number, strand))
    _BROOD.set(None)
    if strand is not None and not strand.has_asked:
        with _lock:  # a task may ask in threads
            _asks(strand)


def for_another_thread(session: object | None, call: Callable[..., Any]) -> Last | None:
    """The line as a thread or a job of a pool begins it: threads race to begin, but were asked in order.

    Args:
        session: the run that it belongs to.
        call: what it will run.
    """
    return None if session is None else _started(session, call)


def make_task(
    session: object,
    original: Callable[..., asyncio.Task[Any]],
    coroutine: Any,
    told: dict[str, Any],
) -> asyncio.Task[Any]:
    """Makes a task that has a line of its own, and whose maker knows of it.

    Args:
        session: the run that it belongs to.
        original: `create_task` of the loop.
        coroutine: what it runs.
        told: the other arguments of `create_task`.
    """
    _settled()
    brood = _BROOD.get()
    if brood is None:
        _BROOD.set(brood := _Brood())
    begins = _started(session, getattr(coroutine, "cr_code", coroutine), brood)
    context = told.get("context")
    if context is None:  # an empty one is false
        context = copy_context()
    try:
        context.run(_begin, begins)
    except RuntimeError:  # it is that of who is running: no line of its own
        over(begins)
        return original(coroutine, **told)
    task = original(coroutine, **{**told, "context": context})
    # Before anybody waits for it, so that who does finds it ended.
    task.add_done_callback(functools.partial(_ended, begins), context=context)
    return task


@contextlib.contextmanager
def keeping_place(session: object, call: Callable[..., Any]) -> Iterator[None]:
    """Around a request that begins only when its connection is there: they race, but were asked for in order.

    Args:
        session: the run that it belongs to.
        call: what asks.
    """
    here = _here(session)
    is_new = here.strand is None or here.strand.has_asked
    place = _started(session, call) if is_new else here
    token = _PLACE.set(place)
    try:
        yield
    finally:
        _PLACE.reset(token)
        if is_new:
            over(place)


def kept_place(session: object) -> Last:
    """Where a request was asked for that is about to be written; behind a redirect that is here and now."""
    here, kept = _here(session), _PLACE.get()
    return kept if kept is not None and kept[:2] == here[:2] else here


def over(last: Last | None) -> None:
    """The thread, job or task that began there ended, or will never run."""
    if last is not None and last.strand is not None:
        _jobs.over(last.strand.job)


def _here(session: object) -> Last:
    """Where this code is in a run."""
    last = _settled()
    if last is None or last.session != id(session):
        last = Last(id(session), 0)
    thread: Strand | None = getattr(_thread, "strand", None)
    # `asyncio.to_thread` runs a job in a copy of the task's context, which knows nothing of the job.
    if thread is not None and (last.strand is None or last.strand in thread.ancestry()):
        last = last._replace(strand=thread)
    return last


def _started(session: object, call: Any, brood: _Brood | None = None) -> Last:
    """The beginning of what is started here."""
    here = _here(session)
    parent = here.strand
    job = _jobs.given_out((here.session, here.number, parent.job if parent else 0), call)
    if parent is not None and parent.depth == _DEEPEST:
        parent = None
    return here._replace(strand=Strand(job, parent, brood, depth=parent.depth + 1 if parent else 0))


def _asks(strand: Strand) -> None:
    for one in strand.ancestry():
        if one.has_asked:
            return
        one.has_asked = True
        if one.brood is not None:
            one.brood.asked += 1
            one.brood.asking += 1


def _begin(begins: Last) -> None:
    LAST.set(begins)
    _BROOD.set(None)


def _ended(begins: Last, task: asyncio.Task[Any]) -> None:
    """In the task's own context."""
    del task
    over(begins)
    strand = begins.strand
    if strand is not None and strand.has_asked and strand.brood is not None:
        with _lock:
            strand.brood.asking -= 1
            strand.brood.last = _settled()


def _settled() -> Last | None:
    """The last interaction of this context, with what the only one of its tasks that asked had last."""
    brood, last = _BROOD.get(), LAST.get()
    if brood is None or not brood.asked or brood.asking:
        return last
    _BROOD.set(None)
    if brood.asked == 1 and brood.last is not None:
        is_same = last is not None and last.session == brood.last.session
        last = brood.last._replace(strand=last.strand if last is not None and is_same else None)
        LAST.set(last)
    return last
