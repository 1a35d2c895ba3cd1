"""What stands for a server on an aiohttp connection; with aiohttp itself in test_aiohttp_stub."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.recording.session import start
from kit.recording.transports.aiohttp_server import RecordedServer
from kit.recording.transports.failures import torn
from tests.fakes.aiohttp_parts import Connection, Destination
from tests.fakes.runs import replaying


def served(folder: Path, answer: HttpResponse, *, leaves: bool = False) -> Connection:
    """What the client's side of a connection is told."""

    async def main() -> Connection:
        connection = Connection()
        asked = Interaction(1, "other", HttpRequest("GET", "http://x/", (), b""), answer, 0, 50)
        with start(replaying(folder, [asked])) as session:
            server = RecordedServer(connection)
            ticket = session.begin_http("GET", "http://x/", (), b"")
            assert ticket.recorded is not None
            server.serve(ticket, ticket.recorded, "GET", Destination())
            if leaves:
                await asyncio.sleep(0)
                server.left()
            await asyncio.sleep(0.1)
            assert not session._open
        connection.has_hung_up = server.has_hung_up
        return connection

    return asyncio.run(main())


def test_an_answer_is_fed_with_its_chunks(tmp_path: Path) -> None:
    """Head, pieces, end; the connection stays of use."""
    connection = served(tmp_path, HttpResponse(200, (), b"onetwo", (3, 3)))
    assert connection.received.endswith(b"\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")
    assert not connection.has_hung_up


def test_a_torn_answer_ends_with_the_connection(tmp_path: Path) -> None:
    """Short of what was promised."""
    connection = served(tmp_path, HttpResponse(200, (), b"one", (), torn(3, 4)))
    assert b"content-length: 7\r\n\r\none" in connection.received
    assert connection.lost == [None]
    assert connection.has_hung_up


@pytest.mark.parametrize(
    ("failure", "lost", "error"),
    [
        ("RemoteProtocolError: Server disconnected", [None], None),
        ("ReadError: reset", ["ReadError: reset"], None),
        ("ConnectError: refused", [], "ConnectError: refused"),
    ],
)
def test_a_failure_is_the_clients_own(
    failure: str, lost: list[str | None], error: str | None, tmp_path: Path
) -> None:
    """Where the connection broke it is lost, else whoever waits gets the exception."""
    connection = served(tmp_path, HttpResponse(0, failure=failure))
    assert [None if one is None else str(one) for one in connection.lost] == lost
    assert (None if connection.error is None else str(connection.error)) == error


def test_who_leaves_hears_nothing_more(tmp_path: Path) -> None:
    """And the exchange is over."""
    assert b"late" not in served(tmp_path, HttpResponse(200, (), b"late"), leaves=True).received


def test_an_exception_reaches_who_reads_the_body() -> None:
    """As well as who waits for the head."""

    async def main() -> None:
        connection = Connection()
        connection._payload = body = Connection()
        RecordedServer(connection).fail(ValueError("x"))
        assert str(connection.error) == str(body.error) == "x"

    asyncio.run(main())
