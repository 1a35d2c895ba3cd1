"""Anthropic messages: JSON and SSE."""

from __future__ import annotations

import json
from typing import Any

from tests.clients.provider.mind import Asked, Said, fresh_id, text_of


def read(_path: str, body: dict[str, Any]) -> Asked:
    """The question of a request."""
    messages = body["messages"]
    last = messages[-1]["content"]
    results = tuple(
        text_of(part["content"])
        for part in (last if isinstance(last, list) else ())
        if part["type"] == "tool_result"
    )
    users = [text_of(one["content"]) for one in messages if one["role"] == "user"]
    said = next((text for text in reversed(users) if text), "")
    tools = tuple(tool["name"] for tool in body.get("tools") or ())
    return Asked(body["model"], said, results, tools, bool(body.get("stream")))


def whole(asked: Asked, said: Said) -> dict[str, Any]:
    """The answer in one piece."""
    return _message(asked, said, _blocks(said), _reason(said))


def events(asked: Asked, said: Said) -> list[bytes]:
    """The answer as a stream."""
    told: list[dict[str, Any]] = [
        {"type": "message_start", "message": _message(asked, said, [], None)},
        {"type": "ping"},
    ]
    for index, block in enumerate(_blocks(said)):
        empty: dict[str, Any] = {"text": ""} if block["type"] == "text" else {"input": {}}
        start = block | empty
        told.append({"type": "content_block_start", "index": index, "content_block": start})
        if block["type"] == "text":
            deltas = [{"type": "text_delta", "text": piece} for piece in said.pieces]
        else:
            text = json.dumps(block["input"])
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in ("", text[:5], text[5:])]
        told += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        told.append({"type": "content_block_stop", "index": index})
    told += [
        {
            "type": "message_delta",
            "delta": {"stop_reason": _reason(said), "stop_sequence": None},
            "usage": {"output_tokens": said.tokens[1]},
        },
        {"type": "message_stop"},
    ]
    return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in told]


def _blocks(said: Said) -> list[dict[str, Any]]:
    if said.calls:
        return [
            {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
            for call in said.calls
        ]
    return [{"type": "text", "text": said.text}]


def _message(asked: Asked, said: Said, content: list[dict[str, Any]], reason: str | None) -> dict[str, Any]:
    return {
        "id": fresh_id("msg_"),
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": said.tokens[0], "output_tokens": said.tokens[1] if content else 1},
    }


def _reason(said: Said) -> str:
    return "tool_use" if said.calls else "end_turn"
