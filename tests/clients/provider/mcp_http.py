"""An MCP server over streamable HTTP (2025-06-18), with one tool that has a side effect."""

from __future__ import annotations

import json
from typing import Any

from tests.clients.provider.mind import fresh_id

VERSION = "2025-06-18"
TOOL = {
    "name": "weather",
    "description": "Tells the weather of a city.",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def answer(asked: dict[str, Any], called: list[str], more: str = "") -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body for one message; the cities asked for are added to `called`.

    Args:
        asked: the message.
        called: what the tool was called with so far.
        more: what the tool's text ends in.
    """
    if "id" not in asked:
        return 202, {}, b""
    method = asked.get("method")
    if method == "initialize":
        result: dict[str, Any] = {
            "protocolVersion": VERSION,
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": "loopback", "version": "1.0"},
        }
        return 200, {"mcp-session-id": fresh_id("session-")} | _JSON, _result(asked, result)
    if method == "tools/list":
        return 200, _JSON, _result(asked, {"tools": [TOOL]})
    if method == "tools/call":
        city = asked["params"]["arguments"]["city"]
        called.append(city)
        result = {"content": [{"type": "text", "text": f"sunny in {city}{more}"}], "isError": False}
        event = b"event: message\r\ndata: " + _result(asked, result) + b"\r\n\r\n"
        return 200, {"content-type": "text/event-stream"}, event
    error = {"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": f"no {method} here"}}
    return 200, _JSON, json.dumps(error).encode()


_JSON = {"content-type": "application/json"}


def _result(asked: dict[str, Any], result: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode()
