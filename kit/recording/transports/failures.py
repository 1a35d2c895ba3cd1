"""How a broken exchange is written down, and how a client of the standard library meets it again.

A recording names failures by httpx's exceptions, whatever client met them, so that traces, faults and other
clients understand them. Each stub turns its own exceptions into these names and back.
"""

from __future__ import annotations

import builtins
import errno
import re
from typing import Literal

TORN_CHUNKED = (
    "RemoteProtocolError: peer closed connection without sending complete message body "
    "(incomplete chunked read)"
)

_ERRNO = re.compile(r"^\[Errno (-?\d+)\] ?(.*)", re.DOTALL)
_TORN_LENGTH = re.compile(r"received (\d+) bytes, expected (\d+)")


def failure_of(error: BaseException) -> str:
    """How an exception is recorded: `ExceptionName: text`, `Cancelled` or `Abandoned`."""
    if type(error).__name__ in {"CancelledError", "Cancelled"}:
        return "Cancelled"
    if not isinstance(error, Exception):
        # Ctrl-C, the time limit: the program was stopped, the exchange itself did not fail.
        return "Abandoned"
    return f"{type(error).__name__}: {error}"


def failure_on_wire(error: BaseException, phase: Literal["connect", "read"]) -> str:
    """The same for an exception of a socket or of `http.client`, by httpx's names."""
    from http.client import HTTPException

    if isinstance(error, HTTPException):
        return f"RemoteProtocolError: {str(error) or type(error).__name__}"
    if isinstance(error, TimeoutError):
        return f"{'ConnectTimeout' if phase == 'connect' else 'ReadTimeout'}: {error}"
    if isinstance(error, OSError):
        return f"{'ConnectError' if phase == 'connect' else 'ReadError'}: {error}"
    return failure_of(error)


def torn(received: int, missing: int | None) -> str:
    """The failure of a body that ended before its end; `missing` is None where it came in chunks."""
    if missing is None:
        return TORN_CHUNKED
    text = f"(received {received} bytes, expected {received + missing})"
    return f"RemoteProtocolError: peer closed connection without sending complete message body {text}"


def missing_of(failure: str) -> int | None:
    """How many bytes never came, where a recorded failure says it."""
    found = _TORN_LENGTH.search(failure)
    return int(found[2]) - int(found[1]) if found else None


def split(failure: str) -> tuple[str, str]:
    """Name and text of `ExceptionName: text`."""
    name, _, text = failure.partition(": ")
    return name, text


def is_before_sending(failure: str) -> bool:
    """Whether no connection came about, so that a client learns it while it sends."""
    return failure.startswith(("ConnectError", "ConnectTimeout", "UnsupportedProtocol", "ProxyError"))


def error_on_wire(failure: str) -> Exception:
    """The inverse of recording: what a socket or `http.client` raises for a recorded failure."""
    import http.client
    import ssl

    name, text = split(failure)
    if name.endswith("Timeout"):
        return TimeoutError(text)
    if name == "RemoteProtocolError":
        return http.client.RemoteDisconnected(text)
    if name.endswith("Error") and name.removesuffix("Error") in {
        "Connect",
        "Read",
        "Write",
        "Close",
        "Network",
    }:
        return os_error(text)
    for module in (builtins, http.client, ssl):
        kind = getattr(module, name, None)
        if isinstance(kind, type) and issubclass(kind, Exception):
            return os_error(text, kind) if issubclass(kind, OSError) else kind(text)
    return ConnectionError(f"recorded as {failure}")


def os_error(text: str, kind: type[OSError] = ConnectionError) -> OSError:
    """An OSError that says `text`, of the class that its number has; `kind` where it has none."""
    import socket
    import ssl

    found = _ERRNO.match(text)
    if found:
        number = int(found[1])
        return socket.gaierror(number, found[2]) if number < 0 else OSError(number, found[2])
    if "CERTIFICATE_VERIFY_FAILED" in text or "certificate" in text.lower():
        return ssl.SSLCertVerificationError(1, text)
    if text.startswith(("[SSL", "EOF occurred in violation", "_ssl.c")):
        return ssl.SSLError(1, text)
    if "attempts failed" in text:
        return ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
    return kind(text)
