"""What stands for a server on an aiohttp connection: it feeds recorded answers in their recorded time."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from kit.cassette.interaction import HttpResponse
from kit.errors import ReplayStop
from kit.recording.guard.frames import Place
from kit.recording.lineage import Last
from kit.recording.pace import Pace
from kit.recording.tickets import HttpTicket
from kit.recording.transports.wire import Answer, answer_of


class Destination(Protocol):
    """Whom the next request on a connection goes to."""

    def address(self, target: str) -> str:
        """The absolute address behind a request's target."""

    @property
    def patience_ms(self) -> int | None:
        """How long the program waits for the answer; None is for ever."""

    @property
    def where(self) -> Place | None:
        """The program's line that asks; aiohttp writes bodies in tasks of its own."""

    @property
    def line(self) -> Last | None:
        """Where in the run it was asked for."""

    def error(self, failure: str) -> BaseException:
        """The client's own exception for a recorded failure."""


class RecordedServer:
    """Answers on one connection.

    Attributes:
        has_hung_up: whether the connection is of no more use.

    Args:
        protocol: aiohttp's side of the connection.
    """

    def __init__(self, protocol: Any) -> None:
        self.has_hung_up = False
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._serving: tuple[HttpTicket, asyncio.Task[None]] | None = None

    def serve(
        self, ticket: HttpTicket, recorded: HttpResponse, method: str, destination: Destination
    ) -> None:
        """Answers a request; the answer comes while the program waits for it."""
        task = self._loop.create_task(self._feed(ticket, recorded, method, destination))
        self._serving = (ticket, task)

    def left(self) -> None:
        """The client is gone: nobody hears the rest."""
        if self._serving is not None:
            ticket, task = self._serving
            ticket.end()
            task.cancel()

    def fail(self, error: BaseException) -> None:
        """Whoever waits on the connection, for an answer or for its body, gets an exception."""
        payload = self._protocol._payload  # noqa: SLF001 - who reads the body waits there
        self._protocol.set_exception(error)
        if payload is not None:
            payload.set_exception(error)

    async def _feed(
        self, ticket: HttpTicket, recorded: HttpResponse, method: str, destination: Destination
    ) -> None:
        try:
            pace = Pace(ticket)
            if recorded.status == 0:
                await pace.reach_end(recorded.failure)
                ticket.end()
                self._break(recorded.failure or "", destination)
            else:
                answer = answer_of(recorded, method)
                await self._feed_answer(ticket, pace, recorded, answer)
                if answer.is_torn:
                    self._hang_up(None)
                elif answer.failure is not None:
                    self._break(answer.failure, destination)
        except ReplayStop as stop:
            self.fail(stop)
        finally:
            ticket.end()
            self._serving = None

    async def _feed_answer(
        self, ticket: HttpTicket, pace: Pace, recorded: HttpResponse, answer: Answer
    ) -> None:
        receive = self._protocol.data_received
        await pace.breathe()
        if recorded.chunks:
            receive(answer.head)
            for step, piece in enumerate(answer.pieces):
                await pace.reach(step, len(answer.pieces))
                receive(piece)
            await pace.reach_end(recorded.failure)
            ticket.end()
            receive(answer.tail)
            return
        # Who waits for the head only goes on before the body is there.
        receive(answer.head if answer.pieces else b"")
        await pace.reach_end(recorded.failure)
        ticket.end()
        receive(b"".join([b"" if answer.pieces else answer.head, *answer.pieces, answer.tail]))

    def _break(self, failure: str, destination: Destination) -> None:
        """The recorded failure, in the client's own terms."""
        if failure.startswith("RemoteProtocolError"):
            self._hang_up(None)
        elif failure.startswith("ReadError"):
            self._hang_up(destination.error(failure))
        else:
            self.fail(destination.error(failure))

    def _hang_up(self, error: BaseException | None) -> None:
        self.has_hung_up = True
        self._protocol.connection_lost(error)
