"""A time limit goes off in time, again, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import signal
import threading
import time

import pytest

from kit.errors import TimeLimit
from kit.run.limit import Limit, time_limit


def test_a_body_that_is_in_time_notices_nothing() -> None:
    """No alarm, and the timer and its handler are as before."""
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(30) as limit:
        pass
    assert not limit.is_over
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_body_that_waits_is_ended() -> None:
    """A wait for something that never comes is broken off."""
    with pytest.raises(TimeLimit, match=r"the time limit of 0\.05 s is over"), time_limit(0.05):
        threading.Event().wait(20)


def test_who_swallows_the_alarm_gets_another_one() -> None:
    """`except BaseException` buys one second and not the run."""
    swallowed = 0
    with pytest.raises(TimeLimit), time_limit(0.05) as limit:
        try:
            threading.Event().wait(20)
        except TimeLimit:
            swallowed += 1
        threading.Event().wait(20)
    assert swallowed == 1
    assert limit.is_over


def test_who_swallows_the_alarm_and_returns_is_found_out() -> None:
    """The limit remembers that it went off."""
    with time_limit(0.05) as limit, contextlib.suppress(TimeLimit):
        threading.Event().wait(20)
    assert limit.is_over


def test_no_limit_is_no_timer() -> None:
    """None sets nothing at all."""
    with time_limit(None) as limit:
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert limit == Limit()


def test_outside_the_main_thread_the_limit_says_that_it_is_none() -> None:
    """Python handles signals in the main thread only, so a run elsewhere gets a notice."""
    limits: list[Limit] = []

    def work() -> None:
        with time_limit(0.01) as limit:
            limits.append(limit)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert limits[0].notice is not None
    assert "not in the main thread" in limits[0].notice


def test_a_timer_of_somebody_else_goes_on_afterwards() -> None:
    """A test runner's own time-out is put back with what is left of it."""
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda signum, frame: rung.append(signum))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with time_limit(30):
            pass
        left = signal.getitimer(signal.ITIMER_REAL)[0]
        assert 0 < left <= 0.1
        deadline = time.monotonic() + 10
        while not rung and time.monotonic() < deadline:
            threading.Event().wait(0.02)
        assert rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
