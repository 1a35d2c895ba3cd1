"""How an answer of today differs from the recorded one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kit.baseline.answer_drift import answer_drift
from kit.cassette.interaction import HttpRequest, HttpResponse

JSON = (("content-type", "application/json"),)
SSE = (("content-type", "text/event-stream"),)
ASKED = HttpRequest("POST", "http://m/v1/chat/completions", JSON, b'{"model":"m","messages":[]}')


def answered(
    text: str | None = "It is Paris.", calls: list[tuple[str, str]] | None = None, **fields: Any
) -> HttpResponse:
    """A chat completion; `fields` replace those at its top."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": str(number), "type": "function", "function": {"name": name, "arguments": arguments}}
            for number, (name, arguments) in enumerate(calls)
        ]
    reason = "tool_calls" if calls else "stop"
    body = {"id": "x", "model": "m", "choices": [{"index": 0, "finish_reason": reason, "message": message}]}
    return HttpResponse(200, JSON, json.dumps(body | fields).encode())


def streamed(*pieces: str) -> HttpResponse:
    """A stream of deltas."""
    events = [{"model": "m", "choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    events.append({"model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    return HttpResponse(200, SSE, body.encode(), (len(body),))


def test_the_same_answer_with_another_id_is_no_drift() -> None:
    """Ids, times and token counts change at every call and say nothing."""
    drift = answer_drift(ASKED, answered(usage={"a": 1}), answered(id="y", usage={"a": 2, "b": 3}))
    assert drift.is_same


def test_other_chunks_of_the_same_text_are_no_drift() -> None:
    """A stream is compared as the message it amounts to."""
    assert answer_drift(ASKED, streamed("It is", " Paris."), streamed("It", " is Paris.")).is_same


def test_other_words_are_told_apart_from_other_behaviour() -> None:
    """A model that says it differently did the same."""
    drift = answer_drift(ASKED, answered(), answered("Paris, of course."))
    assert (drift.shape, drift.behaviour) == ((), ())
    assert drift.words == ("«It is Paris.» -> «Paris, of course.»",)


@pytest.mark.parametrize(
    ("today", "said"),
    [
        (answered(None, [("look", "{}")]), "finish reason stop -> tool_calls"),
        (answered(None, [("look", "{}")]), "tools asked for: none -> look"),
        (answered(None, [("look", "{}")]), "text gone"),
        (answered(model="other"), "model m -> other"),
    ],
)
def test_what_the_agent_would_notice_is_behaviour(today: HttpResponse, said: str) -> None:
    """Tools, end, refusal, model: these change what a run does."""
    assert said in answer_drift(ASKED, answered(), today).behaviour


def test_the_arguments_of_a_tool_are_behaviour() -> None:
    """The same tool with another argument does another thing; spacing of the JSON does not."""
    before = answered(None, [("look", '{"at": "a"}')])
    drift = answer_drift(ASKED, before, answered(None, [("look", '{"at": "b"}')]))
    assert drift.behaviour == ("look is asked for with {'at': 'b'}, was with {'at': 'a'}",)
    assert answer_drift(ASKED, before, answered(None, [("look", '{"at":"a"}')])).is_same


@pytest.mark.parametrize(
    ("today", "said"),
    [
        (HttpResponse(503, JSON, b'{"error": {"message": "busy"}}'), "status 200 -> 503"),
        (HttpResponse(200, SSE, b""), "content type application/json -> text/event-stream"),
        (answered(model=7), "model was text, is number"),
        (answered(new={"a": [1]}), "new.a[] is new"),
        (HttpResponse(200, JSON, b'{"model": "m"}'), "choices is gone"),
    ],
)
def test_what_a_client_would_notice_is_shape(today: HttpResponse, said: str) -> None:
    """Status, kind of content, fields and their types."""
    assert said in answer_drift(ASKED, answered(), today).shape


def test_a_field_that_is_null_now_and_then_is_no_drift_of_shape() -> None:
    """Null is the absence of a value, not a type."""
    assert answer_drift(ASKED, answered(extra=None), answered(extra="a")).is_same


def test_what_no_dialect_reads_is_compared_by_its_bytes() -> None:
    """Other JSON has a shape, and a body that differs."""
    asked = HttpRequest("POST", "http://m/v1/other", JSON, b"{}")
    before, now = HttpResponse(200, JSON, b'{"a": 1}'), HttpResponse(200, JSON, b'{"a": 2}')
    drift = answer_drift(asked, before, now)
    assert (drift.shape, drift.words) == ((), ("the body differs; no dialect reads it",))
    assert answer_drift(asked, before, before).is_same
