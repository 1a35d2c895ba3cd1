"""The model calls among a run's interactions."""

from __future__ import annotations

import json

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
        (HttpResponse(500, JSON, b"", failure="Abandoned"), "http 500", False),
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


def test_a_body_tells_what_an_address_of_files_hides() -> None:
    """Mistral's models speak where OpenAI only keeps conversations."""
    outputs = b'{"outputs":[{"type":"message.output","content":"hi"}]}'
    request = HttpRequest("POST", "https://api.mistral.ai/v1/conversations", (), b'{"inputs":"hi"}')
    (found,) = model_calls([Interaction(1, "model", request, HttpResponse(200, JSON, outputs), 0, 1)])
    assert found.answer.text == "hi"


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


RESPONSES = "https://api.openai.com/v1/responses"


def background(number: int, method: str, status: str, identifier: str = "resp_1") -> Interaction:
    """A step of an answer in the background: asked for, looked after, brought."""
    url = RESPONSES if method == "POST" else f"{RESPONSES}/{identifier}"
    output = [{"type": "message", "content": [{"text": "late"}]}] if status == "completed" else []
    usage = {"input_tokens": 3, "output_tokens": 2} if output else None
    body = {"id": identifier, "status": status, "background": True, "output": output, "usage": usage}
    sent = b'{"model":"m","input":"hi"}' if method == "POST" else b""
    response = HttpResponse(200, JSON, json.dumps(body).encode())
    return Interaction(number, "model", HttpRequest(method, url, (), sent), response, number, number + 1)


def test_an_answer_in_the_background_is_counted_once() -> None:
    """The question costs nothing yet, looking after it is no call, reading it again costs nothing more."""
    calls = model_calls(
        [
            background(1, "POST", "queued"),
            background(2, "GET", "in_progress"),
            background(3, "GET", "completed"),
            background(4, "GET", "completed"),
        ]
    )
    assert [(call.number, call.is_counted, call.failure) for call in calls] == [
        (1, False, None),
        (3, True, None),
    ]
    assert calls[1].answer.text == "late"


def test_an_answer_that_was_there_at_once_is_not_counted_again() -> None:
    """A stored response can be read at any time."""
    calls = model_calls([background(1, "POST", "completed"), background(2, "GET", "completed")])
    assert [call.number for call in calls] == [1]


def test_looking_after_an_answer_may_fail() -> None:
    """That is told, and costs nothing."""
    failed = HttpResponse(404, JSON, b'{"error":{"message":"gone"}}')
    request = HttpRequest("GET", f"{RESPONSES}/resp_1", (), b"")
    (call,) = model_calls([Interaction(1, "model", request, failed, 0, 1)])
    assert (call.failure, call.is_counted) == ("http 404: gone", False)


def test_the_model_may_stand_in_the_address() -> None:
    """Bedrock's answers name none."""
    url = "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova-pro-v1%3A0/converse"
    body = b'{"output":{"message":{"content":[{"text":"hi"}]}},"stopReason":"end_turn"}'
    request = HttpRequest("POST", url, (), b'{"messages":[]}')
    (call,) = model_calls([Interaction(1, "model", request, HttpResponse(200, JSON, body), 0, 1)])
    assert (call.model(), call.answer.text) == ("us.amazon.nova-pro-v1:0", "hi")


def test_a_model_that_is_served_beside_others_is_known_by_its_question() -> None:
    """Databricks and SageMaker serve all models at one path; of a folded request the first one is asked."""
    url = "https://x.databricks.com/serving-endpoints/llama/invocations"
    first = HttpRequest("POST", url, (), b'{"messages":[]}')

    def unasked() -> bytes:
        raise AssertionError("the body of a long conversation is dear")

    folded = HttpRequest("POST", url, (), unasked, like=first)
    for request in (first, folded):
        (found,) = model_calls([Interaction(1, "model", request, HttpResponse(200, JSON, ANSWER), 0, 1)])
        assert (found.answer.text, found.answer.finish_reason) == ("hi", "stop")
    other = HttpRequest("POST", url, (), b'{"inputs":[1]}')
    (call,) = model_calls(
        [Interaction(1, "model", other, HttpResponse(200, JSON, b'{"predictions":[2]}'), 0, 1)]
    )
    assert (call.dialect, call.failure) == (None, None)


def test_a_moderation_is_free() -> None:
    """It tells no tokens, and must not make the run's usage unknown."""
    request = HttpRequest("POST", "https://api.openai.com/v1/moderations", (), b'{"input":"a"}')
    response = HttpResponse(200, JSON, b'{"model":"omni","results":[]}')
    (call,) = model_calls([Interaction(1, "model", request, response, 0, 1)])
    assert (call.is_counted, call.failure) == (False, None)
