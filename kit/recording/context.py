"""Which session code belongs to: a context variable, carried into threads and pools (decision 2)."""

from __future__ import annotations

import contextlib
import functools
import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar, Token
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from kit.errors import Escape
from kit.recording.guard.passing import inside_stub, is_passing
from kit.recording.lineage import Last, beginning, for_another_thread, make_task, over

if TYPE_CHECKING:
    from kit.recording.session import Session


STARTING = 0
QUEUED = -1


class Worker(NamedTuple):
    """A thread at work for a session; `native` is its id in the kernel.

    One that was started and does not run yet has the ident `STARTING`, a job that no thread of its pool has
    taken yet `QUEUED`; then `native` only tells them apart.
    """

    session: Session
    ident: int
    native: int


class _Origin(NamedTuple):
    """Where a thread or job comes from; `waiting` stands for it until it runs."""

    session: Session | None
    last: Last | None
    waiting: Worker | None = None


_SESSION: ContextVar[Session | None] = ContextVar("kit_session", default=None)
_in_force: list[Session] = []
_made_at: WeakKeyDictionary[threading.Thread, str] = WeakKeyDictionary()
_workers: list[Worker] = []
_numbers = itertools.count()


def current() -> Session | None:
    """The session of this context, or None: then clock and chance are the real ones."""
    return _SESSION.get()


def in_force() -> tuple[Session, ...]:
    """All sessions that are running in this process."""
    return tuple(_in_force)


def likely() -> Session | None:
    """The session that a request made right now will belong to; where several might, one of them."""
    return _SESSION.get() or next(iter(_in_force), None)


def enter(session: Session) -> Token[Session | None]:
    """Makes `session` the one of this context; `leave` undoes it."""
    _in_force.append(session)
    _workers.append(_worker(session))
    return _SESSION.set(session)


def leave(session: Session, token: Token[Session | None]) -> None:
    """The inverse of `enter`, from the same context or, after a lost one, from any other."""
    _in_force.remove(session)
    _workers[:] = [worker for worker in _workers if worker.session is not session]
    try:
        _SESSION.reset(token)
    except ValueError:
        # An async generator fixture may be closed in another context than it was opened in.
        _SESSION.set(None)


@contextlib.contextmanager
def belonging_to(session: Session | None) -> Iterator[None]:
    """Makes the body of the `with` code of a session in force, or of none, whatever the context says."""
    token = _SESSION.set(session)
    try:
        yield
    finally:
        _SESSION.reset(token)


def responsible(what: str) -> Session | None:
    """The session that `what` belongs to; None if none is running at all.

    Traffic whose context was lost goes to the only session in force.

    Raises:
        Escape: several are in force and nothing says which: it fails closed.
    """
    session = _SESSION.get()
    if session is not None or not _in_force:
        return session
    if len(_in_force) == 1:
        return _in_force[0]
    thread = threading.current_thread()
    made = _made_at.get(thread, "before any of the runs began")
    text = (
        f"{what} belongs to none of the {len(_in_force)} runs in force: "
        f"its thread {thread.name!r} was made {made}"
    )
    for open_session in _in_force:
        open_session.report("escapes", text)
    raise Escape(text)


def others_at_work(session: Session) -> list[Worker]:
    """The threads, but for the calling one, that belong to `session`: its own, started ones, pool jobs.

    Those that wait for a core or a place in their pool are among them: nobody may take the session for idle.
    """
    own = threading.get_ident()
    return [worker for worker in list(_workers) if worker.session is session and worker.ident != own]


def carrying(call: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a job for another thread so that it runs in the caller's session and with the caller's marks."""
    return _carrying(_origin(call), call)


def _carrying(origin: _Origin, call: Callable[..., Any]) -> Callable[..., Any]:
    passing = is_passing()

    @functools.wraps(call)
    def job(*args: Any, **kwargs: Any) -> Any:
        if not passing:
            return _run_for(origin, call, *args, **kwargs)
        with inside_stub():
            return _run_for(origin, call, *args, **kwargs)

    return job


def start_thread(original: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    """What stands for `Thread.start`: the new thread belongs to the session of the one that starts it."""

    @functools.wraps(original)
    def start(thread: threading.Thread) -> None:
        if _in_force:
            _made_at[thread] = f"at {_caller()}"
        origin = _origin(getattr(thread, "_target", None) or thread.run, STARTING)
        if origin.session is not None:
            # Without the marks: a pool's worker outlives those of whoever happened to start it.
            thread.run = functools.partial(_run_for, origin, thread.run)  # type: ignore[method-assign]
        try:
            original(thread)
        except BaseException:
            _gone(origin)
            raise

    return start


def submit(original: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for `ThreadPoolExecutor.submit`: a job belongs to the session that submits it."""

    @functools.wraps(original)
    def submit_carrying(pool: Any, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if not _in_force:
            return original(pool, call, *args, **kwargs)
        origin = _origin(call, QUEUED)
        try:
            future = original(pool, _carrying(origin, call), *args, **kwargs)
        except BaseException:
            _gone(origin)
            raise
        future.add_done_callback(lambda _: _gone(origin))  # a cancelled job never runs
        return future

    return submit_carrying


def create_task(original: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for `BaseEventLoop.create_task`: a task has a line of its own in the session."""

    @functools.wraps(original)
    def create(loop: Any, coroutine: Any, **told: Any) -> Any:
        session = _SESSION.get()
        # A factory of tasks need not take a context.
        if session is None or loop.get_task_factory() is not None:
            return original(loop, coroutine, **told)
        return make_task(session, functools.partial(original, loop), coroutine, told)

    return create


def _origin(call: Callable[..., Any], waits_as: int | None = None) -> _Origin:
    """The running code as the origin of a thread or job, which counts as at work from now on."""
    session = _SESSION.get()
    waiting = None
    if session is not None and waits_as is not None:
        waiting = Worker(session, waits_as, next(_numbers))
        _workers.append(waiting)
    return _Origin(session, for_another_thread(session, call), waiting)


def _gone(origin: _Origin) -> None:
    _discard(origin.waiting)
    over(origin.last)


def _discard(worker: Worker | None) -> None:
    with contextlib.suppress(ValueError):  # two threads may do it at once
        if worker is not None:
            _workers.remove(worker)


def _run_for(origin: _Origin, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    token = _SESSION.set(origin.session)
    worker = None if origin.session is None else _worker(origin.session)
    if worker is not None:
        _workers.append(worker)
    _discard(origin.waiting)
    try:
        with beginning(origin.last):
            return call(*args, **kwargs)
    finally:
        _SESSION.reset(token)
        _discard(worker)
        over(origin.last)


def _worker(session: Session) -> Worker:
    return Worker(session, threading.get_ident(), threading.get_native_id())


def _caller() -> str:
    frame = sys._getframe(2)  # noqa: SLF001 - the cheap way to name a line; traceback reads source files
    while frame.f_back is not None and frame.f_code.co_filename.endswith(("threading.py", "thread.py")):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
