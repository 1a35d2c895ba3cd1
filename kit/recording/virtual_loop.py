"""asyncio's time in replay: it stands still while code runs, and jumps to the next timer when idle.

Recorded latencies, sleeps and the program's own time-outs are timers on this time, so tasks end, time out and
are cancelled in the recorded order, and nothing really waits (decision 17). A loop that serves a recording
session, or no session, keeps the real time.
"""

# ruff: noqa: SLF001 - there is no public way to make a loop's time jump
from __future__ import annotations

import asyncio
import functools
import heapq
import os
import stat
import sys
import threading
import time
from asyncio.base_events import BaseEventLoop
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from kit.errors import Miss
from kit.recording import context

if TYPE_CHECKING:
    from kit.recording.session import Session

# Taken before it is patched: what the recording itself waits with.
real_async_sleep = asyncio.sleep

_STATE = "_kit_virtual_time"
_SLICE_S = 0.001
_QUIET_SLICES = 3
_PARKED_IN = ("/threading.py", "/queue.py", "/concurrent/futures/thread.py")
_LOOPS = ("/asyncio/base_events.py", "/recording/virtual_loop.py")


class _Timeline:
    """The one virtual monotonic time of a process, shared by its loops so that none runs ahead of another."""

    def __init__(self) -> None:
        self.now = time.monotonic()
        self.moves = 0  # how often a loop went on
        self.next: dict[int, float] = {}
        self.loops: WeakSet[Any] = WeakSet()
        self._lock = threading.Lock()

    def jump(self, moment: float, moves: int) -> bool:
        """Goes there, unless another loop has something earlier, or went on since `moves` was looked at."""
        with self._lock:
            if moves != self.moves or moment > min(self.next.values()):
                return False
            self.now = moment
            return True

    def go_on(self, loop: Any) -> None:
        """The loop waits no more."""
        with self._lock:
            self.moves += 1
            del self.next[id(loop)]


_timeline = _Timeline()


class _LoopTime:
    """What one loop adds: its distance to the time it follows, whom it serves, who waits for ever."""

    __slots__ = ("frozen", "offset", "sessions", "waiters")

    def __init__(self) -> None:
        self.frozen = False
        self.offset = 0.0
        self.sessions: set[Session] = set()
        self.waiters: dict[asyncio.Future[None], Session] = {}

    def now(self) -> float:
        return (_timeline.now if self.frozen else time.monotonic()) + self.offset

    def freeze(self, frozen: bool) -> None:
        if frozen is not self.frozen:
            now = self.now()
            self.frozen = frozen
            self.offset += now - self.now()


def _of(loop: Any) -> _LoopTime:
    state = loop.__dict__.get(_STATE)
    if not isinstance(state, _LoopTime):
        state = loop.__dict__[_STATE] = _LoopTime()
        # On this one loop and for good: its timers must not lose their time when the run is over.
        loop.__dict__["time"] = state.now
        _timeline.loops.add(loop)
    return state


def bind(session: Session) -> None:
    """Says that the running loop, if any, serves `session`."""
    loop = asyncio._get_running_loop()  # get_running_loop raises where there is none
    if isinstance(loop, BaseEventLoop):
        _of(loop).sessions.add(session)


