"""MCP: the tool calls of a client or of a session cross the boundary, over stdio or in the same process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from kit.agent.frameworks.carrier import Carrier, Replay, checked

_PACKAGES = ("mcp", "mcp_types")
_Session = TypeVar("_Session")


def record_tools(target: _Session, *, replay: Replay = "serve") -> _Session:
    """Record the tool calls of an MCP client, so that replay calls no tool of its server.

    A client that was given an address is left alone: its exchange over HTTP is recorded itself, and nobody
    has to listen in replay. For the same reason do not hand in a session that you opened over HTTP. Over
    stdio, or to a server in the same process, this keeps the tools from running again; the handshake and the
    listing of tools still happen, so the server's command must be declared harmless
    (`allow = ["run:my-server"]`).

    Args:
        target: an `mcp.Client` or an `mcp.ClientSession`; it is changed in place.
        replay: `serve` gives the recorded result without calling the tool, `execute` calls it again and
            reports a difference.

    Returns:
        `target`.

    Raises:
        TypeError: it calls no tools.
        ValueError: `replay` is neither `serve` nor `execute`.
    """
    how, session = checked(replay), _any(target)
    original = getattr(session, "call_tool", None)
    if original is None:
        raise TypeError(f"record_tools takes an MCP client or session, not a {type(target).__name__}")
    if getattr(original, "is_recorded", False) or speaks_http(session):
        return target

    async def call_tool(
        name: str, arguments: Mapping[str, Any] | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        carrier = Carrier(name, how, _PACKAGES)
        return await carrier.call_async(arguments or {}, lambda: original(name, arguments, *args, **kwargs))

    call_tool.is_recorded = True  # type: ignore[attr-defined]
    session.call_tool = call_tool
    return target


def speaks_http(client: Any) -> bool:
    """Whether an MCP client asks its server over HTTP: recorded twice, one of the two would be left over.

    Args:
        client: an `mcp.Client`, an `MCPServer` of openai-agents, or an `MCPToolset` of pydantic-ai.
    """
    params = getattr(client, "params", None)
    transport = getattr(getattr(client, "client", None), "transport", None)
    return (
        isinstance(getattr(client, "server", None), str)
        or (isinstance(params, Mapping) and "url" in params)
        or isinstance(getattr(transport, "url", None), str)
    )


def _any(value: Any) -> Any:
    return value
