"""Bodies followed on the wire."""

from __future__ import annotations

import gzip
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kit.cassette.interaction import HttpResponse
from kit.recording.session import start
from kit.recording.transports.body_watch import BodyWatch
from kit.recording.transports.failures import TORN_CHUNKED
from tests.fakes.runs import recording


def watched(
    folder: Path,
    *parts: bytes,
    coding: str = "",
    chunked: bool = False,
    length: int | None = None,
    eof: bool = False,
) -> HttpResponse:
    """What is recorded of a body whose bytes come in these parts."""
    with start(recording(folder)) as session:
        ticket = session.begin_http("GET", "http://x/", (), b"")
        ticket.head(200, [])
        watch = BodyWatch(ticket, coding, is_chunked=chunked, length=length)
        for part in parts:
            watch.feed(part)
        if eof:
            watch.eof()
        watch.end()
    response = session.result.interactions[0].response
    assert isinstance(response, HttpResponse)
    return response


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(st.binary(min_size=1, max_size=30), min_size=2, max_size=6), st.integers(1, 17))
def test_chunks_keep_their_bounds_however_the_wire_cuts_them(
    tmp_path: Path, chunks: list[bytes], size: int
) -> None:
    """What the server sent as a chunk is a chunk of the recording; extensions and trailers are not."""
    wire = (
        b"".join(b"%X;ext=1\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\nTrailer: x\r\n\r\n"
    )
    parts = [wire[at : at + size] for at in range(0, len(wire), size)]
    response = watched(tmp_path, *parts, chunked=True)
    assert response.failure is None
    assert sum(response.chunks) == len(response.body)
    assert len(response.chunks) == len(chunks)


def test_a_body_of_known_length_is_one_piece(tmp_path: Path) -> None:
    """How a client happens to read it is not recorded."""
    response = watched(tmp_path, b"ab", b"c", length=3)
    assert (response.body, response.chunks, response.failure) == (b"abc", (), None)


def test_bodies_that_end_too_early_are_torn(tmp_path: Path) -> None:
    """The failure says what is missing, where that is known."""
    short = watched(tmp_path, b"ab", length=5, eof=True)
    assert "received 2 bytes, expected 5" in (short.failure or "")
    assert watched(tmp_path, b"2\r\nab\r\n5\r\nc", chunked=True, eof=True).failure == TORN_CHUNKED
    assert watched(tmp_path, b"2\r\nab\r\n5\r\nc", chunked=True).body == b"abc"
    assert watched(tmp_path, b"ab", eof=True).failure is None


def test_who_leaves_early_abandons(tmp_path: Path) -> None:
    """Nothing broke; after the last byte nothing is abandoned either."""
    assert watched(tmp_path, b"ab", length=5).failure == "Abandoned"
    assert watched(tmp_path, b"2\r\nab\r\n", chunked=True).failure == "Abandoned"
    assert watched(tmp_path, b"ab", b"more", length=2).failure is None


def test_the_body_is_decoded_on_its_way(tmp_path: Path) -> None:
    """A cut archive is a failure of the body; nonsense where a chunk's length should stand ends it."""
    packed = gzip.compress(b"the body")
    assert watched(tmp_path, packed[:9], packed[9:], coding="gzip", length=len(packed)).body == b"the body"
    broken = watched(tmp_path, b"\xff" * 20, coding="gzip", length=20)
    assert (broken.failure or "").startswith("DecodingError")
    assert watched(tmp_path, b"nonsense\r\n", chunked=True).body == b""
