"""Answers in the shape of http.client, recorded from a file and served from one."""

from __future__ import annotations

import http.client
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.cassette.interaction import HttpResponse
from kit.recording.session import Session, start
from kit.recording.tickets import HttpTicket
from kit.recording.transports.failures import TORN_CHUNKED, error_on_wire, torn
from kit.recording.transports.http_response import WatchedFile, recorded_response, watched
from tests.fakes.runs import recording


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session that records."""
    with start(recording(tmp_path)) as session:
        yield session


def ticket_of(session: Session) -> HttpTicket:
    """A ticket of its own."""
    return session.begin_http("GET", "http://x/", (), b"")


class Wire:
    """A socket on which these bytes come."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def makefile(self, mode: str) -> io.BufferedReader:
        """The bytes."""
        return io.BufferedReader(io.BytesIO(self.data))


def real(data: bytes, method: str = "GET") -> http.client.HTTPResponse:
    """An answer that http.client parsed itself."""
    response = http.client.HTTPResponse(Wire(data), method=method)  # type: ignore[arg-type]
    response.begin()
    return response


def served(session: Session, recorded: HttpResponse, method: str = "GET") -> http.client.HTTPResponse:
    """An answer in replay."""
    return recorded_response(ticket_of(session), recorded, method, error_on_wire)


def by_buffer(answer: Any) -> bytes:
    """Reads four bytes at a time into a buffer."""
    read = b""
    buffer = bytearray(4)
    while size := answer.readinto(buffer):
        read += bytes(buffer[:size])
    return read


READS: dict[str, Callable[[Any], bytes]] = {
    "read": lambda answer: bytes(answer.read()),
    "read3": lambda answer: b"".join(iter(lambda: answer.read(3), b"")),
    "read1": lambda answer: b"".join(iter(answer.read1, b"")),
    "lines": b"".join,
    "readinto": by_buffer,
}
FRAMINGS = {
    "length": b"content-length: 13\r\n\r\nline 1\nline 2",
    "chunked": b"transfer-encoding: chunked\r\n\r\nd\r\nline 1\nline 2\r\n0\r\n\r\n",
    "until close": b"connection: close\r\n\r\nline 1\nline 2",
}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("chunks", [(), (6, 7)])
def test_every_way_of_reading_gives_the_recorded_body(read: str, chunks: Any, session: Session) -> None:
    """In one piece or in chunks, and it is at its end then."""
    answer = served(session, HttpResponse(200, (("x-a", "b"),), b"line 1\nline 2", chunks))
    assert answer.getheader("x-a") == "b"
    assert READS[read](answer) == b"line 1\nline 2"
    assert answer.read() == b""
    assert answer.isclosed()


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("framing", FRAMINGS)
def test_every_way_of_reading_is_recorded(read: str, framing: str, session: Session) -> None:
    """Whatever the framing, the recording holds the whole body and no failure."""
    answer, ticket = real(b"HTTP/1.1 200 OK\r\nx-a: b\r\n" + FRAMINGS[framing]), ticket_of(session)
    watched(answer, ticket)
    assert READS[read](answer) == b"line 1\nline 2"
    answer.close()
    session.close()
    response = session.result.interactions[0].response
    assert isinstance(response, HttpResponse)
    assert (response.status, response.body, response.failure) == (200, b"line 1\nline 2", None)


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("GET", 204), ("GET", 304)])
def test_answers_without_a_body_end_at_once(method: str, status: int, session: Session) -> None:
    """Nobody has to read them; a HEAD's answer names no length that would be waited for."""
    answer = served(session, HttpResponse(status), method)
    assert answer.read() == b""
    live, ticket = real(b"HTTP/1.1 %d X\r\ncontent-length: 5\r\n\r\n" % status, method), ticket_of(session)
    watched(live, ticket)
    session.close()
    assert [one.response.failure for one in session.result.interactions] == [None, None]


def test_torn_bodies_are_torn_again(session: Session) -> None:
    """Short of the promised length, or in the middle of chunks: http.client's own exception."""
    with pytest.raises(http.client.IncompleteRead) as short:
        served(session, HttpResponse(200, (), b"12345", (), torn(5, 3))).read()
    assert (short.value.partial, short.value.expected) == (b"12345", 3)
    with pytest.raises(http.client.IncompleteRead):
        served(session, HttpResponse(200, (), b"ab", (1, 1), TORN_CHUNKED)).read()


def test_a_time_out_in_the_middle_comes_after_what_was_read(session: Session) -> None:
    """The recorded pieces first, then the exception of the socket."""
    answer = served(session, HttpResponse(200, (), b"onetwo", (3, 3), "ReadTimeout: timed out"))
    assert answer.read1() + answer.read1() == b"onetwo"
    with pytest.raises(TimeoutError, match="timed out"):
        answer.read1()


def test_an_answer_may_be_closed_after_its_file(session: Session) -> None:
    """As garbage collection does where both are in one circle; Python 3.13 warns of what fails then."""
    answer = served(session, HttpResponse(200, (), b"ab"))
    live = real(b"HTTP/1.1 200 OK\r\n" + FRAMINGS["length"])
    watched(live, ticket_of(session))
    for one in (answer, live):
        assert one.fp is not None
        one.fp.close()
        one.close()
        assert one.isclosed()


def test_an_abandoned_body_just_ends(session: Session) -> None:
    """Who reads further than when recorded gets no invented error."""
    assert served(session, HttpResponse(200, (), b"ab", (1, 1), "Abandoned")).read() == b"ab"


def test_a_failing_file_tells_what_broke(session: Session) -> None:
    """The exception goes to the client and into the recording."""

    class Failing(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            raise ConnectionResetError(104, "Connection reset by peer")

    answer, ticket = real(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"), ticket_of(session)
    answer.fp = Failing(b"")  # type: ignore[assignment]
    watched(answer, ticket)
    assert isinstance(answer.fp, WatchedFile)
    with pytest.raises(ConnectionResetError):
        answer.read1(5)
    answer.close()
    session.close()
    response = session.result.interactions[0].response
    assert isinstance(response, HttpResponse)
    assert response.failure == "ReadError: [Errno 104] Connection reset by peer"
