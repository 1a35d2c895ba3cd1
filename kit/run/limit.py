"""A time limit that an agent cannot sit out: real seconds, whatever its virtual clock says."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType

from kit.clock import monotonic_ms
from kit.errors import TimeLimit

_AGAIN_S = 1.0
"""An agent that swallows the first alarm gets another one each second."""


@dataclass(slots=True)
class Limit:
    """A limit in force.

    Attributes:
        text: what a person reads when it is over.
        is_over: whether it went off, even if the agent swallowed that.
        notice: why there is no limit although one was asked for, else None.
    """

    text: str = ""
    is_over: bool = False
    notice: str | None = None


@contextlib.contextmanager
def time_limit(seconds: float | None) -> Iterator[Limit]:
    """Raise TimeLimit in the body once `seconds` are over, and again each second until the body ends.

    Works in the main thread only, since only there Python handles signals; elsewhere `notice` says so.

    Args:
        seconds: real seconds; None is no limit.

    Raises:
        TimeLimit: from whatever the body is doing.
    """
    if seconds is None:
        yield Limit()
        return
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield Limit(
            notice=f"the time limit of {seconds:g} s is not watched: the run is not in the main thread"
        )
        return
    limit = Limit(f"the time limit of {seconds:g} s is over")
    is_armed = True

    def ring(signum: int, frame: FrameType | None) -> None:
        del signum, frame
        if is_armed:
            limit.is_over = True
            raise TimeLimit(limit.text)

    before = signal.signal(signal.SIGALRM, ring)
    began_ms = monotonic_ms()
    left_s, interval_s = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_S)
    try:
        try:
            yield limit
        finally:
            is_armed = False
    finally:
        # Two levels: an alarm may still go off on the way to the flag, and the timer has to end all the same.
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left_s:
            passed_s = (monotonic_ms() - began_ms) / 1000
            signal.setitimer(signal.ITIMER_REAL, max(left_s - passed_s, 0.001), interval_s)