def is_virtual(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether time jumps on this loop: it serves replay sessions only. Never on uvloop."""
    if not isinstance(loop, BaseEventLoop) or not hasattr(loop, "_selector"):
        return False
    state = _of(loop)
    running = context.in_force()
    state.sessions.intersection_update(running)
    own = context.current()
    sessions = state.sessions | {own} if own is not None else state.sessions
    return bool(sessions) and all(
        session.mode == "replay" and session.options.virtual_time for session in sessions
    )


async def wait_for_ever(session: Session) -> None:
    """Waits until the program cancels this, as it did when recorded.

    Raises:
        Miss: nothing is left in the program that could.
    """
    loop = asyncio.get_running_loop()
    waiter: asyncio.Future[None] = loop.create_future()
    waiters = _of(loop).waiters if isinstance(loop, BaseEventLoop) else {}
    waiters[waiter] = session
    try:
        await waiter
    finally:
        waiters.pop(waiter, None)


def release() -> None:
    """Lets every loop go on with real time from where it stands; for the end of the last session."""
    for loop in list(_timeline.loops):
        _of(loop).freeze(False)


def run_once(original: Callable[[Any], None]) -> Callable[[Any], None]:
    """What stands for `BaseEventLoop._run_once`: lets time jump before the loop would block."""

    @functools.wraps(original)
    def run_once_virtually(loop: Any) -> None:
        virtual = bool(context.in_force()) and is_virtual(loop)
        state = loop.__dict__.get(_STATE)
        if virtual or state is not None:
            _of(loop).freeze(virtual)
        if virtual and not loop._ready and not loop._stopping:
            _pass_time(loop, _of(loop))
        original(loop)

    return run_once_virtually


def _pass_time(loop: Any, state: _LoopTime) -> None:
    moment = _next_timer(loop)
    if moment is None:
        _break_deadlock(loop, state)
        return
    moment -= state.offset
    _timeline.next[id(loop)] = moment
    moves, quiet = _timeline.moves, _QUIET_SLICES if _is_alone(loop) else 0
    try:
        while moment > _timeline.now:
            if quiet >= _QUIET_SLICES and _timeline.jump(moment, moves):
                return
            began = time.monotonic()
            if loop._selector.select(_SLICE_S) or loop._ready:
                return
            is_woken = _may_be_woken(loop)
            if moves != _timeline.moves:
                # Looked at one by one, loops that take turns may each seem idle.
                moves, quiet = _timeline.moves, 0
            elif is_woken:
                # Something real is under way, so real time counts and a time-out may come true.
                _timeline.now = min(moment, _timeline.now + time.monotonic() - began)
                quiet = 0
            else:
                quiet += 1
    finally:
        _timeline.go_on(loop)


def _next_timer(loop: Any) -> float | None:
    scheduled = loop._scheduled
    while scheduled and scheduled[0]._cancelled:
        loop._timer_cancelled_count -= 1
        heapq.heappop(scheduled)._scheduled = False
    return scheduled[0]._when if scheduled else None


def _is_alone(loop: Any) -> bool:
    """Whether no other thread of a session and no socket but the loop's own could bring anything."""
    return len(loop._selector.get_map()) == 1 and not _others()


def _others() -> list[context.Worker]:
    return [worker for session in context.in_force() for worker in context.others_at_work(session)]


def _may_be_woken(loop: Any) -> bool:
    """Whether something outside of virtual time is at work: a loop, a thread, a child process."""
    if any(other is not loop and other.is_running() and other._ready for other in list(_timeline.loops)):
        return True
    for key in list(loop._selector.get_map().values()):
        if not stat.S_ISSOCK(os.fstat(key.fd).st_mode):
            return True
    frames = sys._current_frames()
    return any(not _is_parked(worker, frames.get(worker.ident)) for worker in _others())


def _is_parked(worker: context.Worker, frame: Any) -> bool:
    """Whether a thread waits for another one: on a lock, a queue, or in the idle loop of its own."""
    if worker.ident == context.STARTING:
        return False
    if frame is None:
        return True
    name = str(frame.f_code.co_filename)
    if name.endswith("/selectors.py") and frame.f_back is not None:
        waits = str(frame.f_back.f_code.co_filename).endswith(_LOOPS) and not _has_due_timer(worker)
    else:
        waits = name.endswith(_PARKED_IN)
    return waits and not _is_runnable(worker)


def _has_due_timer(worker: context.Worker) -> bool:
    """Whether the thread's loop only looks for events on the way to a timer whose time has come."""
    return any(
        timer._when <= loop.time() and not timer._cancelled
        for loop in list(_timeline.loops)
        if loop._thread_id == worker.ident
        for timer in list(loop._scheduled)
    )


def _is_runnable(worker: context.Worker) -> bool:
    """Whether the kernel has woken the thread but not given it a core yet; False without /proc."""
    try:
        fields = Path(f"/proc/self/task/{worker.native}/stat").read_text(encoding="ascii")
    except (OSError, ValueError):
        return False
    return fields.rpartition(")")[2].split()[0] == "R"


def _break_deadlock(loop: Any, state: _LoopTime) -> None:
    if not state.waiters or not _is_alone(loop):
        return
    waiter, session = next(iter(state.waiters.items()))
    text = (
        f"{session.options.name}: when recorded, the program gave up waiting for a request; "
        "now nothing cancels it and it would wait for ever"
    )
    session.report("misses", text)
    if not waiter.done():
        waiter.set_exception(Miss(text))
