"""OpenAI chat completions, JSON and stream."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.dialect import ModelAnswer, WireCall
from kit.wire.openai_chat import OPENAI_CHAT
from tests.fakes.llama_server import sample

JSON_TYPE = "application/json; charset=utf-8"
TOOL_ANSWER = (
    b'{"choices":[{"finish_reason":"tool_calls","index":0,"message":{"role":"assistant","content":"",'
    b'"tool_calls":[{"type":"function","function":{"name":"fs_read",'
    b'"arguments":"{\\"path\\": \\"/tmp/x.log\\"}"},'
    b'"id":"uOCUzYv1"}]}}],"created":1795986589,"model":"qwen2.5-coder-1.5b","object":"chat.completion",'
    b'"usage":{"completion_tokens":23,"prompt_tokens":207,"total_tokens":230},"id":"chatcmpl-e1T"}'
)


def test_a_request_is_read_in_its_parts() -> None:
    """Model, conversation, tools and the rest are told apart."""
    body = {
        "model": "gpt-oss:20b",
        "temperature": 0,
        "seed": 1,
        "tools": [{"type": "function", "function": {"name": "f"}}, "junk"],
        "messages": [{"role": "user", "content": "hi"}],
    }
    request = OPENAI_CHAT.read_request(json.dumps(body).encode())
    assert request.model == "gpt-oss:20b"
    assert [message.text for message in request.messages] == ["hi"]
    assert request.tools == ({"type": "function", "function": {"name": "f"}},)
    assert request.parameters == {"temperature": 0, "seed": 1}
    assert request.error is None


@pytest.mark.parametrize("body", [b'{"model":', b"", b"[]", b"\xff", b'"x"'])
def test_an_unreadable_request_says_so(body: bytes) -> None:
    """The request is still a call of a model, with nothing known of it."""
    request = OPENAI_CHAT.read_request(body)
    assert request.error is not None
    assert request.model is None
    assert request.messages == ()


def test_an_answer_with_a_tool_call_is_read() -> None:
    """A real answer of llama.cpp: arguments parsed, counts kept, an empty text is none."""
    assert OPENAI_CHAT.read_response(TOOL_ANSWER, JSON_TYPE) == ModelAnswer(
        model="qwen2.5-coder-1.5b",
        tool_calls=(WireCall("uOCUzYv1", "fs_read", {"path": "/tmp/x.log"}, '{"path": "/tmp/x.log"}'),),
        finish_reason="tool_calls",
        prompt_tokens=207,
        completion_tokens=23,
    )


def test_an_answer_without_usage_counts_nothing() -> None:
    """Missing counts are None, never 0 (X-05)."""
    answer = OPENAI_CHAT.read_response(
        b'{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}', JSON_TYPE
    )
    assert (answer.text, answer.model, answer.prompt_tokens, answer.completion_tokens) == (
        "x",
        None,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b'{"error":{"message":"File Not Found","type":"not_found_error","code":404}}', "File Not Found"),
        (b'{"error":"model \'x\' not found"}', "model 'x' not found"),
        (
            b"<html><h1>502 Bad Gateway</h1></html>",
            "answer is not JSON: <html><h1>502 Bad Gateway</h1></html>",
        ),
        (b'{"choices":[{"mess', 'answer is not JSON: {"choices":[{"mess'),
        (b"", "empty answer"),
        (b"{}", "answer has no message"),
        (b'{"choices":[]}', "answer has no message"),
        (b'{"choices":[{"message":null}]}', "answer has no message"),
        (b"7", "answer has no message"),
    ],
)
def test_an_answer_that_is_none_gives_its_error(body: bytes, error: str) -> None:
    """Server errors and unreadable answers are told in words, without text or calls."""
    answer = OPENAI_CHAT.read_response(body, JSON_TYPE)
    assert answer.error == error
    assert answer.text is None
    assert answer.tool_calls == ()


STREAM = (
    b'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
)


@pytest.mark.parametrize(
    ("content_type", "streamed"),
    [
        ("text/event-stream", True),
        ("text/event-stream; charset=utf-8", False),
        ("", True),
        ("", False),
        ("text/plain", False),
    ],
)
def test_a_stream_is_known_by_header_or_by_sight(content_type: str, streamed: bool) -> None:
    """Servers that forget the header are read all the same."""
    assert OPENAI_CHAT.read_response(STREAM, content_type, streamed=streamed).text == "hi"


def test_a_json_error_to_a_streaming_client_is_an_error() -> None:
    """A server that refuses before it streams answers in JSON, sometimes under the stream's header."""
    body = b'{"error":{"message":"overloaded"}}'
    assert OPENAI_CHAT.read_response(body, "text/event-stream", streamed=True).error == "overloaded"
    assert OPENAI_CHAT.read_response(body, "", streamed=True).error == "overloaded"


def test_an_empty_stream_is_broken() -> None:
    """A connection that closed before the first chunk is no answer."""
    answer = OPENAI_CHAT.read_response(b"", "text/event-stream", streamed=True)
    assert answer.broken
    assert answer.error == "empty answer"


