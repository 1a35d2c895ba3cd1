"""OpenAI responses: JSON and SSE."""

from __future__ import annotations

import json
from typing import Any

from tests.clients.provider.mind import Asked, Said, fresh_id, text_of


def read(_path: str, body: dict[str, Any]) -> Asked:
    """The question of a request."""
    given = body["input"]
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    last_user = max(index for index, item in enumerate(items) if item.get("role") == "user")
    results = tuple(
        text_of(item["output"]) for item in items[last_user:] if item.get("type") == "function_call_output"
    )
    tools = tuple(tool["name"] for tool in body.get("tools") or () if tool["type"] == "function")
    said = text_of(items[last_user]["content"])
    return Asked(body["model"], said, results, tools, bool(body.get("stream")))


def whole(asked: Asked, said: Said) -> dict[str, Any]:
    """The answer in one piece."""
    return _response(asked, said, _items(said), fresh_id("resp_"), "completed")


def events(asked: Asked, said: Said) -> list[bytes]:
    """The answer as a stream."""
    identifier, items = fresh_id("resp_"), _items(said)
    told: list[dict[str, Any]] = [
        {"type": kind, "response": _response(asked, said, [], identifier, "in_progress")}
        for kind in ("response.created", "response.in_progress")
    ]
    for index, item in enumerate(items):
        told += _message(index, item, said) if item["type"] == "message" else _call(index, item)
    done = _response(asked, said, items, identifier, "completed")
    told.append({"type": "response.completed", "response": done})
    numbered = [event | {"sequence_number": number} for number, event in enumerate(told)]
    return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in numbered]


def _message(index: int, item: dict[str, Any], said: Said) -> list[dict[str, Any]]:
    place = {"item_id": item["id"], "output_index": index, "content_index": 0}
    empty = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    start = item | {"content": [], "status": "in_progress"}
    deltas = [
        {"type": "response.output_text.delta", "delta": piece, "logprobs": [], **place}
        for piece in said.pieces
    ]
    return [
        {"type": "response.output_item.added", "output_index": index, "item": start},
        {"type": "response.content_part.added", "part": empty, **place},
        *deltas,
        {"type": "response.output_text.done", "text": said.text, "logprobs": [], **place},
        {"type": "response.content_part.done", "part": item["content"][0], **place},
        {"type": "response.output_item.done", "output_index": index, "item": item},
    ]


def _call(index: int, item: dict[str, Any]) -> list[dict[str, Any]]:
    place = {"item_id": item["id"], "output_index": index}
    text = item["arguments"]
    start = item | {"arguments": "", "status": "in_progress"}
    deltas = [
        {"type": "response.function_call_arguments.delta", "delta": part, **place}
        for part in (text[:5], text[5:])
    ]
    return [
        {"type": "response.output_item.added", "output_index": index, "item": start},
        *deltas,
        {"type": "response.function_call_arguments.done", "arguments": text, "name": item["name"], **place},
        {"type": "response.output_item.done", "output_index": index, "item": item},
    ]


def _items(said: Said) -> list[dict[str, Any]]:
    if said.calls:
        return [
            {
                "id": fresh_id("fc_"),
                "type": "function_call",
                "status": "completed",
                "call_id": call.id,
                "name": call.name,
                "arguments": json.dumps(call.arguments),
            }
            for call in said.calls
        ]
    part = {"type": "output_text", "text": said.text, "annotations": [], "logprobs": []}
    message = {"id": fresh_id("msg_"), "type": "message", "role": "assistant", "status": "completed"}
    return [message | {"content": [part]}]


def _response(
    asked: Asked, said: Said, items: list[dict[str, Any]], identifier: str, status: str
) -> dict[str, Any]:
    heard, spoken = said.tokens
    usage = {
        "input_tokens": heard,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": spoken,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": heard + spoken,
    }
    return {
        "id": identifier,
        "object": "response",
        "created_at": 1795986631,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": asked.model,
        "output": items,
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": usage if status == "completed" else None,
    }
