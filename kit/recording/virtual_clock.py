"""The wall clock that a run sees: it starts at the header's instant and moves by what crossed the boundary.

Decision 17. Real time does not show: in record and in replay alike the clock stands still but for the end of
an interaction and for time slept on purpose, so that a timestamp in a prompt is the same both times.
"""

from __future__ import annotations

import datetime as dt
import threading

from kit.cassette.interaction import Interaction

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_READS_BEFORE_IT_CREEPS = 10_000
_MOST_LAG_MS = 50


class VirtualClock:
    """Integer milliseconds since the start of a run; safe to use from any thread.

    Args:
        start: the instant shown at 0 ms, aware.
    """

    __slots__ = ("_lock", "_reads", "now_ms", "start_ns")

    def __init__(self, start: dt.datetime) -> None:
        self.start_ns = (start - _EPOCH) // dt.timedelta(microseconds=1) * 1000
        self.now_ms = 0
        self._reads = 0
        self._lock = threading.Lock()

    def advance_to(self, at_ms: int) -> None:
        """The clock becomes max(clock, `at_ms`): latencies of concurrent interactions do not add up."""
        with self._lock:
            if at_ms > self.now_ms:
                self.now_ms = at_ms
                self._reads = 0

    def read_ns(self) -> int:
        """What the program sees: nanoseconds since 1970.

        A loop that only waits for the clock to move would never end; after many reads at the same instant
        each further read moves it by one millisecond.
        """
        self._reads += 1
        if self._reads > _READS_BEFORE_IT_CREEPS:
            with self._lock:
                self.now_ms += 1
        return self.start_ns + self.now_ms * 1_000_000


class Ends:
    """The ends of recorded interactions on the clock, each after those that were there before it.

    Attributes:
        count: how many interactions have ended.
    """

    def __init__(self) -> None:
        self.count = 0
        self._last_ms = 0

    def next_ms(self, ended_ms: int, count: int) -> int:
        """When one more interaction ended.

        Args:
            ended_ms: by its own latency.
            count: how many had ended when it started. If others ended meanwhile, this one ended after them:
                replay keeps that order.
        """
        if self.count != count:
            ended_ms = max(ended_ms, self._last_ms + 1)
        self.count += 1
        self._last_ms = max(self._last_ms, ended_ms)
        return ended_ms


def lag_of(served: Interaction, now_ms: int) -> int:
    """How far replay is ahead of the recorded start, where that is only by what tasks wait for each other.

    Answers that came in one burst were all read before the next request went out; replay has no bursts. A
    greater distance is another program and no lag.
    """
    ahead_ms = served.started_ms - now_ms
    return ahead_ms if 0 < ahead_ms <= _MOST_LAG_MS else 0