@given(
    st.binary(max_size=400), st.sampled_from(["", JSON_TYPE, "text/event-stream", "text/html"]), st.booleans()
)
def test_no_bytes_raise(body: bytes, content_type: str, streamed: bool) -> None:
    """What a server or an agent sent never crashes its reader."""
    OPENAI_CHAT.read_request(body)
    OPENAI_CHAT.read_response(body, content_type, streamed=streamed)


@given(st.integers(min_value=0, max_value=len(TOOL_ANSWER)), st.binary(min_size=1, max_size=4))
def test_a_damaged_answer_never_raises(place: int, junk: bytes) -> None:
    """A real answer with bytes overwritten or cut is read or refused in words."""
    OPENAI_CHAT.read_response(TOOL_ANSWER[:place], JSON_TYPE)
    OPENAI_CHAT.read_response(TOOL_ANSWER[:place] + junk + TOOL_ANSWER[place + len(junk) :], JSON_TYPE)


@pytest.mark.parametrize(
    ("path", "body", "is_known"),
    [
        ("/api/v2/cortex/inference:complete", b"{}", True),
        ("/serving-endpoints/llama/invocations", b'{"messages":[]}', True),
        ("/serving-endpoints/churn/invocations", b'{"inputs":[]}', False),
        ("/v1/completions", b'{"messages":[]}', False),
    ],
)
def test_other_addresses_of_the_dialect_are_known(path: str, body: bytes, is_known: bool) -> None:
    """Snowflake's own, and servers of models of any kind where the body holds a conversation."""
    assert OPENAI_CHAT.recognises("POST", path, body) is is_known


def test_azure_names_the_model_in_the_path() -> None:
    """The body may have none; where it has one, it counts."""
    url = "https://x.openai.azure.com/openai/deployments/d1/chat/completions?api-version=1"
    assert OPENAI_CHAT.read_request(b'{"messages":[]}', url).model == "d1"
    assert OPENAI_CHAT.read_request(b'{"model":"m","messages":[]}', url).model == "m"


def test_an_answer_may_be_spoken_thought_or_refused() -> None:
    """Each has a place of its own; a nameless old-style call beside an answer is none."""
    message = {
        "content": None,
        "audio": {"transcript": "hi"},
        "reasoning_content": "hm",
        "refusal": "",
        "function_call": {"name": "", "arguments": ""},
        "executed_tools": [{"type": "search", "arguments": '{"q":"x"}', "output": "found"}],
    }
    answer = OPENAI_CHAT.read_response(json.dumps({"choices": [{"message": message}]}).encode(), JSON_TYPE)
    assert (answer.text, answer.thinking, answer.refusal, answer.tool_calls) == ("hi", "hm", None, ())
    assert answer.server_calls == (WireCall(None, "search", {"q": "x"}, '{"q":"x"}', "found"),)


def test_a_custom_tool_takes_plain_text() -> None:
    """Its text is the argument `input`."""
    call = {"id": "c", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    body = json.dumps({"choices": [{"message": {"tool_calls": [call]}}]}).encode()
    (read,) = OPENAI_CHAT.read_response(body, JSON_TYPE).tool_calls
    assert (read.name, read.arguments) == ("sql", {"input": "select 1"})


def test_an_error_of_a_choice_is_told() -> None:
    """A router says there that the server behind it died; what came is kept."""
    died = {"message": {"content": "pa"}, "finish_reason": "error", "error": {"message": "upstream died"}}
    answer = OPENAI_CHAT.read_response(json.dumps({"choices": [died]}).encode(), "")
    assert (answer.text, answer.error) == ("pa", "upstream died")
    assert OPENAI_CHAT.read_response(b'{"choices":[{"message":{},"error":null}]}', "").error is None


def test_a_filtered_answer_says_so() -> None:
    """By its reason to stop, with what came before."""
    body = b'{"choices":[{"message":{"content":"so"},"finish_reason":"content_filter"}]}'
    answer = OPENAI_CHAT.read_response(body, JSON_TYPE)
    assert (answer.text, answer.finish_reason, answer.error) == ("so", "content_filter", None)


@pytest.mark.parametrize("name", ["chat", "chat_stream", "tool", "tool_stream", "truncated_length"])
def test_answers_of_a_real_server_are_read(name: str) -> None:
    """llama.cpp's own, whole and streamed."""
    answer = OPENAI_CHAT.read_response(*sample(name))
    assert (answer.model, answer.error, answer.broken) == ("qwen2.5-coder-1.5b", None, False)
    if name.startswith("tool"):
        assert [(call.name, call.arguments) for call in answer.tool_calls] == [
            ("fs_read", {"path": "/tmp/x.log"})
        ]
    else:
        assert answer.text
    assert answer.finish_reason in {"stop", "tool_calls", "length"}


@pytest.mark.parametrize(
    "name", ["err_404", "err_bad_json", "err_context_overflow", "err_no_messages", "ollama_tags"]
)
def test_errors_of_a_real_server_are_told(name: str) -> None:
    """In its own words."""
    body, content_type = sample(name)
    assert OPENAI_CHAT.read_response(body, content_type).error == json.loads(body)["error"]["message"]
