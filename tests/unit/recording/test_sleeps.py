"""Sleeping on the virtual clock."""

from __future__ import annotations

import asyncio
import datetime as dt
import sys
import threading
import time
from pathlib import Path
from time import sleep as early_sleep
from typing import Any

import httpx

from tests.fakes.model_server import reply, serving
from tests.fakes.runs import START, recording, replaying, run


def test_slept_time_passes_on_the_clock_and_not_in_the_world(tmp_path: Path) -> None:
    """An hour of `time.sleep` takes no time in replay, also by a name bound early; its line is told."""

    def program() -> list[dt.datetime]:
        seen = [dt.datetime.now(dt.UTC)]
        time.sleep(3600)
        seen.append(dt.datetime.now(dt.UTC))
        early_sleep(0.5)
        return [*seen, dt.datetime.now(dt.UTC)]

    began = time.monotonic()
    seen, result = run(replaying(tmp_path, ()), program)
    assert time.monotonic() - began < 5
    assert seen == [START, START + dt.timedelta(hours=1), START + dt.timedelta(hours=1, milliseconds=500)]
    assert [(sleep.started_ms, sleep.ended_ms) for sleep in result.sleeps] == [
        (0, 3_600_000),
        (3_600_000, 3_600_500),
    ]
    assert result.sleeps[0].where.startswith(__file__)


def test_sleeps_of_one_line_count_as_one(tmp_path: Path) -> None:
    """A poll loop is one step of the trace."""

    def program() -> float:
        began = time.time()
        deadline = began + 1
        while time.time() < deadline:
            time.sleep(0.1)
        return time.time() - began

    seen, result = run(replaying(tmp_path, ()), program)
    assert round(seen, 3) == 1.0
    assert len(result.sleeps) == 1


def test_record_really_sleeps_and_both_see_the_same_time(tmp_path: Path) -> None:
    """Time stamps around requests and sleeps are equal in record and replay."""
    with serving(x=reply()) as server:
        url = f"{server.url}/x"

        def program() -> list[float]:
            seen = [time.time()]
            httpx.get(url)
            seen.append(time.time())
            time.sleep(0.05)
            seen.append(time.time())
            httpx.get(url)
            return [*seen, time.time()]

        began = time.monotonic()
        seen, recorded = run(recording(tmp_path), program)
        assert time.monotonic() - began >= 0.05
    again, result = run(replaying(tmp_path, recorded.interactions), program)
    assert again == seen
    assert result.sleeps == recorded.sleeps


def test_sleep_never_passes_the_next_recorded_request(tmp_path: Path) -> None:
    """A poll loop over a thread's work does not run away with the clock."""
    with serving(x=reply()) as server:
        url = f"{server.url}/x"

        def program(pause_s: float) -> None:
            time.sleep(pause_s)
            httpx.get(url)

        _, recorded = run(recording(tmp_path), lambda: program(0.02))
    started = recorded.interactions[0].started_ms
    _, result = run(replaying(tmp_path, recorded.interactions), lambda: program(500))
    assert started == 20
    assert result.ended_ms == recorded.ended_ms


def test_async_sleep_gives_its_result_and_moves_the_clock(tmp_path: Path) -> None:
    """`asyncio.sleep` is virtual too; a cancelled one does not move the clock."""

    async def program() -> tuple[Any, float]:
        began = time.time()
        result = await asyncio.sleep(2, "slept")
        task = asyncio.create_task(asyncio.sleep(50))
        await asyncio.sleep(1)
        task.cancel()
        return result, time.time() - began

    assert run(replaying(tmp_path, ()), program)[0] == ("slept", 3.0)


def test_a_polling_thread_sees_the_work_of_another(tmp_path: Path) -> None:
    """The sleeper lets the other thread run, so that a poll loop ends."""
    done: list[bool] = []

    def program() -> bool:
        worker = threading.Thread(target=lambda: done.append(True))
        worker.start()
        for _ in range(1000):
            if done:
                return True
            time.sleep(0.01)
        return False

    assert run(replaying(tmp_path, ()), program)[0]


def test_names_bound_early_are_restored(tmp_path: Path) -> None:
    """After the run this module's own `early_sleep` is the real one again."""
    run(recording(tmp_path), lambda: None)
    assert sys.modules[__name__].early_sleep is early_sleep
    began = time.monotonic()
    early_sleep(0.01)
    assert time.monotonic() - began >= 0.01
