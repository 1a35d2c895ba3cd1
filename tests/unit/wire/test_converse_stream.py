"""Streams of converse events."""

from __future__ import annotations

from typing import Any

from kit.wire.converse_stream import Event, assemble_events
from kit.wire.dialect import ModelAnswer


def start(index: int, **block: Any) -> Event:
    """A block begins."""
    return ("contentBlockStart", {"contentBlockIndex": index, "start": block})


def grow(index: int, **delta: Any) -> Event:
    """A block grows."""
    return ("contentBlockDelta", {"contentBlockIndex": index, "delta": delta})


BEGIN: Event = ("messageStart", {"role": "assistant"})
END: list[Event] = [
    ("messageStop", {"stopReason": "tool_use"}),
    ("metadata", {"usage": {"inputTokens": 5, "outputTokens": 7}}),
]


def read(*events: Event) -> ModelAnswer:
    """The answer of some events."""
    return assemble_events(events)


def test_interleaved_blocks_are_put_together() -> None:
    """Two calls at once, a thought, a text; a call without input is one without parameters."""
    answer = read(
        BEGIN,
        grow(0, reasoningContent={"text": "hm"}),
        grow(0, reasoningContent={"signature": "s"}),
        start(2, toolUse={"toolUseId": "a", "name": "f"}),
        start(3, toolUse={"toolUseId": "b", "name": "g"}),
        grow(2, toolUse={"input": '{"x":'}),
        grow(1, text="Hi "),
        grow(2, toolUse={"input": "1}"}),
        grow(1, text="you"),
        *END,
    )
    assert (answer.text, answer.thinking) == ("Hi you", "hm")
    assert [(call.id, call.arguments) for call in answer.tool_calls] == [("a", {"x": 1}), ("b", {})]
    assert (answer.prompt_tokens, answer.completion_tokens, answer.broken) == (5, 7, False)


def test_what_the_server_ran_comes_in_pieces_too() -> None:
    """Its call and its result are blocks of the same answer."""
    answer = read(
        BEGIN,
        start(0, toolUse={"toolUseId": "s", "name": "code", "type": "server_tool_use"}),
        grow(0, toolUse={"input": '{"c":1}'}),
        start(1, toolResult={"toolUseId": "s", "status": "success"}),
        grow(1, toolResult=[{"json": {"out": 2}}]),
        *END,
    )
    assert [(call.arguments, call.result) for call in answer.server_calls] == [
        ({"c": 1}, '[{"json":{"out":2}}]')
    ]
    assert answer.tool_calls == ()


def test_a_stream_that_was_cut_is_broken() -> None:
    """What came stays, with what an exception tells."""
    answer = assemble_events([BEGIN, grow(0, text="so")], "throttlingException: slow")
    assert (answer.text, answer.broken, answer.error) == ("so", True, "throttlingException: slow")
    assert read().error == "stream holds no answer"
