"""Gemini: requests, answers, both kinds of stream."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.dialect import ModelAnswer, WireCall, WireMessage
from kit.wire.gemini import GEMINI
from tests.fakes.eventstream import sse

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
JSON_TYPE = "application/json; charset=UTF-8"
USAGE = {"promptTokenCount": 7, "candidatesTokenCount": 3, "thoughtsTokenCount": 20, "totalTokenCount": 30}


def chunk(*parts: dict[str, Any], reason: str | None = None, **fields: Any) -> dict[str, Any]:
    """A response with one candidate."""
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    return {"candidates": [candidate], "modelVersion": "gemini-2.5-flash", **fields}


def read(value: Any) -> ModelAnswer:
    """The answer of a body of JSON."""
    return GEMINI.read_response(json.dumps(value).encode(), JSON_TYPE)


@pytest.mark.parametrize(
    "path",
    [
        "/v1beta/models/gemini-2.5-flash:generateContent",
        "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:streamGenerateContent",
        "/google-vertex/v1beta1/publishers/google/models/gemini-2.5-flash:generateContent",
        "/v1/projects/p/locations/l/endpoints/123:generateContent",
    ],
)
def test_a_request_is_known_by_its_verb(path: str) -> None:
    """On Google's own address, on Vertex and behind a gateway."""
    assert GEMINI.recognises("POST", path, b"")
    assert not GEMINI.recognises("GET", path, b"")
    assert not GEMINI.recognises("POST", path.replace("enerateContent", "countTokens"), b"")


def test_a_conversation_is_told_in_messages() -> None:
    """The model is the assistant, a function's result a message of its own, under either spelling."""
    call = {"name": "fs_read", "args": {"path": "/a"}, "id": "c1"}
    result = {"name": "fs_read", "id": "c1", "response": {"return_value": "text"}}
    body = {
        "systemInstruction": {"parts": [{"text": "be kind"}], "role": "user"},
        "contents": [
            {"role": "user", "parts": [{"text": "look"}, {"inlineData": {"mimeType": "image/png"}}]},
            {"role": "model", "parts": [{"function_call": call, "thought_signature": "x"}]},
            {"role": "user", "parts": [{"functionResponse": result}, {"text": "and?"}]},
        ],
        "tools": [{"functionDeclarations": [{"name": "fs_read"}, {"name": "g"}]}, {"googleSearch": {}}],
        "generationConfig": {"temperature": 0},
    }
    request = GEMINI.read_request(json.dumps(body).encode(), URL)
    assert request.messages == (
        WireMessage("system", "be kind"),
        WireMessage("user", "look"),
        WireMessage("assistant", None, (WireCall("c1", "fs_read", {"path": "/a"}, '{"path":"/a"}'),)),
        WireMessage("tool", "text", call_id="c1", name="fs_read"),
        WireMessage("user", "and?"),
    )
    assert request.model == "gemini-2.5-flash"
    assert request.tools == ({"name": "fs_read"}, {"name": "g"}, {"googleSearch": {}})
    assert request.parameters == {"generationConfig": {"temperature": 0}}


def test_an_answer_is_read_in_its_parts() -> None:
    """Thoughts are counted with what was written, and not said."""
    parts = ({"text": "hm", "thought": True}, {"text": "Paris"}, {"text": "."})
    answer = read(chunk(*parts, reason="STOP", usageMetadata=USAGE))
    assert (answer.text, answer.thinking, answer.finish_reason) == ("Paris.", "hm", "STOP")
    assert (answer.prompt_tokens, answer.completion_tokens, answer.model) == (7, 23, "gemini-2.5-flash")
    assert (answer.error, answer.broken, answer.refusal) == (None, False, None)


