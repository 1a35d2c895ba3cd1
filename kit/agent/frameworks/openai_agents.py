"""The OpenAI Agents SDK: function tools and MCP servers of an agent cross the boundary."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any, TypeVar

from kit.agent.frameworks.carrier import Carrier, Replay, checked
from kit.agent.frameworks.mcp_session import speaks_http

_PACKAGES = ("agents", "mcp", "mcp_types")
_Target = TypeVar("_Target")


def record_tools(target: _Target, *, replay: Replay = "serve") -> _Target:
    """Record what the tools of an agent, one function tool or one MCP server get and give.

    What is given is changed in place and works as before outside a run. Agents that it hands over to are
    agents of their own. Hosted tools run at the provider: they are part of the model's answer. An agent as a
    tool asks models itself: with `replay="execute"` its calls are recorded one by one.

    Args:
        target: an `Agent`, a `FunctionTool`, or an `MCPServer`.
        replay: `serve` gives the recorded result without running the tool, `execute` runs it again and
            reports a difference.

    Returns:
        `target`.

    Raises:
        TypeError: it is none of them.
        ValueError: `replay` is neither `serve` nor `execute`.
    """
    how, found = checked(replay), _tools_of(target)
    if found is None:
        raise TypeError(
            f"record_tools takes an agent or a tool of openai-agents, not a {type(target).__name__}"
        )
    for tool in found:
        if hasattr(tool, "on_invoke_tool"):
            _record_function(tool, how)
        elif hasattr(tool, "call_tool"):
            _record_server(tool, how)
    return target


def _tools_of(target: Any) -> list[Any] | None:
    if hasattr(target, "on_invoke_tool") or hasattr(target, "call_tool"):
        return [target]
    if not hasattr(target, "tools"):
        return None
    return [*target.tools, *getattr(target, "mcp_servers", ())]


def _record_function(tool: Any, replay: Replay) -> None:
    original = tool.on_invoke_tool
    if isinstance(original, _Invoker):
        return
    function = getattr(tool, "__wrapped__", None)
    carrier = Carrier(tool.name, replay, _PACKAGES, names=getattr(function, "__globals__", {}))
    tool.on_invoke_tool = _Invoker(original, carrier)


class _Invoker:
    """Stands for a function tool's invoker, with all that the SDK looks for on it."""

    def __init__(self, original: Any, carrier: Carrier) -> None:
        self._original = original
        self._carrier = carrier

    def __getattr__(self, name: str) -> Any:
        if name == "_original":  # not there yet: `copy` looks at what it has only begun to make
            raise AttributeError(name)
        return getattr(self._original, name)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Invoker:
        """An agent that is copied keeps its recording; the names that errors are looked up in are shared."""
        return _Invoker(copy.deepcopy(self._original, memo), self._carrier)

    def __agents_bind_function_tool__(self, function_tool: Any) -> _Invoker:
        """The SDK copies tools, and binds the invoker to the copy."""
        bind = getattr(self._original, "__agents_bind_function_tool__", None)
        return self if bind is None else _Invoker(bind(function_tool), self._carrier)

    async def __call__(self, ctx: Any, input: str) -> Any:  # noqa: A002 - the SDK's name for it
        return await self._carrier.call_async(_arguments(input), lambda: self._original(ctx, input))


def _arguments(text: str) -> dict[str, Any]:
    """The arguments as the model spelt them; what is no JSON object is kept as the text it is."""
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"input": text}


def _record_server(server: Any, replay: Replay) -> None:
    original = server.call_tool
    if getattr(original, "is_recorded", False) or speaks_http(server):
        return

    async def call_tool(
        tool_name: str, arguments: Mapping[str, Any] | None, *args: Any, **kwargs: Any
    ) -> Any:
        carrier = Carrier(tool_name, replay, _PACKAGES)
        return await carrier.call_async(
            arguments or {}, lambda: original(tool_name, arguments, *args, **kwargs)
        )

    call_tool.is_recorded = True  # type: ignore[attr-defined]
    server.call_tool = call_tool
