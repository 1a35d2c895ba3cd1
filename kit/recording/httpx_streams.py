"""Streams of httpx and httpx2: the tee that records, and the one that replays."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kit.cassette.interaction import HttpResponse
from kit.recording.tickets import HttpTicket
from kit.recording.transports.decoding import Decoder
from kit.recording.transports.failures import failure_of

if TYPE_CHECKING:
    from kit.recording.pace import Pace


def _whole(ticket: HttpTicket, decoder: Decoder) -> None:
    """The server ended the body; what the decoder still holds belongs to it."""
    ticket.chunk(decoder.flush())
    ticket.whole(decoder.failure)


class Streams:
    """The stream classes for one library: a client accepts only subclasses of its own."""

    def __init__(self, library: ModuleType) -> None:
        bases = (library.SyncByteStream, library.AsyncByteStream)
        self.tee: Callable[..., Any] = type("Tee", (_Tee, *bases), {})
        self.replayed: Callable[..., Any] = type("Replayed", (_Replayed, *bases), {})


@functools.cache
def streams_of(library: ModuleType) -> Streams:
    """The stream classes for `httpx` or `httpx2`."""
    return Streams(library)


class _Tee:
    """Record: hands each piece on as it comes, and keeps it decoded."""

    def __init__(self, stream: Any, ticket: HttpTicket, decoder: Decoder) -> None:
        self._stream = stream
        self._ticket = ticket
        self._decoder = decoder

    def _keep(self, raw: bytes) -> None:
        self._ticket.chunk(self._decoder.decode(raw))

    def __iter__(self) -> Iterator[bytes]:
        try:
            for raw in self._stream:
                self._keep(raw)
                yield raw
        except GeneratorExit:
            raise
        except BaseException as error:
            self._ticket.end(failure_of(error))
            raise
        _whole(self._ticket, self._decoder)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for raw in self._stream:
                self._keep(raw)
                yield raw
        except GeneratorExit:
            raise
        except BaseException as error:
            self._ticket.end(failure_of(error))
            raise
        _whole(self._ticket, self._decoder)

    def close(self) -> None:
        try:
            self._stream.close()
        finally:
            self._ticket.end(self._decoder.failure or "Abandoned")

    async def aclose(self) -> None:
        try:
            await self._stream.aclose()
        finally:
            self._ticket.end(self._decoder.failure or "Abandoned")


class _Replayed:
    """Replay: the recorded pieces, spread over the recorded latency, then the recorded end."""

    def __init__(
        self,
        ticket: HttpTicket,
        recorded: HttpResponse,
        error: Callable[[str], BaseException],
        pace: Pace | None,
    ) -> None:
        self._ticket = ticket
        self._error = error
        self._pace = pace
        self._recorded = recorded

    def _pieces(self) -> Iterator[bytes]:
        body, chunks = self._recorded.body, self._recorded.chunks
        if not chunks:
            if body:
                yield body
            return
        position = 0
        for length in chunks:
            yield body[position : position + length]
            position += length

    def _finish(self) -> None:
        failure = self._recorded.failure
        if failure is not None and failure != "Abandoned":
            self._ticket.end()
            raise self._error(failure)

    def __iter__(self) -> Iterator[bytes]:
        if self._recorded.chunks:
            yield from self._pieces()
        elif self._recorded.body:
            yield self._recorded.body
        self._finish()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pace = self._pace
        if pace is None:
            raise RuntimeError("an answer to a synchronous client is read asynchronously")
        steps = max(len(self._recorded.chunks), 1)
        for step, piece in enumerate(self._pieces()):
            await pace.reach(step, steps)
            yield piece
        await pace.reach_end(self._recorded.failure)
        self._finish()

    def close(self) -> None:
        self._ticket.end()

    async def aclose(self) -> None:
        self._ticket.end()
