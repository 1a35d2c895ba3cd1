"""HTTP/1.1 read and written without any I/O."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.interaction import HttpResponse
from kit.recording.session import start
from kit.recording.transports.failures import TORN_CHUNKED, torn
from kit.recording.transports.wire import AnswerReader, RequestReader, answer_of, framing_of, reason_of
from tests.fakes.runs import recording

REQUESTS = {
    "length": (
        b"POST /v1?a=b HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
    ),
    "chunked": (
        b"POST /v1?a=b HTTP/1.1\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
    ),
}


@given(st.sampled_from(sorted(REQUESTS)), st.integers(1, 50))
def test_a_request_is_read_however_it_is_written(kind: str, size: int) -> None:
    """Method, target, headers and the body without its framing; the next one follows on the same reader."""
    reader, wire = RequestReader(), REQUESTS[kind]
    for _ in range(2):
        for at in range(0, len(wire), size):
            assert at == 0 or reader.request is None
            reader.feed(wire[at : at + size])
        request = reader.request
        assert request is not None
        assert (request.method, request.target, request.body) == ("POST", "/v1?a=b", b"hello")
        assert request.header("content-type") == "text/plain"


def test_a_client_that_waits_for_leave_is_known() -> None:
    """After the head, until the body came."""
    reader = RequestReader()
    reader.feed(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
    assert reader.waits
    reader.feed(b"x")
    assert not reader.waits
    assert reader.request is not None


def followed(
    folder: Path, wire: bytes, method: str = "GET", size: int = 7, **ending: str | None
) -> HttpResponse:
    """What is recorded of an answer that comes in pieces."""
    with start(recording(folder)) as session:
        answer = AnswerReader(session.begin_http(method, "http://x/", (), b""), method)
        for at in range(0, len(wire), 7):
            answer.feed(wire[at : at + 7])
        if "lost" in ending:
            answer.lost(ending["lost"])
        if "failed" in ending:
            answer.failed(ending["failed"] or "")
        answer.end()
    response = session.result.interactions[0].response
    assert isinstance(response, HttpResponse)
    return response


@pytest.mark.parametrize(
    "recorded",
    [
        HttpResponse(200, (("content-type", "text/plain"),), b"hello"),
        HttpResponse(200, (), b"hello", (2, 3)),
        HttpResponse(204),
        HttpResponse(429, (("retry-after", "1"),), b"{}"),
        HttpResponse(200, (), b"hello", (2, 3), TORN_CHUNKED),
        HttpResponse(200, (), b"hello", (), torn(5, 3)),
        HttpResponse(299, (), b"odd"),
    ],
)
def test_what_is_served_reads_as_what_was_recorded(recorded: HttpResponse, tmp_path: Path) -> None:
    """Writing an answer to the wire and recording it again changes nothing."""
    answer = answer_of(recorded, "GET")
    wire = b"".join([answer.head, *answer.pieces, answer.tail])
    again = followed(tmp_path, wire, lost=None) if answer.is_torn else followed(tmp_path, wire)
    assert again == recorded


def test_interim_answers_are_passed_over(tmp_path: Path) -> None:
    """`100 Continue` and early hints are not the answer."""
    wire = (
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody"
    )
    response = followed(tmp_path, wire, lost=None)
    assert (response.status, response.body, response.failure) == (200, b"body", None)


def test_who_leaves_before_the_answer_is_cancelled(tmp_path: Path) -> None:
    """A lost connection and an error of the client are failures of their own."""
    assert followed(tmp_path, b"") == HttpResponse(0, failure="Cancelled")
    assert followed(tmp_path, b"", lost=None).failure == "RemoteProtocolError: Server disconnected"
    assert followed(tmp_path, b"", failed="ReadTimeout: late").failure == "ReadTimeout: late"
    head = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab"
    assert followed(tmp_path, head, failed="Cancelled").failure == "Cancelled"
    assert followed(tmp_path, head, lost="ReadError: reset").failure == "ReadError: reset"
    assert followed(tmp_path, head).failure == "Abandoned"


def test_a_head_request_gets_no_body(tmp_path: Path) -> None:
    """Whatever length the answer names."""
    assert framing_of(HttpResponse(200, (), b""), "HEAD").is_bodyless
    assert followed(tmp_path, b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", "HEAD").failure is None
    assert reason_of(429) == "Too Many Requests"
    assert reason_of(299) == ""
