"""How an async stub or tool spends the recorded latency in replay: on the loop's virtual time.

Tasks then end, time out and are cancelled in the order in which they did when recorded.
"""

from __future__ import annotations

import asyncio

from kit.recording import virtual_loop
from kit.recording.tickets import HttpTicket, ToolTicket


class Pace:
    """The recorded latency of one exchange, on the time of the loop it runs in."""

    __slots__ = ("_began", "_ticket")

    def __init__(self, ticket: HttpTicket | ToolTicket) -> None:
        self._ticket = ticket
        self._began: float | None = None

    async def breathe(self) -> None:
        """Lets other tasks run, as a real request does."""
        self._start()
        await virtual_loop.real_async_sleep(0)

    async def reach(self, step: int, steps: int) -> None:
        """Waits for the moment of piece `step` of `steps`: spread evenly, as only the end is known."""
        await self._until(self._ticket.latency_ms * step / steps)

    async def reach_end(self, failure: str | None) -> None:
        """Waits until the recorded end; where the agent gave up waiting, until it does so again."""
        self._start()
        try:
            if failure == "Cancelled":
                await virtual_loop.wait_for_ever(self._ticket.session)
            await self._until(self._ticket.latency_ms)
        except asyncio.CancelledError:
            self._ticket.end()
            raise

    def _start(self) -> None:
        if self._began is None:
            virtual_loop.bind(self._ticket.session)
            self._began = asyncio.get_running_loop().time()

    async def _until(self, after_ms: float) -> None:
        self._start()
        loop = asyncio.get_running_loop()
        rest = (self._began or 0.0) + after_ms / 1000 - loop.time()
        if rest > 0 and virtual_loop.is_virtual(loop):
            await virtual_loop.real_async_sleep(rest)


async def hand_over(ticket: ToolTicket) -> None:
    """Lets the recorded latency of a served tool pass, then ends it: tools end in their recorded order."""
    await Pace(ticket).reach_end(None)
    ticket.end()
