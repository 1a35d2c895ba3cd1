"""A request as rules see it, and an answer as a server sends it."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from kit.models.stub_completion import Completion, complete, conversation_of, stream_events
from kit.models.stub_script import Answer, Conversation, PlannedCall

TOOLS = [{"type": "function", "function": {"name": "fs_read"}}]
CALLS = [{"id": "c1", "type": "function", "function": {"name": "fs_read", "arguments": "{}"}}]


def build(answer: Answer, request: dict[str, Any] | None = None) -> Completion:
    """A completion with ids that count."""
    count = itertools.count(1)
    asked = request or {"messages": [{"role": "user", "content": "hi"}]}
    return complete("stub", asked, answer, lambda size: f"{next(count):0{size}d}")


def test_conversation_after_a_tool() -> None:
    """The last user message, the last result with its tool, and the model's turns since."""
    request = {
        "tools": TOOLS,
        "messages": [
            {"role": "system", "content": "be good"},
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": "done"},
            {"role": "user", "content": [{"type": "text", "text": "sec"}, {"type": "text", "text": "ond"}]},
            {"role": "assistant", "content": None, "tool_calls": CALLS},
            {"role": "tool", "tool_call_id": "c1", "content": "text"},
        ],
    }
    assert conversation_of(request) == Conversation(
        system="be good", user="second", result="text", result_of="fs_read", tools=("fs_read",), turn=1
    )


@pytest.mark.parametrize(
    ("messages", "wanted"),
    [
        ([], Conversation()),
        ([{"role": "user", "content": "a"}], Conversation(user="a")),
        ([{"role": "assistant", "content": "b"}], Conversation(turn=1)),
        ([{"role": "tool", "tool_call_id": "?", "content": "r"}], Conversation(result="r")),
    ],
)
def test_short_conversations(messages: list[dict[str, Any]], wanted: Conversation) -> None:
    """Whatever is missing is empty, and nothing crashes."""
    assert conversation_of({"messages": messages}) == wanted


def test_completion_of_a_text() -> None:
    """The shape of a real server's answer."""
    body = build(Answer(text="ciao")).body
    assert body["id"] == "chatcmpl-000000000001"
    assert body["model"] == "stub"
    assert body["choices"][0]["message"] == {"role": "assistant", "content": "ciao"}
    assert body["choices"][0]["finish_reason"] == "stop"


def test_completion_of_calls() -> None:
    """Arguments go out as JSON text, or as they stand where a script wants them broken."""
    calls = (PlannedCall(name="a", arguments={"è": 1}), PlannedCall(name="b", arguments='{"cut'))
    choice = build(Answer(tool_calls=calls)).body["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert [call["function"]["arguments"] for call in choice["message"]["tool_calls"]] == [
        '{"è": 1}',
        '{"cut',
    ]
    assert len({call["id"] for call in choice["message"]["tool_calls"]}) == 2


def test_a_script_may_say_the_finish_reason() -> None:
    """A cut answer is part of what agents meet."""
    assert build(Answer(text="x", finish_reason="length")).body["choices"][0]["finish_reason"] == "length"


def test_usage_counts_words_and_never_ids() -> None:
    """The same conversation costs the same, whatever ids it carries; more words cost more."""
    base = {"role": "tool", "tool_call_id": "a", "content": "text"}
    usages = [
        build(Answer(text="ok"), {"messages": [message]}).body["usage"]
        for message in (base, base | {"tool_call_id": "a" * 40}, base | {"content": "text" * 9})
    ]
    assert usages[0] == usages[1]
    assert usages[2]["prompt_tokens"] > usages[0]["prompt_tokens"]
    assert usages[0]["total_tokens"] == usages[0]["prompt_tokens"] + usages[0]["completion_tokens"]


@pytest.mark.parametrize("include_usage", [True, False])
def test_stream_is_the_completion_in_pieces(include_usage: bool) -> None:
    """Put together again, the events say what the whole answer says."""
    calls = (PlannedCall(name="fs_read", arguments={"path": "/tmp/some/long/name.log"}),)
    completion = build(Answer(text="Un momento, leggo il file.", tool_calls=calls))
    events = list(stream_events(completion, include_usage=include_usage))
    assert events[-1] == b"data: [DONE]\n\n"
    chunks = [json.loads(event.removeprefix(b"data: ")) for event in events[:-1]]
    assert {chunk["id"] for chunk in chunks} == {completion.body["id"]}
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks if chunk["choices"]]
    assert "".join(delta.get("content") or "" for delta in deltas) == "Un momento, leggo il file."
    parts = [delta["tool_calls"][0] for delta in deltas if "tool_calls" in delta]
    wanted = completion.body["choices"][0]["message"]["tool_calls"][0]
    assert (parts[0]["id"], parts[0]["function"]["name"]) == (wanted["id"], "fs_read")
    assert "".join(part["function"]["arguments"] for part in parts) == wanted["function"]["arguments"]
    reasons = [chunk["choices"][0]["finish_reason"] for chunk in chunks if chunk["choices"]]
    assert reasons[-1] == "tool_calls"
    assert not any(reasons[:-1])
    assert [chunk["usage"] for chunk in chunks if "usage" in chunk] == [
        completion.body["usage"]
    ] * include_usage
