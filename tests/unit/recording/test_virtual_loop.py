"""asyncio's time in replay."""

from __future__ import annotations

import asyncio
import random
import selectors
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.errors import Miss
from kit.recording.options import SessionResult
from kit.recording.session import start
from tests.fakes.model_server import after, reply, serving
from tests.fakes.runs import recording, replaying, run

SLOW = {
    name: after(seconds, reply(body=f'"{name}"'.encode()))
    for name, seconds in {"a": 0.3, "b": 0.1, "c": 0.2}.items()
}
LONG_S = 3600


def both(folder: Path, program: Callable[[str], Any]) -> tuple[Any, Any, SessionResult]:
    """What the program saw in record and in replay, and the replay's result."""
    with serving(**SLOW) as server:
        url = server.url
        seen, recorded = run(recording(folder), lambda: program(url))
    again, result = run(replaying(folder, recorded.interactions), lambda: program(url))
    assert result.ended_ms == recorded.ended_ms
    return seen, again, result


async def get(client: httpx.AsyncClient, url: str) -> tuple[str, float]:
    """The answer and the virtual time at which it was there."""
    return str((await client.get(url)).json()), time.time()


def test_hours_of_latency_are_not_waited_for(tmp_path: Path) -> None:
    """A gather of slow answers replays at once, in the order of the recorded ends."""
    recorded = tuple(
        Interaction(
            number,
            "other",
            HttpRequest("GET", f"http://x/{name}", (), b""),
            HttpResponse(200, (), f'"{name}"'.encode()),
            0,
            hours * 3_600_000,
        )
        for number, (name, hours) in enumerate({"a": 3, "b": 1, "c": 2}.items(), 1)
    )

    async def program() -> list[str]:
        async with httpx.AsyncClient() as client:
            tasks = [asyncio.create_task(get(client, f"http://x/{name}")) for name in "abc"]
            return [(await next_done)[0] for next_done in asyncio.as_completed(tasks)]

    began = time.monotonic()
    order, result = run(replaying(tmp_path, recorded), program)
    assert time.monotonic() - began < 30
    assert order == ["b", "c", "a"]
    assert result.ended_ms == 3 * 3_600_000


def test_a_gather_replays_in_the_recorded_order(tmp_path: Path) -> None:
    """Completion order and time stamps are those of the recording."""

    async def program(url: str) -> list[Any]:
        async with httpx.AsyncClient() as client:
            tasks = [asyncio.create_task(get(client, f"{url}/{name}")) for name in "abc"]
            return [await next_done for next_done in asyncio.as_completed(tasks)]

    seen, again, result = both(tmp_path, program)
    assert again == seen
    assert [name for name, _ in seen] == ["b", "c", "a"]
    assert result.live_requests == 0


