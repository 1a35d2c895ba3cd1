"""The door for aiohttp: at its connectors, so that everything above a connection is aiohttp's own.

A request that asks for an upgrade (a web socket) is no exchange; the socket guard judges its connection.
"""

from __future__ import annotations

import functools
import ssl
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from kit.recording import context, lineage
from kit.recording.guard.frames import Place, program_place
from kit.recording.guard.passing import inside_stub
from kit.recording.transports import door
from kit.recording.transports.aiohttp_transport import DoorTransport, gave_up_with
from kit.recording.transports.failures import error_on_wire, os_error, split

_CONNECTORS = ("TCPConnector", "UnixConnector", "NamedPipeConnector")


def changes(library: ModuleType) -> list[tuple[Any, str, Any]]:
    """What to patch in aiohttp: owner, attribute, replacement."""
    connector, protocol = library.connector, sys.modules["aiohttp.client_proto"].ResponseHandler
    reader, response = library.streams.StreamReader, library.ClientResponse
    found = [
        (library.ClientSession, "_request", request(library.ClientSession._request)),  # noqa: SLF001 - the one way in
        (connector.BaseConnector, "connect", connect(connector.BaseConnector.connect)),
        (protocol, "data_received", _data_received(protocol.data_received)),
        (protocol, "connection_lost", _connection_lost(protocol.connection_lost)),
        (protocol, "set_exception", _set_exception(protocol.set_exception)),
        (response, "start", _start(response.start)),
        (reader, "_wait", _wait(reader._wait)),  # noqa: SLF001 - only here one learns that a program gave up
    ]
    for name in _CONNECTORS:
        kind = getattr(connector, name, None)
        if kind is not None:
            found.append((kind, "_create_connection", create_connection(kind._create_connection)))  # noqa: SLF001 - see above
    return found


