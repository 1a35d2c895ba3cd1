"""MCP over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.mcp import MCP, ToolResult, is_tool_call, method_of, tool_calls, tool_result
from tests.fakes.eventstream import sse

JSON_TYPE = "application/json"
STREAM = "text/event-stream"


def rpc(method: str, number: int | None = 1, **params: Any) -> bytes:
    """A request of JSON-RPC; a notification where it has no number."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(message if number is None else {**message, "id": number}).encode()


def result(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A response with a result."""
    return {"jsonrpc": "2.0", "id": number, "result": fields}


def text(said: str) -> list[dict[str, str]]:
    """Content of one text."""
    return [{"type": "text", "text": said}]


CALL = rpc("tools/call", name="search", arguments={"q": "x"})


@pytest.mark.parametrize(
    ("method", "path", "body", "is_known"),
    [
        ("POST", "/mcp", rpc("initialize"), True),
        ("POST", "/any/where", rpc("tools/list"), True),
        ("POST", "/messages", rpc("notifications/initialized", None), True),
        ("POST", "/mcp", b'{"jsonrpc":"2.0","id":1,"result":{}}', True),
        ("POST", "/mcp", b"[" + rpc("tools/list") + b"]", True),
        ("GET", "/mcp/", b"", True),
        ("DELETE", "/v1/mcp", b"", True),
        ("POST", "/rpc", rpc("eth_blockNumber"), False),
        ("POST", "/rpc", b'{"jsonrpc":"1.0","method":"tools/list"}', False),
        ("POST", "/mcp", b"", False),
        ("POST", "/mcp", b'{"jsonrpc"', False),
        ("GET", "/sse", b"", False),
    ],
)
def test_a_message_is_known_by_its_method(method: str, path: str, body: bytes, is_known: bool) -> None:
    """JSON-RPC carries other things too, and a server may have any address."""
    assert MCP.recognises(method, path, body) is is_known


def test_a_tools_call_tells_name_arguments_and_result() -> None:
    """In one JSON object."""
    (call,) = tool_calls(CALL)
    assert (call.id, call.name, call.arguments) == ("1", "search", {"q": "x"})
    body = json.dumps(result(content=text("found"))).encode()
    assert tool_result(call, body, JSON_TYPE) == ToolResult("found")
    assert MCP.read_response(body, JSON_TYPE).text == "found"


def test_a_stream_carries_progress_before_the_result() -> None:
    """Notifications, requests of the server and keep-alives are passed over."""
    progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage"}
    body = b": ping\r\n\r\n" + sse(progress, asked, result(2), result(content=text("found")))
    (call,) = tool_calls(CALL)
    assert tool_result(call, body, STREAM) == ToolResult("found")


def test_structured_content_is_the_result() -> None:
    """Its text only repeats it, an object around it does not count; other content says what it is."""
    (call,) = tool_calls(CALL)
    body = json.dumps(result(content=text('{"n":1}'), structuredContent={"n": 1})).encode()
    assert tool_result(call, body, JSON_TYPE) == ToolResult({"n": 1})
    body = json.dumps(result(content=text("found"), structuredContent={"result": "found"})).encode()
    assert tool_result(call, body, JSON_TYPE) == ToolResult("found")
    content = [{"type": "image", "mimeType": "image/png"}, {"type": "resource", "resource": {"text": "r"}}]
    body = json.dumps(result(content=content)).encode()
    assert tool_result(call, body, JSON_TYPE) == ToolResult("(image/png)\nr")


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (result(isError=True, content=text("no such page")), "no such page"),
        (result(isError=True, content=[]), "the tool failed"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool"}}, "Unknown tool"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -1}}, '{"code":-1}'),
    ],
)
def test_a_tool_that_failed_says_why(answer: dict[str, Any], failure: str) -> None:
    """Whether the tool or the server failed."""
    (call,) = tool_calls(CALL)
    body = json.dumps(answer).encode()
    assert tool_result(call, body, JSON_TYPE) == ToolResult(None, failure)
    assert MCP.read_response(body, JSON_TYPE).error == failure


def test_an_answer_that_comes_another_way_is_not_there() -> None:
    """The elder transport accepts a call with 202 and answers on another connection."""
    (call,) = tool_calls(CALL)
    assert tool_result(call, b"", "") is None
    assert tool_result(call, b"Accepted", "text/plain") is None
    assert MCP.read_response(b"", "").error is None
    assert MCP.read_response(b"Accepted", "text/plain").error == "answer is no JSON-RPC: Accepted"


def test_a_batch_tells_all_its_calls() -> None:
    """Answered by a list, in any order."""
    batch = b"[" + CALL + b"," + rpc("tools/call", 2, name="read") + b"," + rpc("ping", 3) + b"]"
    first, second = tool_calls(batch)
    assert (second.name, second.arguments) == ("read", {})
    body = json.dumps([result(2, content=text("b")), result(1, content=text("a"))]).encode()
    assert tool_result(first, body, JSON_TYPE) == ToolResult("a")
    assert tool_result(second, body, JSON_TYPE) == ToolResult("b")
    assert MCP.read_request(batch).parameters == {"method": "tools/call, tools/call, ping"}


def test_a_request_is_told_by_its_method() -> None:
    """And its parameters."""
    assert MCP.read_request(rpc("tools/list", cursor="c")).parameters == {
        "method": "tools/list",
        "params": {"cursor": "c"},
    }
    assert MCP.read_request(b"{").error is not None
    assert MCP.read_request(b"").error is None
    assert method_of({"result": {}}) == "response"


def test_only_the_call_of_a_tool_is_one() -> None:
    """Not a list of tools, and not a text that speaks of one."""
    assert is_tool_call(CALL)
    assert is_tool_call(CALL.replace(b"tools/call", b"tools\\/call"))
    assert not is_tool_call(rpc("tools/list", note="tools/call"))


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, streamed: bool) -> None:
    """Whatever a client or a server sent."""
    for whole in (body, b'{"jsonrpc":' + body, CALL):
        MCP.recognises("POST", "/mcp", whole)
        MCP.read_request(whole)
        MCP.read_response(body, "", streamed=streamed)
        for call in tool_calls(whole):
            tool_result(call, body, "", streamed=streamed)
