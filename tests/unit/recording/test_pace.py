"""How the recorded latency is spent."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.recording.pace import Pace, hand_over
from kit.recording.session import start
from tests.fakes.runs import replaying

HOUR_MS = 3_600_000
RECORDED = (
    Interaction(1, "other", HttpRequest("GET", "http://x/y", (), b""), HttpResponse(200), 0, HOUR_MS),
)


def test_pieces_are_spread_over_the_latency(tmp_path: Path) -> None:
    """On loop time the first piece is there at once, the end after all of it; nothing really waits."""

    async def program() -> list[float]:
        loop = asyncio.get_running_loop()
        with start(replaying(tmp_path, RECORDED)) as session:
            pace = Pace(session.begin_http("GET", "http://x/y", (), b""))
            await pace.breathe()
            began = loop.time()
            seen = []
            for step in range(4):
                await pace.reach(step, 4)
                seen.append(loop.time() - began)
            await pace.reach_end(None)
            return [*seen, loop.time() - began]

    began = time.monotonic()
    assert asyncio.run(program()) == pytest.approx([0, 900, 1800, 2700, 3600], abs=1)
    assert time.monotonic() - began < 5


def test_a_wait_that_was_cancelled_is_waited_until_it_is_again(tmp_path: Path) -> None:
    """And then the clock stands where it stood."""

    async def program() -> int:
        with start(replaying(tmp_path, RECORDED)) as session:
            pace = Pace(session.begin_http("GET", "http://x/y", (), b""))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(pace.reach_end("Cancelled"), 2 * HOUR_MS)
            return session.now_ms()

    assert asyncio.run(program()) == HOUR_MS


def test_served_tools_end_in_their_recorded_order(tmp_path: Path) -> None:
    """The tool that took an hour longer is the last to give its result, and nothing really waits."""
    tools = tuple(
        Interaction(number, "tool", ToolRequest(name, {}), ToolResponse(name), 0, ended_ms)
        for number, name, ended_ms in ((1, "slow", 2 * HOUR_MS), (2, "quick", HOUR_MS))
    )

    async def program() -> tuple[list[str], int]:
        ended: list[str] = []

        async def served(name: str) -> None:
            ticket = session.begin_tool(name, {}, executed=False)
            await hand_over(ticket)
            ended.append(name)

        with start(replaying(tmp_path, tools)) as session:
            await asyncio.gather(served("slow"), served("quick"))
            return ended, session.now_ms()

    assert asyncio.run(program()) == (["quick", "slow"], 2 * HOUR_MS)