def request(original: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for `ClientSession._request`, which may look into netrc in a thread before it connects."""

    @functools.wraps(original)
    async def stub(client: Any, *args: Any, **given: Any) -> Any:
        session = context.likely() if door.is_open() else None
        if session is None:
            return await original(client, *args, **given)
        with lineage.keeping_place(session, original):
            return await original(client, *args, **given)

    return stub


def connect(original: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for `BaseConnector.connect`: says whom the request goes to, whatever connection it gets."""

    @functools.wraps(original)
    async def stub(connector: Any, req: Any, *args: Any, **given: Any) -> Any:
        line = _line()
        conn = await original(connector, req, *args, **given)
        if not door.is_open():
            return conn
        while _is_of_the_wrong_kind(conn.protocol.transport, req):
            # Kept from before the run, or from a replay: it must not be used now.
            conn.close()
            conn = await original(connector, req, *args, **given)
        transport = conn.protocol.transport
        if _upgrades(req):
            return conn
        if not isinstance(transport, DoorTransport):
            transport = conn.protocol.transport = DoorTransport(conn.protocol, transport)
        timeout = given.get("timeout") or (args[1] if len(args) > 1 else None)
        transport.destination = _Destination(req, timeout, line)
        return conn

    return stub


def create_connection(original: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for a connector's `_create_connection`: in replay nobody is connected to."""

    @functools.wraps(original)
    async def stub(connector: Any, req: Any, traces: Any, timeout: Any) -> Any:
        if not door.is_open() or _upgrades(req):
            return await original(connector, req, traces, timeout)
        if door.is_replay():
            return _connected(connector)
        line = _line()
        try:
            with inside_stub():
                return await original(connector, req, traces, timeout)
        except BaseException as error:
            await _keep_failure(connector, _Destination(req, timeout, line), req, error)
            raise

    return stub


def _connected(connector: Any, failure: str | None = None) -> Any:
    protocol = connector._factory()  # noqa: SLF001 - as the connector makes its own
    protocol.connection_made(DoorTransport(protocol, None, failure))
    return protocol


async def _keep_failure(connector: Any, destination: _Destination, req: Any, error: BaseException) -> None:
    """Record: no connection came about; the request is written all the same, to know what it was."""
    protocol = _connected(connector, _failure_of(error))
    protocol.transport.destination = destination
    kind = sys.modules["aiohttp.connector"].Connection
    conn = kind(connector, req.connection_key, protocol, req.loop)
    await req.send(conn)
    writer = getattr(req, "_writer", None)
    if writer is not None:
        await writer
    conn._protocol = None  # noqa: SLF001 - the pool shall never see it
    protocol.close()


def _is_of_the_wrong_kind(transport: Any, req: Any) -> bool:
    is_ours = isinstance(transport, DoorTransport)
    if _upgrades(req):
        return is_ours
    return door.is_replay() and not (is_ours and not transport.is_live)


def _line() -> lineage.Last | None:
    session = context.likely()
    return None if session is None else lineage.kept_place(session)


def _upgrades(req: Any) -> bool:
    return "upgrade" in req.headers


class _Destination:
    """Whom a request goes to, by aiohttp's own description of it."""

    def __init__(self, req: Any, timeout: Any, line: lineage.Last | None = None) -> None:
        self.line = line
        self._url = req.url
        self._key = req.connection_key
        self._timeout = timeout
        self.where: Place | None = program_place() if door.is_replay() else None

    def address(self, target: str) -> str:
        """The absolute address behind a request's target."""
        return door.absolute(self._url.scheme, self._url.host or "", self._url.port, target)

    @property
    def patience_ms(self) -> int | None:
        """The shorter of the whole time and of the time between two pieces."""
        limits = [getattr(self._timeout, name, None) for name in ("total", "sock_read")]
        return min((round(limit * 1000) for limit in limits if limit), default=None)

    def error(self, failure: str) -> BaseException:
        """The client's own exception for a recorded failure."""
        known = sys.modules["aiohttp.client_exceptions"]
        name, text = split(failure)
        if name == "ConnectTimeout":
            kind = getattr(known, "ConnectionTimeoutError", known.ServerTimeoutError)
            return kind(text or f"Connection timeout to host {self._url}")  # type: ignore[no-any-return]
        if name.endswith("Timeout"):
            kind = getattr(known, "SocketTimeoutError", known.ServerTimeoutError)
            return kind(text)  # type: ignore[no-any-return]
        if name in {"ConnectError", "ProxyError"}:
            return self._connect_error(known, name, os_error(text))
        if name == "DecodingError":
            return known.ClientPayloadError(text)  # type: ignore[no-any-return]
        return error_on_wire(failure)

    def _connect_error(self, known: Any, name: str, error: OSError) -> BaseException:
        kind = known.ClientConnectorError
        if name == "ProxyError":
            kind = known.ClientProxyConnectionError
        elif isinstance(error, ssl.SSLCertVerificationError):
            kind = known.ClientConnectorCertificateError
        elif isinstance(error, ssl.SSLError):
            kind = known.ClientConnectorSSLError
        elif error.errno is not None and error.errno < 0:
            kind = getattr(known, "ClientConnectorDNSError", kind)
        return kind(self._key, error)  # type: ignore[no-any-return]


def _failure_of(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return f"ConnectTimeout: {error}"
    name = "ProxyError" if "Proxy" in type(error).__name__ else "ConnectError"
    inner = getattr(error, "os_error", None) or getattr(error, "certificate_error", None)
    if isinstance(inner or error, Exception):
        return f"{name}: {inner or error}"
    return gave_up_with(error)


def _data_received(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def stub(protocol: Any, data: bytes) -> None:
        transport = protocol.transport
        if isinstance(transport, DoorTransport):
            transport.came(data, original)
        else:
            original(protocol, data)

    return stub


def _connection_lost(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def stub(protocol: Any, exc: BaseException | None) -> None:
        if isinstance(protocol.transport, DoorTransport):
            protocol.transport.lost(exc)
        original(protocol, exc)

    return stub


def _set_exception(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def stub(protocol: Any, exc: BaseException, *args: Any, **given: Any) -> None:
        if isinstance(protocol.transport, DoorTransport):
            protocol.transport.gave_up(gave_up_with(exc))
        original(protocol, exc, *args, **given)

    return stub


def _start(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def stub(response: Any, connection: Any) -> Any:
        transport = connection.protocol.transport  # a short answer gives the connection back at once
        try:
            return await original(response, connection)
        finally:
            if isinstance(transport, DoorTransport):
                transport.taken_up()

    return stub


def _wait(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def stub(reader: Any, func_name: str) -> None:
        try:
            await original(reader, func_name)
        except BaseException as error:
            transport = reader._protocol.transport  # noqa: SLF001 - see above
            if isinstance(transport, DoorTransport):
                transport.gave_up(gave_up_with(error))
            raise

    return stub
