"""Bedrock converse and converse-stream, the latter in Amazon's binary event stream."""

from __future__ import annotations

import json
import re
import struct
import zlib
from typing import Any
from urllib.parse import unquote

from tests.clients.provider.mind import Asked, Said, text_of


def read(path: str, body: dict[str, Any]) -> Asked:
    """The question of a request; the model and whether it streams stand in the path."""
    found = re.search(r"/model/([^/]+)/(converse(?:-stream)?)", path)
    assert found is not None
    messages = body["messages"]
    results = tuple(
        text_of(part["toolResult"]["content"]) for part in messages[-1]["content"] if "toolResult" in part
    )
    users = [text_of(one["content"]) for one in messages if one["role"] == "user"]
    said = next((text for text in reversed(users) if text), "")
    tools = tuple(tool["toolSpec"]["name"] for tool in (body.get("toolConfig") or {}).get("tools") or ())
    return Asked(unquote(found[1]), said, results, tools, found[2] == "converse-stream")


def whole(_asked: Asked, said: Said) -> dict[str, Any]:
    """The answer in one piece."""
    return {
        "output": {"message": {"role": "assistant", "content": _blocks(said)}},
        "stopReason": _reason(said),
        "usage": _usage(said),
        "metrics": {"latencyMs": 321},
    }


def events(_asked: Asked, said: Said) -> list[bytes]:
    """The answer as a stream of binary messages."""
    told: list[tuple[str, dict[str, Any]]] = [("messageStart", {"role": "assistant"})]
    for index, block in enumerate(_blocks(said)):
        place = {"contentBlockIndex": index}
        if "toolUse" in block:
            use = block["toolUse"]
            start = {"toolUse": {"toolUseId": use["toolUseId"], "name": use["name"]}}
            told.append(("contentBlockStart", {"start": start, **place}))
            deltas: list[dict[str, Any]] = [{"toolUse": {"input": json.dumps(use["input"])}}]
        else:
            deltas = [{"text": piece} for piece in said.pieces]
        told += [("contentBlockDelta", {"delta": delta, **place}) for delta in deltas]
        told.append(("contentBlockStop", place))
    told.append(("messageStop", {"stopReason": _reason(said)}))
    told.append(("metadata", {"usage": _usage(said), "metrics": {"latencyMs": 321}}))
    return [_framed(kind, json.dumps(payload).encode()) for kind, payload in told]


def _framed(kind: str, payload: bytes) -> bytes:
    """One message of application/vnd.amazon.eventstream."""
    headers = b"".join(
        struct.pack("!B", len(name))
        + name.encode()
        + b"\x07"
        + struct.pack("!H", len(value))
        + value.encode()
        for name, value in (
            (":event-type", kind),
            (":content-type", "application/json"),
            (":message-type", "event"),
        )
    )
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    head = prelude + struct.pack("!I", zlib.crc32(prelude))
    message = head + headers + payload
    return message + struct.pack("!I", zlib.crc32(message))


def _blocks(said: Said) -> list[dict[str, Any]]:
    if said.calls:
        return [
            {"toolUse": {"toolUseId": call.id, "name": call.name, "input": call.arguments}}
            for call in said.calls
        ]
    return [{"text": said.text}]


def _reason(said: Said) -> str:
    return "tool_use" if said.calls else "end_turn"


def _usage(said: Said) -> dict[str, Any]:
    heard, spoken = said.tokens
    return {"inputTokens": heard, "outputTokens": spoken, "totalTokens": heard + spoken}
