"""The virtual clock."""

from __future__ import annotations

import datetime as dt

from kit.recording.virtual_clock import VirtualClock

START = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.timezone(dt.timedelta(hours=2)))


def test_it_starts_at_the_instant_of_the_header() -> None:
    """Whatever the zone, nanoseconds since 1970 are those of the instant."""
    clock = VirtualClock(START)
    assert clock.now_ms == 0
    assert clock.read_ns() == int(START.timestamp()) * 10**9


def test_it_never_goes_back() -> None:
    """Concurrent latencies do not add up: it becomes the later of two ends."""
    clock = VirtualClock(START)
    clock.advance_to(400)
    clock.advance_to(100)
    assert clock.now_ms == 400
    assert clock.read_ns() == clock.start_ns + 400_000_000


def test_a_loop_that_only_reads_it_comes_to_an_end() -> None:
    """After very many reads at one instant each read moves it; a move starts the count anew."""
    clock = VirtualClock(START)
    deadline = clock.start_ns + 50_000_000
    reads = 0
    while clock.read_ns() < deadline:
        reads += 1
        assert reads < 20_000
    assert clock.now_ms == 50
    clock.advance_to(60)
    clock.read_ns()
    assert clock.now_ms == 60
