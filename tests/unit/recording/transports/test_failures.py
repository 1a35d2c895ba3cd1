"""How broken exchanges are written down and met again."""

from __future__ import annotations

import asyncio
import http.client
import socket
import ssl
from typing import Literal

import pytest

from kit.recording.transports.failures import (
    TORN_CHUNKED,
    error_on_wire,
    failure_of,
    failure_on_wire,
    is_before_sending,
    missing_of,
    torn,
)


@pytest.mark.parametrize(
    ("error", "phase", "failure"),
    [
        (
            ConnectionRefusedError(111, "Connection refused"),
            "connect",
            "ConnectError: [Errno 111]",
        ),
        (socket.gaierror(-2, "Name or service not known"), "connect", "ConnectError: [Errno -2] Name"),
        (TimeoutError("timed out"), "connect", "ConnectTimeout: timed out"),
        (TimeoutError("timed out"), "read", "ReadTimeout: timed out"),
        (ConnectionResetError(104, "Connection reset by peer"), "read", "ReadError: [Errno 104] Connection"),
        (http.client.RemoteDisconnected("gone"), "read", "RemoteProtocolError: gone"),
        (ssl.SSLCertVerificationError(1, "certificate verify failed"), "connect", "ConnectError: "),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong"), "connect", "ConnectError: "),
    ],
)
def test_an_exception_comes_back_as_it_was(
    error: Exception, phase: Literal["connect", "read"], failure: str
) -> None:
    """Recorded by httpx's name, raised again as the same class with the same text and number."""
    recorded = failure_on_wire(error, phase)
    again = error_on_wire(recorded)
    assert recorded.startswith(failure)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert getattr(again, "errno", None) == getattr(error, "errno", None)


def test_stops_of_the_program_are_no_failures_of_the_exchange() -> None:
    """A cancelled task and Ctrl-C have names of their own."""
    assert failure_of(asyncio.CancelledError()) == "Cancelled"
    assert failure_on_wire(KeyboardInterrupt(), "read") == "Abandoned"
    assert failure_of(ValueError("x")) == "ValueError: x"


@pytest.mark.parametrize("missing", [None, 7])
def test_a_torn_body_says_how_much_is_missing(missing: int | None) -> None:
    """In chunks nobody knows; else replay promises the same number of bytes."""
    assert missing_of(torn(5, missing)) == missing
    assert (torn(5, missing) == TORN_CHUNKED) is (missing is None)


def test_other_clients_failures_become_the_nearest_error() -> None:
    """What httpx recorded can be met by a client of the standard library, and an unknown name too."""
    assert isinstance(error_on_wire("ConnectError: All connection attempts failed"), ConnectionRefusedError)
    assert isinstance(error_on_wire("PoolTimeout: "), TimeoutError)
    assert isinstance(error_on_wire("ValueError: odd"), ValueError)
    assert isinstance(error_on_wire("BadStatusLine: odd"), http.client.BadStatusLine)
    assert str(error_on_wire("StrangeError: odd")) == "recorded as StrangeError: odd"
    assert is_before_sending("ConnectTimeout: x")
    assert not is_before_sending("ReadTimeout: x")
