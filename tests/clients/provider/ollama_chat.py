"""Ollama's own /api/chat: JSON and NDJSON."""

from __future__ import annotations

import json
from typing import Any

from tests.clients.provider.mind import Asked, Said


def read(_path: str, body: dict[str, Any]) -> Asked:
    """The question of a request; without `stream: false` the answer is a stream."""
    messages = body["messages"]
    last_user = max(index for index, message in enumerate(messages) if message["role"] == "user")
    results = tuple(one["content"] for one in messages[last_user:] if one["role"] == "tool")
    tools = tuple(tool["function"]["name"] for tool in body.get("tools") or ())
    return Asked(
        body["model"], messages[last_user]["content"], results, tools, bool(body.get("stream", True))
    )


def whole(asked: Asked, said: Said) -> dict[str, Any]:
    """The answer in one piece."""
    return _line(asked, said.text, said) | _done(said)


def events(asked: Asked, said: Said) -> list[bytes]:
    """The answer as lines."""
    lines = [_line(asked, piece, None) for piece in said.pieces]
    if said.calls:
        lines = [_line(asked, "", said)]
    lines.append(_line(asked, "", None) | _done(said))
    return [json.dumps(line).encode() + b"\n" for line in lines]


def _line(asked: Asked, text: str, said: Said | None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if said is not None and said.calls:
        message["tool_calls"] = [
            {"function": {"index": index, "name": call.name, "arguments": call.arguments}}
            for index, call in enumerate(said.calls)
        ]
    return {
        "model": asked.model,
        "created_at": "2026-11-30T01:02:03.456789Z",
        "message": message,
        "done": False,
    }


def _done(said: Said) -> dict[str, Any]:
    heard, spoken = said.tokens
    return {
        "done": True,
        "done_reason": "stop",
        "total_duration": 123456789,
        "load_duration": 1234567,
        "prompt_eval_count": heard,
        "prompt_eval_duration": 2345678,
        "eval_count": spoken,
        "eval_duration": 3456789,
    }
