"""Messages inside answers."""

from __future__ import annotations

from typing import Any

import pytest

from kit.cassette.answers import messages_of
from kit.cassette.marks import JsonNumber

SAID = {"role": "assistant", "content": "hi"}


@pytest.mark.parametrize(
    ("answer", "messages"),
    [
        ({"choices": [{"message": SAID}, {"message": SAID}]}, [SAID, SAID]),
        ({"choices": [{"delta": SAID}]}, [SAID]),
        ({"message": SAID, "done": True}, [SAID]),
        ({"output": [{"type": "reasoning"}, SAID]}, [{"type": "reasoning"}, SAID]),
        ({"candidates": [{"content": {"parts": []}}]}, [{"parts": []}]),
        ({"id": "msg", **SAID, "stop_reason": "end"}, [SAID]),
        ({"output": {"message": SAID}, "stopReason": "end_turn"}, [SAID]),
        ({"error": {"message": "no"}}, []),
        ({"choices": "odd"}, []),
        ([SAID], []),
    ],
)
def test_messages_are_found_in_the_shapes_of_the_dialects(answer: Any, messages: list[Any]) -> None:
    """A request can point at the message of any of them."""
    assert messages_of(answer) == messages


@pytest.mark.parametrize(
    ("block", "sent"),
    [
        ({"type": "tool_use", "id": "t", "input": '{"a": 1.50}'}, {"a": JsonNumber("1.50")}),
        ({"type": "tool_use", "id": "t", "input": "{broken"}, "{broken"),
        ({"type": "tool_use", "id": "t", "input": {}}, {}),
        ({"type": "text", "input": "{}"}, "{}"),
    ],
)
def test_a_streamed_call_is_sent_back_as_a_value(block: dict[str, Any], sent: Any) -> None:
    """Its input came in pieces of text; what is no JSON stays text."""
    (message,) = messages_of({"role": "assistant", "content": [block, 1]})
    assert message["content"] == [{**block, "input": sent}, 1]
    (message,) = messages_of({"output": {"message": {"role": "assistant", "content": [{"toolUse": block}]}}})
    told = message["content"][0]["toolUse"]["input"]
    assert told == (sent if block["type"] == "tool_use" or sent != "{}" else {})
