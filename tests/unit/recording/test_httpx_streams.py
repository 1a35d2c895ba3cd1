"""The streams that record and replay, one by one; through clients they are tested in test_httpx_stub."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest

from kit.cassette.interaction import HttpResponse
from kit.recording.httpx_streams import streams_of
from kit.recording.session import Session, start
from kit.recording.tickets import HttpTicket
from kit.recording.transports.decoding import Decoder
from kit.recording.transports.failures import failure_of
from tests.fakes.runs import recording

LIBRARIES = [pytest.param(httpx, id="httpx"), pytest.param(httpx2, id="httpx2")]


class Pieces:
    """A stream of a server, sync and async."""

    closed = 0

    def __init__(self, *pieces: bytes, error: BaseException | None = None) -> None:
        self.pieces = pieces
        self.error = error

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces
        if self.error is not None:
            raise self.error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        """Counts."""
        self.closed += 1

    async def aclose(self) -> None:
        """Counts."""
        self.closed += 1


def teed(library: Any, session: Session, source: Pieces) -> Any:
    """A tee on `source`, under a ticket of its own."""
    ticket = session.begin_http("GET", "http://x/", (), b"")
    ticket.head(200, [])
    decoder = library.Response(200)._get_content_decoder()
    return streams_of(library).tee(source, ticket, Decoder(decoder, library.DecodingError))


def drained(stream: Any, *, asynchronously: bool) -> list[bytes]:
    """All pieces, and the close."""

    async def drain() -> list[bytes]:
        pieces = [piece async for piece in stream]
        await stream.aclose()
        return pieces

    if asynchronously:
        return asyncio.run(drain())
    pieces = list(stream)
    stream.close()
    return pieces


@pytest.mark.parametrize("asynchronously", [False, True])
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_tee_hands_on_and_keeps(library: Any, asynchronously: bool, tmp_path: Path) -> None:
    """The client gets the very pieces, the server's stream is closed, the end is recorded once."""
    source = Pieces(b"a", b"bc")
    with start(recording(tmp_path)) as session:
        stream = teed(library, session, source)
        assert isinstance(stream, library.SyncByteStream)
        assert isinstance(stream, library.AsyncByteStream)
        assert drained(stream, asynchronously=asynchronously) == [b"a", b"bc"]
    assert source.closed == 1
    assert [item.response for item in session.result.interactions] == [HttpResponse(200, (), b"abc", (1, 2))]


@pytest.mark.parametrize("asynchronously", [False, True])
def test_an_error_in_mid_stream_is_kept_and_passed_on(asynchronously: bool, tmp_path: Path) -> None:
    """The client sees its own exception, the recording its name and text."""
    with start(recording(tmp_path)) as session:
        stream = teed(httpx, session, Pieces(b"a", error=httpx.ReadError("torn")))
        with pytest.raises(httpx.ReadError, match="torn"):
            drained(stream, asynchronously=asynchronously)
    assert session.result.interactions[0].response.failure == "ReadError: torn"


def test_failures_have_three_forms() -> None:
    """The exchange failed, the agent gave up, or the program was stopped."""
    assert failure_of(httpx.ConnectError("refused")) == "ConnectError: refused"
    assert failure_of(asyncio.CancelledError()) == "Cancelled"
    assert failure_of(KeyboardInterrupt()) == "Abandoned"


def test_a_decoder_that_failed_stays_silent() -> None:
    """The failure is told once; what comes after it is not decoded."""
    response = httpx.Response(200, headers={"content-encoding": "gzip"})
    decoder = Decoder(response._get_content_decoder(), httpx.DecodingError)
    assert decoder.decode(b"no gzip") == b""
    assert decoder.failure is not None
    assert decoder.failure.startswith("DecodingError")
    assert (decoder.decode(b"more"), decoder.flush()) == (b"", b"")


def test_a_replayed_stream_raises_the_recorded_failure_at_its_end(tmp_path: Path) -> None:
    """After the pieces, as the class that the stub makes of it; an abandoned one just ends."""
    with start(recording(tmp_path)) as session:
        ticket: HttpTicket = session.begin_http("GET", "http://x/", (), b"")
        torn = HttpResponse(200, (), b"abc", (1, 2), "ReadError: torn")
        stream = streams_of(httpx).replayed(ticket, torn, httpx.ReadError, None)
        pieces = iter(stream)
        assert [next(pieces), next(pieces)] == [b"a", b"bc"]
        with pytest.raises(httpx.ReadError):
            next(pieces)
        left = HttpResponse(200, (), b"abc", (), "Abandoned")
        assert list(streams_of(httpx).replayed(ticket, left, httpx.ReadError, None)) == [b"abc"]
