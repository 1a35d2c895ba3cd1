"""MCP over HTTP: JSON-RPC by POST, answered by one JSON object or by server-sent events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kit.wire.answer import is_event_stream, sse_values
from kit.wire.dialect import Kind, ModelAnswer, ModelRequest, WireCall
from kit.wire.json_text import excerpt, parse_json
from kit.wire.shape import as_object, compact, objects, text_or_none

_WORDS = ("initialize", "ping")
_TOPICS = (
    "tools/",
    "resources/",
    "prompts/",
    "notifications/",
    "completion/",
    "logging/",
    "sampling/",
    "roots/",
    "elicitation/",
    "tasks/",
    "server/",
)
_CALL = "tools/call"


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool on an MCP server gave back.

    Attributes:
        result: its structured content, else its text; None where it gave nothing or nobody saw it.
        failure: what went wrong, told by the tool or by the server; else None.
    """

    result: Any = None
    failure: str | None = None


class Mcp:
    """The dialect of MCP's streamable HTTP; also of the POSTs of its elder, whose answers come elsewhere."""

    name = "mcp"
    kind: Kind = "mcp"

    def recognises(self, method: str, path: str, body: bytes, /) -> bool:
        """By JSON-RPC with one of MCP's methods; to listen and to leave take no body, only `/mcp`."""
        if method.upper() == "POST":
            return b'"jsonrpc"' in body and any(_is_mcp(message) for message in _messages(body))
        return method.upper() in {"GET", "DELETE"} and path.rstrip("/").endswith("/mcp")

    def read_request(self, body: bytes, url: str = "") -> ModelRequest:  # noqa: ARG002 - no model is asked
        """The method and its parameters, as `parameters`; a batch tells its methods in order."""
        found = _messages(body)
        if not found:
            return ModelRequest(error=f"request is no JSON-RPC: {excerpt(body)}" if body.strip() else None)
        if len(found) > 1:
            return ModelRequest(parameters={"method": ", ".join(method_of(message) for message in found)})
        return ModelRequest(
            parameters={
                "method": method_of(found[0]),
                "params": found[0].get("params", found[0].get("result")),
            }
        )

    def read_response(self, body: bytes, content_type: str, *, streamed: bool = False) -> ModelAnswer:
        """The text of a result, or the error; an accepted notification is answered by nothing."""
        answers = _answers(body, content_type, streamed=streamed)
        failures = [failure for answer in answers if (failure := _failure(answer)) is not None]
        text = next((told for answer in answers if (told := _text(as_object(answer.get("result"))))), None)
        error = next(iter(failures), None)
        if body.strip() and not answers and not is_event_stream(body, content_type, streamed=streamed):
            error = f"answer is no JSON-RPC: {excerpt(body)}"
        return ModelAnswer(text=text, error=error)


MCP = Mcp()


def tool_calls(body: bytes) -> tuple[WireCall, ...]:
    """The calls of tools that a request makes; the id is JSON-RPC's, as text."""
    return tuple(_call(message) for message in _messages(body) if message.get("method") == _CALL)


def tool_result(
    call: WireCall, body: bytes, content_type: str, *, streamed: bool = False
) -> ToolResult | None:
    """What a call got, in the answer to the request that made it.

    Returns:
        None where the answer holds nothing for it: the elder transport answers elsewhere, a stream was cut.
    """
    answers = _answers(body, content_type, streamed=streamed)
    for answer in answers:
        if _id(answer) != call.id:
            continue
        failure = _failure(answer)
        result = as_object(answer.get("result"))
        return ToolResult(_told(result) if failure is None else None, failure)
    return None


def method_of(message: Mapping[str, Any]) -> str:
    """The method of a message; a response to the server has none."""
    return text_or_none(message.get("method")) or "response"


def is_tool_call(body: bytes) -> bool:
    """Whether a request calls a tool."""
    return b'"tools/call"' in body.replace(b"\\/", b"/") and bool(tool_calls(body))


def _is_mcp(message: Mapping[str, Any]) -> bool:
    method = message.get("method")
    if message.get("jsonrpc") != "2.0":
        return False
    if isinstance(method, str):
        return method in _WORDS or method.startswith(_TOPICS)
    return "id" in message and ("result" in message or "error" in message)


def _messages(body: bytes) -> list[dict[str, Any]]:
    try:
        value = parse_json(body)
    except ValueError:
        return []
    return objects(value if isinstance(value, list) else [value])


def _answers(body: bytes, content_type: str, *, streamed: bool) -> list[dict[str, Any]]:
    """The responses in an answer; a stream carries progress and requests of the server besides."""
    if is_event_stream(body, content_type, streamed=streamed):
        return [message for message in _streamed(body) if "method" not in message]
    return [message for message in _messages(body) if "result" in message or "error" in message]


def _streamed(body: bytes) -> Iterator[dict[str, Any]]:
    for value in sse_values(body):
        yield from objects(value if isinstance(value, list) else [value])


def _id(message: Mapping[str, Any]) -> str | None:
    found = message.get("id")
    return None if found is None else compact(found)


def _call(message: Mapping[str, Any]) -> WireCall:
    params = as_object(message.get("params"))
    arguments = params.get("arguments")
    known = arguments if isinstance(arguments, dict) else {}
    return WireCall(_id(message), text_or_none(params.get("name")) or "", known, compact(known))


def _failure(answer: Mapping[str, Any]) -> str | None:
    error = answer.get("error")
    if error is not None:
        return text_or_none(as_object(error).get("message")) or compact(error)
    result = as_object(answer.get("result"))
    return (_text(result) or "the tool failed") if result.get("isError") is True else None


def _told(result: Mapping[str, Any]) -> Any:
    """What a tool gave: structured, else text. FastMCP puts an object around what is none."""
    content = result.get("structuredContent")
    if content is None:
        return _text(result)
    return content["result"] if isinstance(content, dict) and list(content) == ["result"] else content


def _text(result: Mapping[str, Any]) -> str | None:
    """The text of a result's content; of other content what it is."""
    told = [
        text_or_none(part.get("text"))
        or text_or_none(as_object(part.get("resource")).get("text"))
        or f"({text_or_none(part.get('mimeType')) or text_or_none(part.get('type')) or 'content'})"
        for part in objects(result.get("content"))
    ]
    return "\n".join(told) or None