def test_many_requests_behind_a_semaphore_end_in_the_recorded_order(tmp_path: Path) -> None:
    """Answers that came in one burst, and the requests that waited for them, keep their order and time."""
    delays = random.Random(3)

    def some_time(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        after(delays.random() / 20, reply())(handler, body)

    async def program(url: str) -> list[tuple[int, float]]:
        few, order = asyncio.Semaphore(5), []
        async with httpx.AsyncClient() as client:

            async def one(number: int) -> None:
                async with few:
                    order.append((number, (await get(client, f"{url}/many?{number}"))[1]))

            await asyncio.gather(*map(one, range(20)))
        return order

    with serving(many=some_time) as server:
        url = server.url
        seen, recorded = run(recording(tmp_path), lambda: program(url))
    again, _ = run(replaying(tmp_path, recorded.interactions), lambda: program(url))
    assert [number for number, _ in again] == [number for number, _ in seen]
    assert [at for _, at in again] == pytest.approx([at for _, at in seen], abs=0.02)


def test_time_outs_of_the_program_come_out_as_recorded(tmp_path: Path) -> None:
    """A `wait_for` that gave up gives up again, one that did not does not."""

    async def program(url: str) -> list[Any]:
        seen: list[Any] = []
        async with httpx.AsyncClient() as client:
            for limit in (0.1, 5):
                try:
                    seen.append(await asyncio.wait_for(get(client, f"{url}/a"), limit))
                except TimeoutError:
                    seen.append(("gave up", time.time()))
        return seen

    seen, again, result = both(tmp_path, program)
    assert again == seen
    assert [what for what, _ in seen] == ["gave up", "a"]
    assert result.misses == ()


def test_a_read_time_out_of_the_client_comes_out_as_recorded(tmp_path: Path) -> None:
    """The client's own time-out is a recorded failure."""

    async def program(url: str) -> Any:
        async with httpx.AsyncClient(timeout=0.1) as client:
            try:
                return await get(client, f"{url}/a")
            except httpx.TimeoutException as error:
                return type(error).__name__, time.time()

    seen, again, _ = both(tmp_path, program)
    assert again == seen
    assert seen[0] == "ReadTimeout"


def test_sleeping_tasks_interleave_with_requests_as_recorded(tmp_path: Path) -> None:
    """Sleep and latency are on one time."""

    async def program(url: str) -> list[str]:
        order: list[str] = []

        async def slept(seconds: float) -> None:
            await asyncio.sleep(seconds)
            order.append(f"slept {seconds}")

        async def asked(name: str) -> None:
            async with httpx.AsyncClient() as client:
                await client.get(f"{url}/{name}")
            order.append(name)

        await asyncio.gather(asked("a"), slept(0.2), asked("b"), slept(0.02))
        return order

    seen, again, result = both(tmp_path, program)
    assert again == seen == ["slept 0.02", "b", "slept 0.2", "a"]
    assert [sleep.ended_ms for sleep in result.sleeps] == [20, 200]


def test_an_hour_of_timers_passes_at_once_without_any_request(tmp_path: Path) -> None:
    """`call_later`, `asyncio.timeout` and `sleep` jump where a replay has nothing to wait for."""

    async def program() -> tuple[str, float]:
        loop = asyncio.get_running_loop()
        began = loop.time()
        done = asyncio.Event()
        loop.call_later(LONG_S, done.set)
        try:
            async with asyncio.timeout(2 * LONG_S):
                await done.wait()
            return "done", loop.time() - began
        except TimeoutError:
            return "gave up", loop.time() - began

    began = time.monotonic()
    (what, loop_s), _ = run(replaying(tmp_path, ()), program)
    assert what == "done"
    assert loop_s == pytest.approx(LONG_S, abs=0.1)
    assert time.monotonic() - began < 5


def test_a_thread_at_work_is_waited_for(tmp_path: Path) -> None:
    """Time does not jump past a job that is really running, so no time-out comes true too early."""

    def work() -> str:
        deadline = time.monotonic() + 0.3
        while time.monotonic() < deadline:
            pass
        return "worked"

    async def program() -> str:
        return await asyncio.wait_for(asyncio.to_thread(work), LONG_S)

    assert run(replaying(tmp_path, ()), program)[0] == "worked"


def test_a_parked_thread_holds_nothing_up(tmp_path: Path) -> None:
    """A background thread that waits for work does not keep time from jumping."""
    stop = threading.Event()
    began = time.monotonic()

    async def program() -> None:
        threading.Thread(target=stop.wait, daemon=True).start()
        await asyncio.sleep(LONG_S)

    run(replaying(tmp_path, ()), program)
    stop.set()
    assert time.monotonic() - began < 5


def test_a_loop_in_a_background_thread_shares_the_time(tmp_path: Path) -> None:
    """Two loops of one run: the time-out in one does not overtake the latency in the other."""

    async def program(url: str) -> Any:
        background = asyncio.new_event_loop()
        thread = threading.Thread(target=background.run_forever)
        thread.start()

        async def ask() -> str:
            async with httpx.AsyncClient() as client:
                return (await get(client, f"{url}/a"))[0]

        try:
            answer = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(ask(), background))
            return await asyncio.wait_for(answer, 30)
        finally:
            background.call_soon_threadsafe(background.stop)
            thread.join()
            background.close()

    seen, again, _ = both(tmp_path, program)
    assert again == seen == "a"


