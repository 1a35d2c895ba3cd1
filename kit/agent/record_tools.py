"""`kit.record_tools`: the one line that makes the tools of any agent a boundary of the recording."""

from __future__ import annotations

import importlib
from typing import Any, TypeVar

from kit.agent.frameworks.carrier import Replay, checked
from kit.agent.tool import tool

_Target = TypeVar("_Target")

_ADAPTERS = {
    "pydantic_ai": "kit.agent.frameworks.pydantic_ai",
    "langchain_core": "kit.agent.frameworks.langchain",
    "agents": "kit.agent.frameworks.openai_agents",
    "mcp": "kit.agent.frameworks.mcp_session",
}
"""By the top-level package in which an object's class, or one that it inherits from, is written."""


def record_tools(target: _Target, *, replay: Replay = "serve") -> _Target:
    """Record the tools of an agent, whatever framework it is made with; outside a run nothing changes.

    Args:
        target: an agent or a toolset of pydantic-ai; a tool of LangChain; an agent, a function tool or an MCP
            server of openai-agents; an MCP client or session; a plain function, as for `kit.tool`; or a
            list, a tuple or a dict of any of these.
        replay: `serve` gives the recorded result without running the tool, `execute` runs it again and
            reports a difference as tool drift.

    Returns:
        An object of a framework is changed in place and comes back itself; a plain function comes back
        wrapped, and a container anew.

    Raises:
        TypeError: it is none of these.
        ValueError: `replay` is neither `serve` nor `execute`.
    """
    recorded: _Target = _recorded(target, checked(replay))
    return recorded


def _recorded(given: Any, how: Replay) -> Any:
    if isinstance(given, list | tuple):
        return type(given)(_recorded(item, how) for item in given)
    if isinstance(given, dict):
        return type(given)({name: _recorded(item, how) for name, item in given.items()})
    for kind in type(given).__mro__:
        adapter = _ADAPTERS.get(kind.__module__.partition(".")[0])
        if adapter is not None:
            return importlib.import_module(adapter).record_tools(given, replay=how)
    if callable(given):
        return tool(given, replay=how)
    kind_name = f"{type(given).__module__}.{type(given).__qualname__}"
    raise TypeError(f"record_tools knows no tools of a {kind_name}: wrap their functions in kit.tool")
