"""pydantic-ai: every toolset of an agent crosses the boundary, functions and MCP servers alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from kit.agent.frameworks.carrier import Carrier, Replay, checked
from kit.agent.frameworks.mcp_session import speaks_http

_PACKAGES = ("pydantic_ai",)
_Target = TypeVar("_Target")


def record_tools(target: _Target, *, replay: Replay = "serve") -> _Target:
    """Record what the tools of an agent, or of one toolset, get and give.

    The agent is changed in place and works as before outside a run. Tools that are added to it later are
    recorded too. Toolsets that are handed to `run` are not the agent's: record them by themselves.

    Args:
        target: an `Agent` or any toolset.
        replay: `serve` gives the recorded result without running the tool, `execute` runs it again and
            reports a difference.

    Returns:
        `target`.

    Raises:
        TypeError: it is neither agent nor toolset.
        ValueError: `replay` is neither `serve` nor `execute`.
    """
    how = checked(replay)
    toolsets: Any = getattr(target, "toolsets", None)
    if toolsets is None and not hasattr(target, "call_tool"):
        raise TypeError(
            f"record_tools takes an agent or a toolset of pydantic-ai, not a {type(target).__name__}"
        )
    leaves: list[Any] = [target] if toolsets is None else [*toolsets]
    for toolset in leaves:
        toolset.apply(lambda leaf: _record(leaf, how))
    return target


def _record(toolset: Any, replay: Replay) -> None:
    original = toolset.call_tool
    if getattr(original, "is_recorded", False) or speaks_http(toolset):
        return
    failures = _failures()

    async def call_tool(name: str, tool_args: dict[str, Any], ctx: Any, tool: Any) -> Any:
        carrier = Carrier(name, replay, _PACKAGES, failures, _names(toolset, name))
        return await carrier.call_async(tool_args, lambda: original(name, tool_args, ctx, tool))

    call_tool.is_recorded = True  # type: ignore[attr-defined]
    toolset.call_tool = call_tool


def _failures() -> dict[str, Callable[[str], BaseException]]:
    """What a tool raises to speak to the framework."""
    from pydantic_ai import exceptions

    return {
        "ModelRetry": exceptions.ModelRetry,
        "ToolFailed": getattr(exceptions, "ToolFailed", exceptions.ModelRetry),
        "CallDeferred": lambda _: exceptions.CallDeferred(),
        "ApprovalRequired": lambda _: exceptions.ApprovalRequired(),
    }


def _names(toolset: Any, name: str) -> Mapping[str, Any]:
    tool = (
        getattr(toolset, "tools", {}).get(name) if isinstance(getattr(toolset, "tools", None), dict) else None
    )
    names: Mapping[str, Any] = getattr(getattr(tool, "function", None), "__globals__", {})
    return names
