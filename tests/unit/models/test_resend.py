"""Sending a recorded request again."""

from __future__ import annotations

import httpx
import pytest

from kit.agent.protocol import ModelEndpoint
from kit.cassette.interaction import HttpRequest
from kit.errors import ModelUnreachable
from kit.models.resend import Resender
from tests.fakes.model_server import serving

ENDPOINT = ModelEndpoint("http://new:2/v1", "m", api_key="k-new")
RECORDED = "http://old:1/v1"
ASKED = HttpRequest(
    "POST",
    "http://old:1/v1/chat/completions",
    (("content-type", "application/json"), ("authorization", "<secret-1>")),
    b'{"a": 1}',
)


def resender(answer: httpx.Response | httpx.TransportError, seen: list[httpx.Request]) -> Resender:
    """One whose server answers so."""

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if isinstance(answer, httpx.Response):
            return answer
        raise answer

    return Resender(ENDPOINT, RECORDED, httpx.MockTransport(respond))


def test_the_same_bytes_go_to_the_address_of_today() -> None:
    """Path, body and content type as recorded; the key is the endpoint's, never a mask."""
    seen: list[httpx.Request] = []
    with resender(httpx.Response(200, json={"b": 2}), seen) as sending:
        answer = sending.send(ASKED)
    assert (answer.status, answer.body) == (200, b'{"b":2}')
    (request,) = seen
    assert (str(request.url), request.content) == ("http://new:2/v1/chat/completions", b'{"a": 1}')
    assert request.headers["authorization"] == "Bearer k-new"
    assert request.headers["content-type"] == "application/json"


def test_an_answer_that_takes_too_long_is_an_answer() -> None:
    """Told as a recording tells it."""
    with resender(httpx.ReadTimeout("late"), []) as sending:
        assert sending.send(ASKED).failure == "ReadTimeout: late"


def test_nobody_there_is_the_environment() -> None:
    """Exit code 4, with what was tried."""
    with resender(httpx.ConnectError("refused"), []) as sending, pytest.raises(ModelUnreachable) as caught:
        sending.send(ASKED)
    assert "POST http://new:2/v1/chat/completions" in str(caught.value)


def test_what_went_elsewhere_is_not_sent() -> None:
    """A request that was not the model server's keeps its address, and stays here."""
    seen: list[httpx.Request] = []
    other = HttpRequest("POST", "http://old:1/v1evil", (), b"")
    with resender(httpx.Response(200), seen) as sending:
        assert sending.address(other) is None
        with pytest.raises(ValueError, match="not below"):
            sending.send(other)
    assert seen == []


def test_a_stream_is_told_as_one() -> None:
    """Dialects read a stream as one only where it says so."""
    stream = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=b"data: {}\n\n")
    with resender(stream, []) as sending:
        assert sending.send(ASKED).chunks == (10,)


def test_no_limit_waits_for_a_real_server() -> None:
    """A suite without a time limit is verified like any other; only a real socket minds what a limit is."""
    with serving() as server:
        endless = ModelEndpoint(f"{server.url}/v1", "m", timeout_s=None)
        with Resender(endless, RECORDED) as sending:
            assert sending.send(ASKED).status == 200
