"""Cohere's messages, answers and counts."""

from __future__ import annotations

from typing import Any

import pytest

from kit.wire.cohere_message import count, read_cohere, read_cohere_request
from kit.wire.dialect import WireMessage

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"x":1}'}}


def test_the_elder_version_tells_a_history_and_a_message() -> None:
    """Preamble, history, results of tools, then what the user says."""
    request = read_cohere_request(
        {
            "preamble": "be kind",
            "chat_history": [
                {"role": "USER", "message": "a"},
                {"role": "CHATBOT", "message": "b", "tool_calls": [{"name": "f", "parameters": {"x": 1}}]},
                {"role": "TOOL", "tool_results": [{"call": {"name": "f"}, "outputs": [{"y": 2}]}]},
            ],
            "tool_results": [{"call": {"name": "g"}, "outputs": [1]}],
            "message": "c",
            "temperature": 0,
        },
        "m",
    )
    assert [(message.role, message.text) for message in request.messages] == [
        ("system", "be kind"),
        ("user", "a"),
        ("assistant", "b"),
        ("tool", '[{"y":2}]'),
        ("tool", "[1]"),
        ("user", "c"),
    ]
    assert request.messages[2].calls[0].arguments == {"x": 1}
    assert request.messages[3].name == "f"
    assert request.parameters == {"temperature": 0}


def test_results_of_the_newer_version_are_messages_of_tools() -> None:
    """With the id of their call."""
    result = {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "y"}]}
    request = read_cohere_request({"messages": [result]}, None)
    assert request.messages == (WireMessage("tool", "y", call_id="c1"),)


def test_an_answer_of_either_version_is_read() -> None:
    """Thoughts and plans are not what was said."""
    message = {
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hi"}],
        "tool_calls": [CALL],
    }
    usage = {"billed_units": {"input_tokens": 1}, "tokens": {"input_tokens": 5, "output_tokens": 2}}
    newer = read_cohere({"message": message, "finish_reason": "TOOL_CALL", "usage": usage})
    assert (newer.text, newer.thinking, newer.finish_reason) == ("hi", "hm", "TOOL_CALL")
    assert [(call.id, call.arguments) for call in newer.tool_calls] == [("c1", {"x": 1})]
    assert (newer.prompt_tokens, newer.completion_tokens) == (5, 2)
    planned = read_cohere({"message": {"tool_plan": "I will", "tool_calls": [CALL]}})
    assert (planned.text, planned.thinking) == (None, "I will")
    elder = read_cohere({"text": "hi", "tool_calls": [{"name": "f", "parameters": {"x": 1}}]})
    assert (elder.text, elder.tool_calls[0].arguments) == ("hi", {"x": 1})


@pytest.mark.parametrize(
    ("answer", "tokens"),
    [
        ({"usage": {"tokens": {"input_tokens": 5.0}}}, 5),
        ({"meta": {"billed_units": {"input_tokens": 3}}}, 3),
        ({"usage": {"tokens": {"input_tokens": 1.5}}}, None),
        ({"usage": {"tokens": {"input_tokens": float("nan")}}}, None),
        ({"amazon-bedrock-invocationMetrics": {"inputTokenCount": 7}}, 7),
        ({}, None),
    ],
)
def test_tokens_are_counted_as_the_model_saw_them(answer: dict[str, Any], tokens: int | None) -> None:
    """Else as they are billed; a fraction is no count (X-05)."""
    assert count(answer, "input_tokens") == tokens


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({"id": "x", "message": "model not found"}, "model not found"),
        ({"detail": "no"}, "no"),
        ({}, "answer has no message"),
        ([], "answer has no message"),
    ],
)
def test_a_failure_tells_its_reason(value: Any, error: str) -> None:
    """An error's message is a text, an answer's an object."""
    assert read_cohere(value).error == error


def test_a_toxic_answer_is_a_refusal() -> None:
    """The filter has a reason of its own."""
    answer = read_cohere({"text": "", "finish_reason": "ERROR_TOXIC"})
    assert answer.refusal == "ERROR_TOXIC"
