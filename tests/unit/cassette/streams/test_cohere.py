"""Events of Cohere's chat."""

from __future__ import annotations

from typing import Any

from tests.fakes.event_streams import Event, message_of, sse


def event(kind: str, index: int | None = None, **message: Any) -> Event:
    return {"type": kind, **({} if index is None else {"index": index}), "delta": {"message": message}}


def test_the_answer_in_one_piece() -> None:
    """Plan, calls, contents and citations, each in its place."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}}
    content = sse(
        {
            "type": "message-start",
            "id": "m1",
            "delta": {"message": {"role": "assistant", "content": [], "tool_calls": []}},
        },
        event("tool-plan-delta", tool_plan="I will "),
        event("tool-plan-delta", tool_plan="look."),
        event("tool-call-start", 0, tool_calls=call),
        event("tool-call-delta", 0, tool_calls={"function": {"arguments": '{"a"'}}),
        event("tool-call-delta", 0, tool_calls={"function": {"arguments": ":1}"}}),
        {"type": "tool-call-end", "index": 0},
        event("content-start", 0, content={"type": "text", "text": ""}),
        event("content-delta", 0, content={"text": "Pa"}),
        event("content-delta", 0, content={"text": "ris"}),
        {"type": "content-end", "index": 0},
        event("citation-start", 0, citations={"start": 0, "text": "Paris"}),
        {
            "type": "message-end",
            "delta": {"finish_reason": "COMPLETE", "usage": {"tokens": {"output_tokens": 3}}},
        },
    )
    assert message_of(content) == {
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": "Paris"}],
            "tool_calls": [{**call, "function": {"name": "look", "arguments": '{"a":1}'}}],
            "tool_plan": "I will look.",
            "citations": [{"start": 0, "text": "Paris"}],
        },
        "id": "m1",
        "finish_reason": "COMPLETE",
        "usage": {"tokens": {"output_tokens": 3}},
    }
