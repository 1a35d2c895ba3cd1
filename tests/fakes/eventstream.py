"""Messages of an AWS event stream, made by hand."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any
from zlib import crc32


def framed(event: str, payload: bytes, *, kind: str = "event", before: bytes = b"") -> bytes:
    """One message with both checksums.

    Args:
        event: type of the event or exception.
        payload: what it carries.
        kind: `event` or `exception`.
        before: bytes in front of the header block.
    """
    headers = before + b"".join(
        bytes([len(name)]) + name + b"\7" + struct.pack("!H", len(value)) + value
        for name, value in (
            (f":{kind}-type".encode(), event.encode()),
            (b":content-type", b"application/json"),
            (b":message-type", kind.encode()),
        )
    )
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    checked = prelude + struct.pack("!I", crc32(prelude)) + headers + payload
    return checked + struct.pack("!I", crc32(checked))


def converse_stream(*events: tuple[str, dict[str, Any]]) -> bytes:
    """A body of `converse-stream`."""
    return b"".join(framed(name, json.dumps(event).encode()) for name, event in events)


def invoke_stream(*chunks: dict[str, Any]) -> bytes:
    """A body of `invoke-with-response-stream`: each chunk as base64 in an event of its own."""
    return b"".join(
        framed("chunk", json.dumps({"bytes": base64.b64encode(json.dumps(chunk).encode()).decode()}).encode())
        for chunk in chunks
    )


def sse(*events: Any, done: bool = False) -> bytes:
    """A body of server-sent events, each with its type where it names one."""
    lines = []
    for event in events:
        kind = event.get("type") if isinstance(event, dict) else None
        name = f"event: {kind}\n" if kind else ""
        lines.append(f"{name}data: {json.dumps(event)}\n\n")
    return ("".join(lines) + ("data: [DONE]\n\n" if done else "")).encode()
