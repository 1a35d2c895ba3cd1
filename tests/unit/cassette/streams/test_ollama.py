"""Lines of Ollama's own API."""

from __future__ import annotations

import json
from typing import Any

from tests.fakes.event_streams import message_of


def lines(*values: dict[str, Any]) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def test_chat() -> None:
    """Texts add up, and calls of later lines are further calls."""
    calls = [[{"function": {"name": name, "arguments": {"a": name}}}] for name in ("look", "listen")]
    told = [
        *({"role": "assistant", "content": "", "tool_calls": call} for call in calls),
        {"role": "assistant", "content": "Pa", "thinking": "Hm"},
    ]
    content = lines(
        *({"created_at": str(number), "message": one, "done": False} for number, one in enumerate(told)),
        {
            "created_at": "9",
            "message": {"role": "assistant", "content": "ris"},
            "done": True,
            "eval_count": 5,
        },
    )
    assert message_of(content) == {
        "created_at": "9",
        "message": {
            "role": "assistant",
            "content": "Paris",
            "tool_calls": [*calls[0], *calls[1]],
            "thinking": "Hm",
        },
        "done": True,
        "eval_count": 5,
    }


def test_generate() -> None:
    """A text without a message around."""
    assert message_of(lines({"response": "Pa", "done": False}, {"response": "ris", "done": True})) == {
        "response": "Paris",
        "done": True,
    }
