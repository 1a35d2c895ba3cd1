"""Sleeping moves the virtual clock by the time asked for; in replay it returns at once (decision 17)."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from kit.recording.context import current, others_at_work

if TYPE_CHECKING:
    from kit.recording.session import Session

# Taken before it is patched.
real_sleep = time.sleep

_YIELD_S = 0.002
_NOT_THE_PROGRAM = ("subprocess", "multiprocessing", "concurrent", "threading", "selectors", "asyncio")


def sleep(seconds: float, /) -> None:
    """What stands for `time.sleep`."""
    session = _sleeper(sys._getframe(1))  # noqa: SLF001 - the caller's line is part of the trace
    if session is None or not seconds > 0:
        real_sleep(seconds)
        return
    where = _line(sys._getframe(1))  # noqa: SLF001 - see above
    started = session.now_ms()
    if session.mode == "record":
        real_sleep(0 if _is_pretended(session) else seconds)
    else:
        # Threads that a poll loop waits for must get their turn.
        real_sleep(_YIELD_S if others_at_work(session) else 0)
    _slept(session, started, seconds, where)


async def async_sleep(delay: float, result: Any = None) -> Any:
    """What stands for `asyncio.sleep`; on the virtual loop time it takes no time."""
    from kit.recording import virtual_loop

    frame = sys._getframe(1)  # noqa: SLF001 - see above
    session = _sleeper(frame)
    if session is None or not delay > 0:
        return await virtual_loop.real_async_sleep(delay, result)
    virtual_loop.bind(session)
    where, started = _line(frame), session.now_ms()
    # A cancelled sleep does not move the clock: how far it got is real time, which no recording knows.
    await virtual_loop.real_async_sleep(0 if _is_pretended(session) else delay)
    _slept(session, started, delay, where)
    return result


def _is_pretended(session: Session) -> bool:
    """Whether a pause in record is one before the retry of a fault that nobody really met."""
    return session.mode == "record" and session.is_backing_off


def _sleeper(frame: Any) -> Session | None:
    """The session whose clock a sleep moves: none for the standard library's own polling."""
    session = current()
    if session is None or not session.options.virtual_time:
        return None
    caller = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return None if caller in _NOT_THE_PROGRAM else session


def _slept(session: Session, started_ms: int, seconds: float, where: str) -> None:
    asked = started_ms + max(1, round(seconds * 1000))
    horizon = session.horizon_ms()
    ended = asked if horizon is None else min(asked, max(horizon, started_ms))
    if ended > started_ms:
        session.slept(started_ms, ended, where)


def _line(frame: Any) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
