"""OpenAI chat completions: JSON and SSE."""

from __future__ import annotations

import json
from typing import Any

from tests.clients.provider.mind import Asked, Said, fresh_id, text_of


def read(_path: str, body: dict[str, Any]) -> Asked:
    """The question of a request."""
    messages = body["messages"]
    last_user = max(index for index, message in enumerate(messages) if message["role"] == "user")
    results = tuple(text_of(one["content"]) for one in messages[last_user:] if one["role"] == "tool")
    tools = tuple(tool["function"]["name"] for tool in body.get("tools") or ())
    said = text_of(messages[last_user]["content"])
    return Asked(body["model"], said, results, tools, bool(body.get("stream")))


def whole(asked: Asked, said: Said) -> dict[str, Any]:
    """The answer in one piece."""
    message: dict[str, Any] = {"role": "assistant", "content": said.text or None, "refusal": None}
    if said.calls:
        message["tool_calls"] = [_call(call.id, call.name, call.arguments) for call in said.calls]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(said)}
    return _frame(asked, "chat.completion") | {"choices": [choice], "usage": _usage(said)}


def events(asked: Asked, said: Said) -> list[bytes]:
    """The answer as a stream."""
    frame = _frame(asked, "chat.completion.chunk")
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "" if said.text else None}]
    deltas += [{"content": piece} for piece in said.pieces if piece]
    for index, call in enumerate(said.calls):
        deltas.append({"tool_calls": [{"index": index, **_call(call.id, call.name, None)}]})
        text = json.dumps(call.arguments)
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": part}}]}
            for part in (text[:5], text[5:])
        ]
    chunks = [frame | {"choices": [_choice(delta, None)]} for delta in deltas]
    chunks.append(frame | {"choices": [_choice({}, _reason(said))]})
    chunks.append(frame | {"choices": [], "usage": _usage(said)})
    return [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks] + [b"data: [DONE]\n\n"]


def _frame(asked: Asked, kind: str) -> dict[str, Any]:
    return {"id": fresh_id("chatcmpl-"), "object": kind, "created": 1795986595, "model": asked.model}


def _choice(delta: dict[str, Any], reason: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": reason}


def _call(identifier: str, name: str, arguments: dict[str, Any] | None) -> dict[str, Any]:
    text = "" if arguments is None else json.dumps(arguments)
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": text}}


def _reason(said: Said) -> str:
    return "tool_calls" if said.calls else "stop"


def _usage(said: Said) -> dict[str, Any]:
    heard, spoken = said.tokens
    return {"prompt_tokens": heard, "completion_tokens": spoken, "total_tokens": heard + spoken}
