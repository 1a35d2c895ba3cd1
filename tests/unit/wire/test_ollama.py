"""Ollama's own API."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.dialect import ModelAnswer, WireMessage
from kit.wire.ollama import OLLAMA
from tests.fakes.llama_server import asked, sample

END = {"done": True, "done_reason": "stop", "prompt_eval_count": 5, "eval_count": 2}


def read(*pieces: dict[str, Any], cut: int = 0) -> ModelAnswer:
    """The answer of a body with an object a line."""
    body = "\n".join(json.dumps({"model": "m", **piece}) for piece in pieces).encode()
    return OLLAMA.read_response(body[: len(body) - cut], "application/x-ndjson", streamed=len(pieces) > 1)


def test_a_request_is_known_by_its_path() -> None:
    """And by a model where there is a body."""
    assert OLLAMA.recognises("POST", "/api/chat", b'{"model":"m"}')
    assert OLLAMA.recognises("POST", "/api/generate", b"")
    assert not OLLAMA.recognises("POST", "/api/chat", b'{"room":1}')
    assert not OLLAMA.recognises("GET", "/api/chat", b"")
    assert not OLLAMA.recognises("POST", "/api/tags", b"")


def test_a_conversation_or_a_prompt_is_told_in_messages() -> None:
    """Results are paired by the tool's name."""
    result = {"role": "tool", "content": "x", "tool_name": "f"}
    request = OLLAMA.read_request(json.dumps({"model": "m", "messages": [result]}).encode())
    assert request.messages == (WireMessage("tool", "x", name="f"),)
    prompt = OLLAMA.read_request(b'{"model":"m","prompt":"hi","system":"s","options":{"seed":1}}')
    assert prompt.messages == (WireMessage("system", "s"), WireMessage("user", "hi"))
    assert prompt.parameters == {"options": {"seed": 1}}
    assert OLLAMA.read_request(asked("ollama_chat")).model == "qwen2.5-coder-1.5b"


def test_an_answer_in_one_piece_is_read() -> None:
    """Arguments are objects; thoughts stand apart."""
    message = {
        "role": "assistant",
        "content": "hi",
        "thinking": "hm",
        "tool_calls": [{"function": {"name": "f", "arguments": {"x": 1}}}],
    }
    answer = read({"message": message, **END})
    assert (answer.text, answer.thinking, answer.finish_reason) == ("hi", "hm", "stop")
    assert [(call.name, call.arguments) for call in answer.tool_calls] == [("f", {"x": 1})]
    assert (answer.prompt_tokens, answer.completion_tokens, answer.model) == (5, 2, "m")


def test_a_stream_is_an_object_a_line() -> None:
    """Of chat and of generate alike; parallel calls come one by one."""
    calls = [{"message": {"tool_calls": [{"function": {"name": name, "arguments": {}}}]}} for name in "fg"]
    chat = read({"message": {"content": "h"}}, *calls, {"message": {"content": "i"}}, END)
    assert (chat.text, [call.name for call in chat.tool_calls], chat.broken) == ("hi", ["f", "g"], False)
    assert read({"response": "h"}, {"response": "i", "thinking": ""}, END).text == "hi"


def test_a_stream_that_was_cut_is_broken() -> None:
    """What came whole stays."""
    answer = read({"response": "h"}, {"response": "i"}, END, cut=9)
    assert (answer.text, answer.broken, answer.finish_reason, answer.prompt_tokens) == (
        "hi",
        True,
        None,
        None,
    )


def test_an_error_is_told_in_the_middle_too() -> None:
    """The server sends it as a line."""
    answer = read({"response": "h"}, {"error": "boom"})
    assert (answer.text, answer.error) == ("h", "boom")
    assert OLLAMA.read_response(*sample("ollama_chat")).error == "File Not Found"


@pytest.mark.parametrize(
    ("body", "streamed", "error"),
    [
        (b"", True, "empty answer"),
        (b"<html>", False, "answer is not JSON: <html>"),
        (b"<html>", True, "answer has no message"),
        (b"{}", False, "answer has no message"),
    ],
)
def test_a_body_that_is_no_answer_says_so(body: bytes, streamed: bool, error: str) -> None:
    """An empty object is not an empty answer."""
    assert OLLAMA.read_response(body, "", streamed=streamed).error == error


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a server sent."""
    OLLAMA.read_request(body)
    OLLAMA.read_response(body, "", streamed=streamed)
