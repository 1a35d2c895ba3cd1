"""The door for httpx and httpx2: one module for both, since the fork kept the shape of its transports.

The client's own transport makes the real call in record; its answer is teed, so that the agent sees a piece
when the server sends it. In replay the transport is never asked. In-process transports (ASGI, WSGI) are left
alone: the application behind them is part of the program. MockTransport stands for a server: it is recorded.
"""

from __future__ import annotations

import builtins
import functools
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kit.cassette.interaction import HttpResponse
from kit.recording import context
from kit.recording.guard.passing import inside_stub
from kit.recording.httpx_streams import streams_of
from kit.recording.tickets import NOT_OF_THE_BODY, HttpTicket
from kit.recording.transports import door
from kit.recording.transports.decoding import Decoder
from kit.recording.transports.failures import failure_of

if TYPE_CHECKING:
    from kit.recording.pace import Pace

TRANSPORTS = (
    ("HTTPTransport", "handle_request"),
    ("AsyncHTTPTransport", "handle_async_request"),
    ("MockTransport", "handle_request"),
    ("MockTransport", "handle_async_request"),
)
"""Classes by their public name, and the method to stand in for."""


def stand_in(original: Callable[..., Any], method: str) -> Callable[..., Any]:
    """What replaces `original`, a transport's `handle_request` or `handle_async_request`."""
    return _async_stub(original) if method == "handle_async_request" else _sync_stub(original)


def _sync_stub(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def handle_request(transport: Any, request: Any) -> Any:
        exchange = _begin(request, request.read) if context.in_force() else None
        if exchange is None:
            return original(transport, request)
        if exchange.recorded is not None:
            return exchange.head_of(exchange.recorded)
        try:
            with inside_stub():
                response = original(transport, request)
        except BaseException as error:
            exchange.ticket.end(failure_of(error))
            raise
        answer = exchange.teed(response)
        if not exchange.ticket.is_damaged:
            return answer
        answer.read()
        return exchange.damaged(answer)

    return handle_request


def _async_stub(original: Callable[..., Any]) -> Callable[..., Any]:
    # Only an asynchronous program pays for importing asyncio.
    from kit.recording.pace import Pace

    @functools.wraps(original)
    async def handle_async_request(transport: Any, request: Any) -> Any:
        if not context.in_force():
            return await original(transport, request)
        body = await request.aread()
        exchange = _begin(request, lambda: body)
        if exchange is None:
            return await original(transport, request)
        if exchange.recorded is not None:
            pace = Pace(exchange.ticket)
            if exchange.recorded.status == 0:
                await pace.reach_end(exchange.recorded.failure)
            else:
                await pace.breathe()
            return exchange.head_of(exchange.recorded, pace)
        try:
            with inside_stub():
                response = await original(transport, request)
        except BaseException as error:
            exchange.ticket.end(failure_of(error))
            raise
        answer = exchange.teed(response)
        if not exchange.ticket.is_damaged:
            return answer
        await answer.aread()
        return exchange.damaged(answer, Pace(exchange.ticket))

    return handle_async_request


def _begin(request: Any, read: Callable[[], bytes]) -> _Exchange | None:
    """Asks the session; None where there is none or where a recorded tool hides what it does."""
    headers = request.headers
    content_type = next((value for name, value in headers.raw if name.lower() == b"content-type"), b"")
    ticket = door.begin(
        request.method,
        str(request.url),
        lambda: _pairs(headers),
        read(),
        content_type.decode("latin-1"),
        _patience_ms(request),
    )
    if ticket is None:
        return None
    return _Exchange(ticket, sys.modules[type(request).__module__.partition(".")[0]], request)


def _patience_ms(request: Any) -> int | None:
    seconds = request.extensions.get("timeout", {}).get("read")
    return None if seconds is None else round(seconds * 1000)


def _pairs(headers: Any) -> Iterator[tuple[str, str]]:
    """Decoded only if somebody looks: replay does not."""
    yield from headers.multi_items()


class _Exchange:
    """One exchange of one client library: turns its objects into a ticket's bytes and back."""

    __slots__ = ("library", "recorded", "request", "ticket")

    def __init__(self, ticket: HttpTicket, library: ModuleType, request: Any) -> None:
        self.ticket = ticket
        self.recorded = ticket.recorded
        self.library = library
        self.request = request

    def teed(self, response: Any) -> Any:
        """Record: the same answer, whose body passes by the ticket on its way to the client."""
        self.ticket.head(response.status_code, response.headers.multi_items())
        if hasattr(response, "_content"):
            # Read already: a MockTransport's answer was built from bytes.
            self.ticket.chunk(response.content)
            self.ticket.end()
            return response
        probe = self.library.Response(response.status_code, headers=response.headers)
        decoder = probe._get_content_decoder()  # noqa: SLF001 - knows gzip, br, zstd as the client does
        response.stream = streams_of(self.library).tee(
            response.stream, self.ticket, Decoder(decoder, self.library.DecodingError)
        )
        return response

    def damaged(self, response: Any, pace: Pace | None = None) -> Any:
        """Record: the answer as the fault leaves it; the whole of it was read and is recorded."""
        seen = self.ticket.damaged()
        if seen is None:
            return response
        headers = [pair for pair in response.headers.multi_items() if pair[0].lower() not in NOT_OF_THE_BODY]
        stream = streams_of(self.library).replayed(self.ticket, seen, self.error, pace)
        return self.library.Response(seen.status, headers=headers, stream=stream, request=self.request)

    def head_of(self, recorded: HttpResponse, pace: Pace | None = None) -> Any:
        """Replay: the recorded answer, or the recorded failure raised as the client's own exception."""
        if recorded.status == 0:
            self.ticket.end()
            raise self.error(recorded.failure or "")
        stream = streams_of(self.library).replayed(self.ticket, recorded, self.error, pace)
        return self.library.Response(
            recorded.status, headers=list(recorded.headers), stream=stream, request=self.request
        )

    def error(self, failure: str) -> BaseException:
        """The exception behind `ExceptionName: text`, of the library, else a builtin one."""
        name, _, text = failure.partition(": ")
        kind = getattr(self.library, name, None)
        if isinstance(kind, type) and issubclass(kind, self.library.RequestError):
            known: BaseException = kind(text, request=self.request)
            return known
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, Exception):
            return kind(text)
        return self.library.ReadError(f"recorded as {failure}", request=self.request)  # type: ignore[no-any-return]
