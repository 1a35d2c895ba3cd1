"""Events of Bedrock's converse stream."""

from __future__ import annotations

import json

from tests.fakes.event_streams import CONVERSE, Event, edited, frame, message_of


def content(*events: tuple[str, Event]) -> bytes:
    """Frames as Bedrock sends them, padded."""
    return b"".join(
        frame(
            json.dumps({**event, "p": "abcdef"[: number % 6]}, separators=(",", ":")).encode(),
            (":event-type", name),
            (":content-type", "application/json"),
            (":message-type", "event"),
        )
        for number, (name, event) in enumerate(events)
    )


def test_the_answer_as_converse_gives_it() -> None:
    """Blocks by number, then the reason and the usage; the padding is nowhere."""
    assert message_of(content(*CONVERSE)) == {
        "output": {
            "message": {
                "role": "assistant",
                "content": [
                    {"reasoningContent": {"reasoningText": {"text": "I think", "signature": "c2ln" * 20}}},
                    {"text": "Paris"},
                    {"toolUse": {"toolUseId": "t1", "name": "look", "input": '{"a":1}'}},
                    {"toolResult": {"toolUseId": "t0", "content": [{"json": {"out": "x"}}]}},
                    {"citations": [{"title": "x"}, {"title": "y"}]},
                ],
            }
        },
        "stopReason": "tool_use",
        "usage": {"totalTokens": 7},
        "metrics": {"latencyMs": 9},
    }


def test_an_edit_gets_checksums_of_its_own() -> None:
    """The frames of the corrected text are frames again."""
    changed = edited(content(*CONVERSE), "Paris", "Berlin")
    assert message_of(changed)["output"]["message"]["content"][1] == {"text": "Berlin"}


def test_a_stream_that_broke() -> None:
    """The torn frame is kept in hex."""
    whole = content(*CONVERSE)
    assert message_of(whole[:-10])["output"]["message"]["content"][1] == {"text": "Paris"}
