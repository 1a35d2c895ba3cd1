"""What stands between a connection of aiohttp and its socket; with aiohttp itself in test_aiohttp_stub."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from kit.errors import Miss
from kit.recording.session import start
from kit.recording.transports.aiohttp_transport import DoorTransport, gave_up_with
from tests.fakes.aiohttp_parts import Connection, Destination
from tests.fakes.runs import recording, replaying

ASKED = b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n"


class Real(asyncio.Transport):
    """A server's connection: remembers what it is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.closed = 0

    def write(self, data: Any) -> None:
        """Sends."""
        self.sent += data

    def close(self) -> None:
        """Counts."""
        self.closed += 1

    abort = close

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self.closed > 0

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Its own."""
        return name


def door(connection: Connection, real: Real | None = None, failure: str | None = None) -> DoorTransport:
    """A transport with somewhere to go."""
    transport = DoorTransport(connection, real, failure)
    transport.destination = Destination()
    return transport


def test_a_request_is_held_until_it_is_whole_and_passes_outside_of_a_run(tmp_path: Path) -> None:
    """In a run the server gets it in one; without one every byte passes as it comes."""

    async def main() -> None:
        real = Real()
        transport = door(Connection(), real)
        transport.write(ASKED[:5])
        assert real.sent == ASKED[:5]
        real.sent = b""
        with start(recording(tmp_path)) as session:
            transport.writelines([ASKED[:5], ASKED[5:9]])
            assert real.sent == b""
            transport.write(ASKED[9:])
            assert real.sent == ASKED
            transport.came(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", Connection.data_received)
            await asyncio.sleep(0)
        assert session.result.interactions[0].response.body == b"ok"  # type: ignore[union-attr]

    asyncio.run(main())


def test_a_miss_reaches_whoever_reads(tmp_path: Path) -> None:
    """And it names the line that asked, which no stack shows."""

    async def main() -> None:
        connection = Connection()
        with start(replaying(tmp_path, ())):
            door(connection).write(ASKED)
        assert isinstance(connection.error, Miss)
        assert "agent.py:3, to x" in str(connection.error)

    asyncio.run(main())


def test_what_stood_for_a_server_is_of_no_use_after_the_replay(tmp_path: Path) -> None:
    """A pool then makes a real connection."""

    async def main() -> None:
        with start(replaying(tmp_path, ())):
            transport = door(Connection())
            assert not transport.is_closing()
            assert not transport.is_live
        assert transport.is_closing()

    asyncio.run(main())


def test_a_request_without_a_connection_is_recorded_as_failed(tmp_path: Path) -> None:
    """It is written only to know what it was."""

    async def main() -> None:
        with start(recording(tmp_path)) as session:
            door(Connection(), failure="ConnectError: refused").write(ASKED)
        assert session.result.interactions[0].response.failure == "ConnectError: refused"

    asyncio.run(main())


@pytest.mark.parametrize("leave", [DoorTransport.close, DoorTransport.abort])
def test_leaving_ends_the_exchange_and_the_real_connection(
    leave: Callable[[DoorTransport], None], tmp_path: Path
) -> None:
    """Before the answer it is a cancelled one."""

    async def main() -> None:
        real = Real()
        with start(recording(tmp_path)) as session:
            transport = door(Connection(), real)
            transport.write(ASKED)
            leave(transport)
        assert real.closed == 1
        assert transport.is_closing()
        assert session.result.interactions[0].response.failure == "Cancelled"

    asyncio.run(main())


def test_without_a_server_it_answers_for_one(tmp_path: Path) -> None:
    """What aiohttp asks of a transport, with and without a real one behind it."""

    async def main() -> None:
        connection = Connection()
        transport, live = door(connection), door(connection, Real())
        assert transport.get_extra_info("socket", "none") == "none"
        assert live.get_extra_info("socket") == "socket"
        assert transport.get_write_buffer_size() == 0
        assert not transport.can_write_eof()
        transport.pause_reading()
        transport.resume_reading()
        transport.set_protocol(connection)
        assert transport.get_protocol() is connection
        transport.close()
        await asyncio.sleep(0)
        assert connection.lost == [None]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (aiohttp.SocketTimeoutError("late"), "ReadTimeout: late"),
        (TimeoutError(), "Cancelled"),
        (asyncio.CancelledError(), "Cancelled"),
        (ValueError("x"), "ValueError: x"),
    ],
)
def test_giving_up_has_a_name(error: BaseException, failure: str) -> None:
    """A time-out of the socket is a failure; one of the program comes true again in replay."""
    assert gave_up_with(error) == failure