@pytest.mark.parametrize("as_events", [True, False])
def test_a_stream_is_events_or_an_array(as_events: bool) -> None:
    """Parallel calls come whole, the last count holds."""
    chunks = [
        chunk({"text": "Let me "}, usageMetadata={"promptTokenCount": 7}),
        chunk({"text": "look."}, {"functionCall": {"name": "f", "args": {"x": 1}}}),
        chunk({"functionCall": {"name": "g"}}),
        chunk(reason="STOP", usageMetadata=USAGE),
    ]
    body = sse(*chunks) if as_events else json.dumps(chunks, indent=1).encode()
    answer = GEMINI.read_response(body, "text/event-stream" if as_events else JSON_TYPE, streamed=True)
    assert answer.text == "Let me look."
    assert [(call.name, call.arguments) for call in answer.tool_calls] == [("f", {"x": 1}), ("g", {})]
    assert (answer.completion_tokens, answer.broken) == (23, False)


@pytest.mark.parametrize("as_events", [True, False])
def test_a_stream_that_was_cut_is_broken(as_events: bool) -> None:
    """What came whole stays."""
    chunks = [chunk({"text": "one "}), chunk({"text": "two"}, reason="STOP")]
    body = (sse(*chunks) if as_events else json.dumps(chunks).encode())[:-30]
    answer = GEMINI.read_response(body, "", streamed=True)
    assert (answer.text, answer.broken) == ("one ", True)


def test_an_error_in_the_middle_is_told() -> None:
    """The answer so far stays, and is broken."""
    failed = {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}
    answer = GEMINI.read_response(sse(chunk({"text": "so"}), failed), "text/event-stream")
    assert (answer.text, answer.error, answer.broken) == ("so", "overloaded", True)
    answer = read([failed])
    assert (answer.error, answer.broken) == ("overloaded", False)


@pytest.mark.parametrize(
    ("value", "refusal"),
    [
        (chunk({"text": "a"}, reason="SAFETY"), "SAFETY"),
        ({"candidates": [{"finishReason": "MODEL_ARMOR", "finishMessage": "no"}]}, "no"),
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "prompt blocked: PROHIBITED_CONTENT"),
        (chunk({"text": "a"}, reason="MAX_TOKENS"), None),
    ],
)
def test_what_a_filter_stopped_is_a_refusal(value: dict[str, Any], refusal: str | None) -> None:
    """Of the answer, or already of the prompt."""
    answer = read(value)
    assert answer.refusal == refusal
    assert answer.finish_reason is not None
    assert answer.error is None


def test_a_call_that_the_model_spoilt_is_an_error() -> None:
    """Nothing can be called, and the reason says so."""
    value = chunk(reason="MALFORMED_FUNCTION_CALL")
    value["candidates"][0]["finishMessage"] = "print(f(1))"
    assert read(value).error == "unusable output of the model: MALFORMED_FUNCTION_CALL: print(f(1))"
    value = chunk(reason="UNEXPECTED_TOOL_CALL")
    assert read(value).error == "unusable output of the model: UNEXPECTED_TOOL_CALL"


def test_code_and_searches_of_the_server_stand_apart() -> None:
    """Each with its result: by id, else the one before."""
    answer = read(
        chunk(
            {"executableCode": {"language": "PYTHON", "code": "1+1", "id": "x"}},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2\n", "id": "x"}},
            {"toolCall": {"toolType": "FILE_SEARCH", "id": "y", "args": {"q": 1}}},
            {"toolResponse": {"id": "y", "response": {"hits": 3}}},
            {"text": "2"},
            reason="STOP",
        )
    )
    assert [(call.name, call.result) for call in answer.server_calls] == [
        ("code_execution", "2\n"),
        ("file_search", '{"hits":3}'),
    ]
    assert answer.tool_calls == ()


def test_only_the_first_of_several_candidates_counts() -> None:
    """Others are other samples."""
    value = chunk({"text": "first"}, reason="STOP")
    value["candidates"].insert(0, {"index": 1, "content": {"parts": [{"text": "second"}]}})
    assert read(value).text == "first"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "empty answer"),
        (b"<html>", "answer is not JSON: <html>"),
        (b"{}", "answer has no candidates"),
        (b"[]", "stream holds no answer"),
    ],
)
def test_a_body_that_is_no_answer_says_so(body: bytes, error: str) -> None:
    """An empty object is not an empty answer."""
    assert GEMINI.read_response(body, "").error == error


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent."""
    GEMINI.read_request(body, URL)
    GEMINI.read_response(body, "", streamed=streamed)