STARVED = """
def select(selector, timeout=None):
    if timeout == 0:
        lock.acquire(timeout=0.02)  # as if other processes had all cores
    return original(selector, timeout)
"""


def test_time_waits_for_a_loop_that_has_no_core_to_run_its_timer(tmp_path: Path) -> None:
    """It stands in its look for events, like one that has nothing to do; but its time has come."""
    lock = threading.Lock()
    lock.acquire()
    names: dict[str, Any] = {"lock": lock, "original": selectors.DefaultSelector.select}
    exec(compile(STARVED, "/starved/selectors.py", "exec"), names)  # noqa: S102 - known by its file
    starved = type("Starved", (selectors.DefaultSelector,), {"select": names["select"]})

    async def program() -> str:
        background = asyncio.SelectorEventLoop(starved())
        thread = threading.Thread(target=background.run_forever)
        thread.start()

        async def slow() -> str:
            for _ in range(5):
                await asyncio.sleep(1)
            return "slow"

        try:
            answer = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(slow(), background))
            return await asyncio.wait_for(answer, LONG_S)
        finally:
            background.call_soon_threadsafe(background.stop)
            thread.join()
            background.close()

    assert run(replaying(tmp_path, ()), program)[0] == "slow"


def test_time_waits_for_a_thread_that_has_no_core_yet(tmp_path: Path) -> None:
    """It was started, so what it will do counts: no time-out overtakes it."""
    waits = threading.Event()

    class Late(threading.Thread):
        def _bootstrap_inner(self) -> None:
            self._started.set()  # type: ignore[attr-defined]
            waits.wait(0.05)
            super()._bootstrap_inner()  # type: ignore[misc]

    async def program() -> str:
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        thread = Late(target=loop.call_soon_threadsafe, args=(done.set,))
        thread.start()
        try:
            await asyncio.wait_for(done.wait(), LONG_S)
        finally:
            thread.join()
        return "done"

    assert run(replaying(tmp_path, ()), program)[0] == "done"


def test_a_time_out_that_is_gone_is_a_miss_and_no_hang(tmp_path: Path) -> None:
    """Where the program does not give up any more, replay says so instead of waiting for ever."""
    with serving(**SLOW) as server:

        async def program(limit: float | None) -> str:
            async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113 - what is tested
                try:
                    await asyncio.wait_for(client.get(f"{server.url}/a"), limit)
                except TimeoutError:
                    return "gave up"
                except Miss:
                    return "missed"
            return "answered"

        _, recorded = run(recording(tmp_path), lambda: program(0.05))
    returned, result = run(replaying(tmp_path, recorded.interactions), lambda: program(None))
    assert returned == "missed"
    assert len(result.misses) == 1


def test_a_loop_without_a_session_keeps_the_real_time(tmp_path: Path) -> None:
    """Patched in for a run elsewhere, a loop of nobody sleeps for real."""

    async def real() -> float:
        began = time.monotonic()
        await asyncio.sleep(0.05)
        return time.monotonic() - began

    async def program() -> None:
        await asyncio.sleep(LONG_S)

    def outside() -> None:
        took.append(asyncio.run(real()))

    took: list[float] = []
    thread = threading.Thread(target=outside)
    thread.start()
    run(replaying(tmp_path, ()), program)
    thread.join()
    assert took[0] >= 0.045


def test_a_loop_that_outlives_the_run_goes_on_from_where_it_stands(tmp_path: Path) -> None:
    """Its time neither falls back nor stands still."""

    async def program() -> None:
        loop = asyncio.get_running_loop()
        with start(replaying(tmp_path, ())):
            await asyncio.sleep(LONG_S)
            inside = loop.time()
        after_it = loop.time()
        await asyncio.sleep(0.01)
        assert inside <= after_it < after_it + 0.01 <= loop.time() < inside + LONG_S

    asyncio.run(program())
