"""Interactions under way."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolResponse
from kit.recording.guard.passing import BEHIND_TOOL, is_passing
from kit.recording.session import start
from kit.recording.virtual_clock import lag_of
from tests.fakes.runs import recording, replaying

GET = ("GET", "http://x/y", (), b"")


def test_pieces_and_their_lengths_are_kept_once(tmp_path: Path) -> None:
    """Empty pieces are none, and after the end nothing counts any more."""
    with start(recording(tmp_path)) as session:
        ticket = session.begin_http(*GET)
        ticket.head(200, [("Content-Type", "text/plain")])
        for piece in (b"ab", b"", b"c"):
            ticket.chunk(piece)
        ticket.end()
        ticket.end("ReadError: late")
    assert [item.response for item in session.result.interactions] == [
        HttpResponse(200, (("content-type", "text/plain"),), b"abc", (2, 1))
    ]


@pytest.mark.parametrize(
    ("body", "failure"), [(b"data: 1\n\n", "Abandoned"), (b"data: 1\n\ndata: [DONE]\n\n", None)]
)
def test_a_stream_left_after_its_end_mark_is_whole(body: bytes, failure: str | None, tmp_path: Path) -> None:
    """SDKs stop reading at the mark and close."""
    with start(recording(tmp_path)) as session:
        ticket = session.begin_http(*GET)
        ticket.head(200, [])
        ticket.chunk(body)
        ticket.end("Abandoned")
    assert session.result.interactions[0].response.failure == failure


def test_a_secret_that_straddles_two_pieces_is_masked(tmp_path: Path) -> None:
    """The assembled body is scrubbed, the failure's text too."""
    with start(recording(tmp_path)) as session:
        ticket = session.begin_http(*GET)
        ticket.head(200, [])
        ticket.chunk(b"a s3c")
        ticket.chunk(b"ret b")
        ticket.end("ReadError: at s3cret")
    response = session.result.interactions[0].response
    assert response == HttpResponse(200, (), b"a <secret-1> b", (12, 2), "ReadError: at <secret-1>")


def test_a_served_ticket_moves_the_clock_to_the_recorded_end(tmp_path: Path) -> None:
    """The clock stands until the answer is read to its end."""
    with start(recording(tmp_path)) as session:
        ticket = session.begin_http(*GET)
        session.clock.advance_to(70)
        other = session.begin_http(*GET)
        other.end()
        ticket.end()
    recorded = session.result.interactions
    with start(replaying(tmp_path, recorded)) as session:
        ticket = session.begin_http(*GET)
        assert (ticket.number, session.now_ms()) == (1, 0)
        ticket.end()
        assert session.now_ms() == recorded[0].ended_ms
        assert ticket.latency_ms == recorded[0].ended_ms


def test_only_a_served_tool_hides_what_it_does(tmp_path: Path) -> None:
    """While it runs in record, the guard lets it pass and its requests are its own."""
    with start(recording(tmp_path)) as session:
        executed = session.begin_tool("a", {}, executed=True)
        assert (BEHIND_TOOL.get(), is_passing()) == (False, False)
        executed.finish(1)
        served = session.begin_tool("b", {}, executed=False)
        assert (BEHIND_TOOL.get(), is_passing()) == (True, True)
        inner = session.begin_tool("c", {}, executed=True)
        inner.finish(2)
        served.fail(ValueError("no"))
        assert (BEHIND_TOOL.get(), is_passing()) == (False, False)
    assert [item.response for item in session.result.interactions] == [
        ToolResponse(1, None, executed=True),
        ToolResponse(None, "ValueError: no"),
    ]


@pytest.mark.parametrize(("now_ms", "lag_ms"), [(100, 0), (98, 2), (120, 0), (20, 0)])
def test_a_short_lead_is_made_good_and_a_long_one_is_another_program(now_ms: int, lag_ms: int) -> None:
    """So that what started a little early in replay still ends at its recorded end."""
    served = Interaction(1, "other", HttpRequest("GET", "http://x/", (), b""), HttpResponse(200), 100, 150)
    assert lag_of(served, now_ms) == lag_ms


def test_a_body_that_arrived_whole_is_not_abandoned(tmp_path: Path) -> None:
    """Nobody closed the answer, but all of it was read."""
    with start(recording(tmp_path)) as session:
        for failure in (None, "DecodingError: broken"):
            ticket = session.begin_http(*GET)
            ticket.head(200, [])
            ticket.whole(failure)
    assert [item.response.failure for item in session.result.interactions] == [None, "DecodingError: broken"]
