"""The model calls among a run's interactions."""

from __future__ import annotations

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.trace.model_call import ModelCall, model_calls

URL = "http://localhost:11434/v1/chat/completions"
ANSWER = b'{"model":"m","choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}'
JSON = (("content-type", "application/json"),)


def call(response: HttpResponse, url: str = URL, method: str = "POST") -> ModelCall:
    """The only model call of a run of one interaction."""
    request = HttpRequest(method, url, (), b'{"model":"asked","messages":[]}')
    (found,) = model_calls([Interaction(1, "model", request, response, 0, 500)])
    return found


def test_an_answer_is_read_through_its_dialect() -> None:
    """The trace knows what was said, not which bytes said it."""
    found = call(HttpResponse(200, JSON, ANSWER))
    assert (found.number, found.started_ms, found.ended_ms) == (1, 0, 500)
    assert (found.answer.text, found.model(), found.failure, found.is_counted) == ("hi", "m", None, True)


def test_a_stream_is_read_without_its_header() -> None:
    """Pieces tell that a body was streamed."""
    body = b'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n'
    assert call(HttpResponse(200, (), body, (10, len(body) - 10))).answer.text == "hi"


@pytest.mark.parametrize(
    ("response", "failure", "is_counted"),
    [
        (HttpResponse(500, JSON, b'{"error":{"message":"boom"}}'), "http 500: boom", False),
        (HttpResponse(429, (), b""), "http 429: empty answer", False),
        (HttpResponse(0, failure="ConnectError: refused"), "ConnectError: refused", False),
        (HttpResponse(0, failure="ReadTimeout: slow"), "ReadTimeout: slow", True),
        (HttpResponse(0), "no answer", True),
        (HttpResponse(200, JSON, b"{"), "answer is not JSON: {", True),
        (HttpResponse(200, (), b'data: {"choices":[]}\n\n', (5, 17)), "stream ended early", True),
        (
            HttpResponse(200, (), b'data: {"choi', (12,), "RemoteProtocolError: closed"),
            "RemoteProtocolError: closed",
            True,
        ),
        (HttpResponse(200, JSON, ANSWER, failure="Abandoned"), None, True),
        (HttpResponse(200, (), b'data: {"choices":[]}\n\n', (21,), "Abandoned"), "Abandoned", True),
    ],
)
def test_failures_are_told(response: HttpResponse, failure: str | None, is_counted: bool) -> None:
    """How a call went wrong, and whether it may have cost something."""
    found = call(response)
    assert (found.failure, found.is_counted) == (failure, is_counted)


def test_an_answer_without_a_name_is_of_the_model_asked() -> None:
    """A timeout names nobody, but somebody was asked."""
    assert call(HttpResponse(0, failure="ReadTimeout: slow")).model() == "asked"


def test_an_unknown_dialect_is_a_call_of_which_nothing_is_known() -> None:
    """An address that the settings call a model's counts as a model call."""
    found = call(HttpResponse(200, JSON, b'{"said":"hi"}'), url="http://model/ask")
    assert (found.answer.text, found.model(), found.failure) == (None, None, None)
    assert call(HttpResponse(503), url="http://model/ask").failure == "http 503"


def test_what_asks_no_model_is_no_call() -> None:
    """Lists of models, redirects, tools and other traffic are left out."""
    post = HttpRequest("POST", URL, (), b"{}")
    interactions = [
        Interaction(
            1,
            "model",
            HttpRequest("GET", "http://localhost:11434/v1/models", (), b""),
            HttpResponse(200),
            0,
            1,
        ),
        Interaction(2, "model", post, HttpResponse(307), 1, 2),
        Interaction(3, "tool", ToolRequest("f"), ToolResponse(1), 2, 3),
        Interaction(4, "other", post, HttpResponse(200, JSON, ANSWER), 3, 4),
    ]
    assert model_calls(interactions) == ()


def test_a_request_body_is_not_built_for_an_answer_that_names_its_model() -> None:
    """Building every body of a long conversation is quadratic, so the trace does not."""

    def build() -> bytes:
        raise AssertionError

    request = HttpRequest("POST", URL, (), build)
    (found,) = model_calls([Interaction(1, "model", request, HttpResponse(200, JSON, ANSWER), 0, 1)])
    assert found.model() == "m"
