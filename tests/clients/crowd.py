"""Ways to do several things at once: tasks, threads of all makes, and loops in threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager

from tests.clients.callers.caller import Say, SayLater

SIZE = 3
PATIENCE_S = 30


class Crowd:
    """Asks `SIZE` times at once.

    Args:
        questions: `SIZE` of them; of equal ones, only where each comes from tells whose answer is whose.
        is_reversed: threads ask one after the other, the last that was started first: what no scheduler
            would do, and any may.
    """

    def __init__(self, questions: list[str], *, is_reversed: bool = False) -> None:
        self._questions = questions
        self._is_reversed = is_reversed
        self._is_over = [threading.Event() for _ in range(SIZE + 1)]
        self._is_over[SIZE].set()

    def pool(self, say: Say) -> list[str]:
        """A pool of threads."""
        with ThreadPoolExecutor(SIZE) as pool:
            return list(pool.map(lambda place: self._said(say, place), range(SIZE)))

    def threads(self, say: Say) -> list[str]:
        """Threads as such."""
        return self._in_threads(lambda place: self._said(say, place))

    def to_thread(self, say: Say) -> list[str]:
        """A thread for each task of a loop."""

        async def main() -> list[str]:
            jobs = [asyncio.to_thread(self._said, say, place) for place in range(SIZE)]
            return list(await asyncio.gather(*jobs))

        return asyncio.run(main())

    def tasks(self, opened: Callable[[], AbstractAsyncContextManager[SayLater]]) -> list[str]:
        """Tasks of one loop, which share a client."""

        async def main() -> list[str]:
            async with opened() as say:
                return list(await asyncio.gather(*(say(text) for text in self._questions)))

        return asyncio.run(main())

    def loops(self, opened: Callable[[], AbstractAsyncContextManager[SayLater]]) -> list[str]:
        """Threads with a loop and a client each."""

        async def main(place: int) -> str:
            async with opened() as say:
                return await say(self._questions[place])

        return self._in_threads(lambda place: self._in_turn(lambda: asyncio.run(main(place)), place))

    def _in_threads(self, job: Callable[[int], str]) -> list[str]:
        told: dict[int, str] = {}
        threads = [
            threading.Thread(target=lambda place=place: told.update({place: job(place)}))
            for place in range(SIZE)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [told[place] for place in range(SIZE)]

    def _said(self, say: Say, place: int) -> str:
        return self._in_turn(lambda: say(self._questions[place]), place)

    def _in_turn(self, run: Callable[[], str], place: int) -> str:
        if self._is_reversed:
            assert self._is_over[place + 1].wait(PATIENCE_S)
        try:
            return run()
        finally:
            self._is_over[place].set()
