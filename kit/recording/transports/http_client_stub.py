"""The door for `http.client`, and so for `urllib.request` and all else that builds on its connections.

The methods of its class are patched, not its name, so that `from http.client import HTTPSConnection` of long
ago is met as well. What a connection writes is held until the request is whole.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

from kit.cassette.interaction import HttpResponse
from kit.errors import ReplayStop
from kit.recording.guard.passing import inside_stub
from kit.recording.tickets import HttpTicket
from kit.recording.transports import door
from kit.recording.transports.failures import error_on_wire, failure_on_wire, is_before_sending
from kit.recording.transports.http_response import recorded_response, watched, whole_but_damaged
from kit.recording.transports.request_body import read_body
from kit.recording.transports.wire import RequestReader, WireRequest

_EXCHANGE = "_kit_exchange"
"""Where a connection keeps what is under way on it."""


def changes(module: ModuleType) -> list[tuple[Any, str, Any]]:
    """What to patch in `http.client`: owner, attribute, replacement."""
    plain, secure = module.HTTPConnection, module.HTTPSConnection
    return [
        (plain, "send", send(plain.send)),
        (plain, "getresponse", getresponse(plain.getresponse)),
        (plain, "close", close(plain.close)),
        (plain, "connect", connect(plain.connect)),
        (secure, "connect", connect(secure.connect)),
    ]


def send(original: Callable[..., None]) -> Callable[..., None]:
    """What stands for `HTTPConnection.send`: the bytes of a request on their way out."""

    @functools.wraps(original)
    def stub(conn: Any, data: Any) -> None:
        exchange = conn.__dict__.get(_EXCHANGE)
        if not door.is_open():
            original(conn, data)
            return
        if exchange is None or exchange.is_asked:
            exchange = conn.__dict__[_EXCHANGE] = _Exchange(conn)
        exchange.wrote(read_body(data, "latin-1").content, functools.partial(original, conn))

    return stub


def getresponse(original: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for `HTTPConnection.getresponse`."""

    @functools.wraps(original)
    def stub(conn: Any) -> Any:
        exchange = conn.__dict__.pop(_EXCHANGE, None)
        if exchange is None or exchange.ticket is None:
            return original(conn)
        recorded = exchange.ticket.recorded
        if recorded is not None:
            return exchange.shown(recorded)
        return exchange.live(original)

    return stub


def connect(original: Callable[..., None]) -> Callable[..., None]:
    """What stands for `connect`, which a program may call itself: in replay nobody is connected to."""

    @functools.wraps(original)
    def stub(conn: Any) -> None:
        if not door.is_open():
            original(conn)
        elif not door.is_replay():
            with inside_stub():
                original(conn)

    return stub


def close(original: Callable[..., None]) -> Callable[..., None]:
    """What stands for `close`: who closes before the answer abandons it."""

    @functools.wraps(original)
    def stub(conn: Any) -> None:
        exchange = conn.__dict__.pop(_EXCHANGE, None)
        if exchange is not None and exchange.ticket is not None:
            exchange.ticket.end("Abandoned")
        original(conn)

    return stub


class _Exchange:
    """One exchange on a connection of `http.client`.

    Attributes:
        ticket: None until all of the request was written, or where it is not one of a run.
        is_asked: whether all of the request was written.
    """

    def __init__(self, conn: Any) -> None:
        self.ticket: HttpTicket | None = None
        self.is_asked = False
        self._conn = conn
        self._reader = RequestReader()
        self._held: list[bytes] = []
        self._method = ""
        self._decodes_gzip = False

    def wrote(self, data: bytes, send_really: Callable[[bytes], None]) -> None:
        """The program wrote a piece of its request."""
        self._held.append(data)
        self._reader.feed(data)
        if self._reader.request is not None:
            self._asked(self._reader.request, send_really)
        elif self._reader.waits and not door.is_replay():
            held, self._held = self._held, []
            with inside_stub():
                send_really(b"".join(held))

    def shown(self, recorded: HttpResponse) -> Any:
        """The recorded answer, or the recorded failure as `http.client` raises it."""
        assert self.ticket is not None  # noqa: S101 - whoever asks has looked
        self._to_idle()
        if recorded.status == 0:
            self.ticket.end()
            raise error_on_wire(recorded.failure or "")
        if self._decodes_gzip and recorded.body and not recorded.chunks and recorded.failure is None:
            recorded = _zipped(recorded)
        return recorded_response(self.ticket, recorded, self._method, error_on_wire)

    def live(self, original: Callable[[Any], Any]) -> Any:
        """Record: the real answer, watched."""
        ticket = self.ticket
        assert ticket is not None  # noqa: S101 - see above
        try:
            with inside_stub():
                response = original(self._conn)
        except BaseException as error:
            ticket.end(failure_on_wire(error, "read"))
            raise
        watched(response, ticket)
        seen = whole_but_damaged(response, ticket) if ticket.is_damaged else None
        return response if seen is None else recorded_response(ticket, seen, self._method, error_on_wire)

    def _asked(self, request: WireRequest, send_really: Callable[[bytes], None]) -> None:
        self.is_asked = True
        self._method = request.method
        self._decodes_gzip = "gzip" in request.header("accept-encoding")
        held, self._held = self._held, []
        try:
            ticket = self._begin(request)
        except ReplayStop:
            self._conn.__dict__.pop(_EXCHANGE, None)
            raise
        self.ticket = ticket
        if ticket is None:
            send_really(b"".join(held))
        elif ticket.recorded is None:
            self._send(ticket, b"".join(held), send_really)
        elif ticket.recorded.status == 0 and is_before_sending(ticket.recorded.failure or ""):
            ticket.end()
            self.ticket = None
            raise error_on_wire(ticket.recorded.failure or "")

    def _send(self, ticket: HttpTicket, data: bytes, send_really: Callable[[bytes], None]) -> None:
        try:
            with inside_stub():
                send_really(data)
        except BaseException as error:
            ticket.end(failure_on_wire(error, "connect"))
            self.ticket = None
            raise

    def _begin(self, request: WireRequest) -> HttpTicket | None:
        conn = self._conn
        is_tunnelled = conn._tunnel_host is not None  # noqa: SLF001 - a proxy stands between
        host = conn._tunnel_host if is_tunnelled else conn.host  # noqa: SLF001 - see above
        port = conn._tunnel_port if is_tunnelled else conn.port  # noqa: SLF001 - see above
        scheme = "https" if conn.default_port == 443 else "http"
        return door.begin(
            request.method,
            door.absolute(scheme, host, port, request.target),
            lambda: request.headers,
            request.body,
            request.header("content-type"),
            round(conn.timeout * 1000) if isinstance(conn.timeout, int | float) else None,
        )

    def _to_idle(self) -> None:
        # The real `getresponse` does so, which is not asked here.
        self._conn.__dict__["_HTTPConnection__state"] = "Idle"
        self._conn.__dict__["_HTTPConnection__response"] = None


def _zipped(recorded: HttpResponse) -> HttpResponse:
    """A program that asks for gzip takes it off itself, as http.client does not: often without looking."""
    import gzip

    headers = (*recorded.headers, ("content-encoding", "gzip"))
    return replace(recorded, headers=headers, body=gzip.compress(recorded.body, mtime=0))
