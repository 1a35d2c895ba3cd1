"""The door for urllib3, and so for requests and boto3: below its retries and redirects, above its sockets.

`_make_request` is asked once for each exchange, in urllib3 1.26 and 2 alike. In record the real one runs and
its answer is watched; in replay no connection is made.
"""

from __future__ import annotations

import functools
import http.client
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from kit.cassette.interaction import HttpResponse
from kit.recording.guard.passing import inside_stub
from kit.recording.tickets import HttpTicket
from kit.recording.transports import door
from kit.recording.transports.failures import error_on_wire, failure_on_wire, split
from kit.recording.transports.http_response import recorded_response, watched, whole_but_damaged
from kit.recording.transports.request_body import read_body


def changes(module: ModuleType) -> list[tuple[Any, str, Any]]:
    """What to patch in `urllib3.connectionpool`: owner, attribute, replacement."""
    pool, secure = module.HTTPConnectionPool, module.HTTPSConnectionPool
    return [
        (pool, "_make_request", make_request(pool._make_request)),  # noqa: SLF001 - it has no public name
        (secure, "_prepare_proxy", _prepare_proxy(secure._prepare_proxy)),  # noqa: SLF001 - see above
    ]


def make_request(original: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for `HTTPConnectionPool._make_request`."""
    # urllib3 2 gives its own response, which has read the body already where it was asked to.
    is_second = "preload_content" in inspect.signature(original).parameters

    @functools.wraps(original)
    def stub(pool: Any, conn: Any, method: str, url: str, *args: Any, **given: Any) -> Any:
        if args or not door.is_open():
            return original(pool, conn, method, url, *args, **given)
        body = read_body(given.get("body"), "utf-8" if is_second else "latin-1")
        given["body"] = body.again
        exchange = _begin(pool, conn, method, url, body.content, given)
        if exchange is None:
            return original(pool, conn, method, url, **given)
        if exchange.ticket.recorded is not None:
            pool.num_requests += 1
            return exchange.shown(exchange.ticket.recorded)
        wants_all = is_second and given.get("preload_content", True)
        passed = given | ({"preload_content": False} if is_second else {})
        return exchange.live(functools.partial(original, pool, conn, method, url, **passed), wants_all)

    return stub


def _prepare_proxy(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def stub(pool: Any, conn: Any) -> Any:
        if not door.is_open():
            return original(pool, conn)
        if door.is_replay():
            return None
        with inside_stub():
            return original(pool, conn)

    return stub


def _begin(
    pool: Any, conn: Any, method: str, url: str, content: bytes, given: dict[str, Any]
) -> _Exchange | None:
    headers = given.get("headers") or pool.headers or {}
    ticket = door.begin(
        method.upper(),
        door.absolute(pool.scheme, pool.host, pool.port, url),
        lambda: door.plain_pairs(headers),
        content,
        door.content_type_of(headers),
        _patience_ms(given.get("timeout")),
    )
    return None if ticket is None else _Exchange(ticket, pool, conn, method, url, given)


def _patience_ms(timeout: Any) -> int | None:
    seconds = getattr(timeout, "_read", timeout)
    return round(seconds * 1000) if isinstance(seconds, int | float) else None


class _Exchange:
    """One exchange: urllib3's objects on one side, a ticket on the other."""

    def __init__(
        self, ticket: HttpTicket, pool: Any, conn: Any, method: str, url: str, given: dict[str, Any]
    ) -> None:
        self.ticket = ticket
        self._pool = pool
        self._conn = conn
        self._method = method.upper()
        self._url = url
        self._given = given

    def live(self, call: Callable[[], Any], wants_all: Any) -> Any:
        """Record: the real call, whose answer passes by the ticket on its way to the client."""
        try:
            with inside_stub():
                response = call()
        except BaseException as error:
            self.ticket.end(_failure_of(error))
            raise
        raw = response if isinstance(response, http.client.HTTPResponse) else response._original_response  # noqa: SLF001
        watched(raw, self.ticket)
        if self.ticket.is_damaged:
            seen = whole_but_damaged(raw, self.ticket)
            return response if seen is None else self.shown(seen)
        if wants_all:
            response._body = response.read(decode_content=self._given.get("decode_content", True))  # noqa: SLF001
        return response

    def shown(self, recorded: HttpResponse) -> Any:
        """The recorded answer, or the recorded failure as urllib3's own exception."""
        if recorded.status == 0:
            self.ticket.end()
            raise self._error(recorded.failure or "")
        raw = recorded_response(self.ticket, recorded, self._method, self._error_of_body)
        if "preload_content" not in self._given and "response_conn" not in self._given:
            return raw
        return self._wrapped(raw)

    def _wrapped(self, raw: http.client.HTTPResponse) -> Any:
        given = self._given
        response = sys.modules["urllib3.response"].HTTPResponse(
            body=raw,
            headers=list(raw.headers.items()),
            status=raw.status,
            version=raw.version,
            version_string="HTTP/1.1",
            reason=raw.reason,
            preload_content=False,
            decode_content=given.get("decode_content", True),
            original_response=raw,
            pool=self._pool,
            connection=given.get("response_conn"),
            retries=given.get("retries"),
            enforce_content_length=given.get("enforce_content_length", True),
            request_method=self._method,
            request_url=self._url,
        )
        if given.get("preload_content", True):
            response._body = response.read(decode_content=given.get("decode_content", True))  # noqa: SLF001
        return response

    def _error_of_body(self, failure: str) -> BaseException:
        name, text = split(failure)
        known = sys.modules["urllib3.exceptions"]
        return known.DecodeError(text) if name == "DecodingError" else error_on_wire(failure)

    def _error(self, failure: str) -> BaseException:
        known = sys.modules["urllib3.exceptions"]
        name, text = split(failure)
        if name == "ReadTimeout":
            return known.ReadTimeoutError(self._pool, self._url, text)  # type: ignore[no-any-return]
        if name == "ConnectTimeout":
            return known.ConnectTimeoutError(self._conn, text)  # type: ignore[no-any-return]
        if name == "ProxyError":
            return known.ProxyError(text, OSError(text))  # type: ignore[no-any-return]
        error = error_on_wire(failure)
        if name != "ConnectError":
            return error
        import ssl

        if isinstance(error, ssl.SSLError):
            return known.SSLError(error)  # type: ignore[no-any-return]
        if text.startswith("Failed to resolve") and hasattr(known, "NameResolutionError"):
            return known.NameResolutionError(self._pool.host, self._conn, _reason(text))  # type: ignore[no-any-return]
        return known.NewConnectionError(self._conn, text)  # type: ignore[no-any-return]


def _reason(text: str) -> str:
    """What the resolver said, without what urllib3 puts around it."""
    return text.partition(" (")[2].removesuffix(")")


def _failure_of(error: BaseException) -> str:
    known = sys.modules["urllib3.exceptions"]
    for kind, name in (
        (known.ReadTimeoutError, "ReadTimeout"),
        (known.NewConnectionError, "ConnectError"),
        (known.ConnectTimeoutError, "ConnectTimeout"),
        (known.ProxyError, "ProxyError"),
        (known.SSLError, "ConnectError"),
    ):
        if isinstance(error, kind):
            return f"{name}: {_text(error)}"
    return failure_on_wire(error, "read")


def _text(error: Any) -> str:
    """Its message without the pool or connection before it, which is another one every time."""
    message = getattr(error, "_message", None) or (error.args[-1] if error.args else "")
    if hasattr(error, "original_error"):
        return str(error.args[0])
    text = str(message)
    head, colon, rest = text.partition(": ")
    return rest if colon and ("HTTPConnection" in head or "HTTPSConnection" in head) else text
