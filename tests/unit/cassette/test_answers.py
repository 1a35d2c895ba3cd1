"""Messages inside answers."""

from __future__ import annotations

from typing import Any

import pytest

from kit.cassette.answers import messages_of

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
        ({"error": {"message": "no"}}, []),
        ({"choices": "odd"}, []),
        ([SAID], []),
    ],
)
def test_messages_are_found_in_the_shapes_of_the_dialects(answer: Any, messages: list[Any]) -> None:
    """A request can point at the message of any of them."""
    assert messages_of(answer) == messages
