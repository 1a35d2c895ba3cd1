"""Stands between an aiohttp connection and its socket, and in replay for the socket.

aiohttp's own parser, readers, time-outs and pool work on it as on any other: in record bytes pass by on both
ways; in replay the recorded answer is fed to the connection at its recorded time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from kit.errors import ReplayStop
from kit.recording import lineage
from kit.recording.guard.frames import asked_at
from kit.recording.tickets import HttpTicket
from kit.recording.transports import door
from kit.recording.transports.aiohttp_server import Destination, RecordedServer
from kit.recording.transports.failures import failure_of
from kit.recording.transports.wire import AnswerReader, RequestReader, WireRequest

Feed = Callable[[Any, bytes], None]
"""The connection's own `data_received`."""


class DoorTransport(asyncio.Transport):
    """One connection of aiohttp.

    Attributes:
        destination: whom the next request goes to.

    Args:
        protocol: aiohttp's side.
        real: the connection to the server; None in replay, and where there is none.
        failure: why no connection came about, for a request that is only written to be recorded.
    """

    def __init__(self, protocol: Any, real: Any = None, failure: str | None = None) -> None:
        super().__init__()
        self.destination: Destination | None = None
        self._protocol = protocol
        self._real = real
        self._failure = failure
        self._loop = asyncio.get_running_loop()
        self._reader = RequestReader()
        self._held: list[bytes] = []
        self._ticket: HttpTicket | None = None
        self._answer: AnswerReader | None = None
        self._unseen: list[bytes] = []
        self._server = RecordedServer(protocol)
        self._is_closing = False

    @property
    def is_live(self) -> bool:
        """Whether a server is at the other end."""
        return self._real is not None

    def taken_up(self) -> None:
        """The task that asked goes on; aiohttp wrote its request in another, in whose context it began."""
        ticket, self._ticket = self._ticket, None
        if ticket is not None:
            lineage.follows(ticket.session, ticket.number)

    # What aiohttp's writer calls.

    def write(self, data: Any) -> None:
        """Holds a request until all of it was written, since only then one knows who answers it."""
        if self._answer is not None or not (self._held or door.is_open()):
            self._send([bytes(data)])
            return
        self._held.append(bytes(data))
        self._reader.feed(bytes(data))
        if self._reader.request is not None:
            self._asked(self._reader.request)
        elif self._reader.waits:
            self._go_ahead()

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        """The same for several pieces."""
        for data in list_of_data:
            self.write(data)

    def close(self) -> None:
        """The client leaves, or is done."""
        self._leave()
        if self._real is not None:
            self._real.close()

    def abort(self) -> None:
        """The client leaves at once."""
        self._leave()
        if self._real is not None:
            self._real.abort()

    def is_closing(self) -> bool:
        """Whether it may not be used again; what stood in for a server is of no use after the replay."""
        if self._real is not None:
            return bool(self._real.is_closing()) or self._server.has_hung_up
        return (
            self._is_closing
            or self._server.has_hung_up
            or (self._failure is None and not (door.is_open() and door.is_replay()))
        )

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What is known of the real connection."""
        return default if self._real is None else self._real.get_extra_info(name, default)

    def set_protocol(self, protocol: Any) -> None:
        """Another protocol takes over (a web socket)."""
        self._protocol = protocol
        if self._real is not None:
            self._real.set_protocol(protocol)

    def get_protocol(self) -> Any:
        """Whose connection it is."""
        return self._protocol

    def pause_reading(self) -> None:
        """The client has enough for now."""
        if self._real is not None:
            self._real.pause_reading()

    def resume_reading(self) -> None:
        """The client wants more."""
        if self._real is not None:
            self._real.resume_reading()

    def get_write_buffer_size(self) -> int:
        """How much is waiting to be sent."""
        return 0 if self._real is None else int(self._real.get_write_buffer_size())

    def can_write_eof(self) -> bool:
        """As the real one."""
        return bool(self._real and self._real.can_write_eof())

    # What happens at the other end; called by the stub.

    def came(self, data: bytes, feed: Feed) -> None:
        """Record: bytes of the server, on their way to aiohttp."""
        answer = self._answer
        if answer is None:
            feed(self._protocol, data)
            return
        answer.feed(data)
        if answer.ticket.is_damaged:
            self._unseen.append(data)
            if answer.is_whole:
                self._show_damaged(answer, feed)
            return
        if answer.is_whole:
            self._answer = None
            # Right before the agent goes on, which sees the clock as this exchange left it.
            self._loop.call_soon(answer.end)
        feed(self._protocol, data)

    def lost(self, error: BaseException | None) -> None:
        """Record: the connection is gone."""
        if self._answer is not None:
            self._answer.lost(None if error is None else f"ReadError: {error}")
            self._end()

    def gave_up(self, failure: str) -> None:
        """Record: the program stopped waiting for the answer."""
        if self._answer is not None:
            self._answer.failed(failure)

    # The exchange.

    def _asked(self, request: WireRequest) -> None:
        held, self._held = self._held, []
        destination = self.destination
        if destination is None:
            self._send(held)
            return
        try:
            with asked_at(destination.where), lineage.beginning(destination.line):
                ticket = door.begin(
                    request.method,
                    destination.address(request.target),
                    lambda: request.headers,
                    request.body,
                    request.header("content-type"),
                    destination.patience_ms,
                )
        except ReplayStop as stop:
            # Raised here it would reach aiohttp's writer, and the agent would wait for ever.
            self._server.fail(stop)
            return
        self._ticket = ticket
        if ticket is None:
            self._send(held)
        elif ticket.recorded is not None:
            self._dismiss()
            self._server.serve(ticket, ticket.recorded, request.method, destination)
        elif self._real is None:
            ticket.end(self._failure)
        else:
            self._answer = AnswerReader(ticket, request.method)
            self._send(held)

    def _send(self, pieces: list[bytes]) -> None:
        if self._real is not None:
            self._real.write(b"".join(pieces))

    def _go_ahead(self) -> None:
        """The client waits for `100 Continue` before it sends the body."""
        held, self._held = self._held, [b""]
        if self._real is not None:
            self._send(held)
        else:
            self._loop.call_soon(self._protocol.data_received, b"HTTP/1.1 100 Continue\r\n\r\n")

    def _leave(self) -> None:
        self._server.left()
        self._end()
        if self._real is None and not self._is_closing:
            self._loop.call_soon(self._protocol.connection_lost, None)
        self._is_closing = True

    def _end(self) -> None:
        answer, self._answer = self._answer, None
        if answer is not None:
            answer.end()

    def _dismiss(self) -> None:
        """Record: a fault answers instead of the server, which shall not break in."""
        real, self._real = self._real, None
        if real is not None:
            real.set_protocol(asyncio.Protocol())
            real.abort()

    def _show_damaged(self, answer: AnswerReader, feed: Feed) -> None:
        seen = answer.ticket.damaged()
        unseen, self._unseen = self._unseen, []
        self._answer = None
        if seen is None:
            self._loop.call_soon(answer.end)
            feed(self._protocol, b"".join(unseen))
            return
        answer.end()
        self._dismiss()
        if self.destination is not None:
            shown = replace(seen, headers=answer.headers)
            self._server.serve(answer.ticket, shown, answer.method, self.destination)


def gave_up_with(error: BaseException) -> str:
    """How it is recorded that a program stopped waiting: by a time-out of its own, or cancelled."""
    name = type(error).__name__
    if name in {"SocketTimeoutError", "ServerTimeoutError"}:
        return f"ReadTimeout: {error}"
    return "Cancelled" if isinstance(error, TimeoutError | asyncio.CancelledError) else failure_of(error)
