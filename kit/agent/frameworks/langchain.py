"""LangChain and LangGraph: any `BaseTool` crosses the boundary, whichever agent calls it."""

# ruff: noqa: SLF001 - `_run` and `_arun` are what a LangChain tool is made of, and have no public name
from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, TypeVar

from kit.agent.frameworks.carrier import Carrier, Replay, checked

_PACKAGES = ("langchain_core", "langgraph")
_Tool = TypeVar("_Tool")


def record_tools(target: _Tool, *, replay: Replay = "serve") -> _Tool:
    """Record what a tool gets from the model and gives back; what the framework injects is no argument of it.

    The tool is changed in place and works as before outside a run.

    Args:
        target: a `BaseTool`, e.g. what `@tool` makes.
        replay: `serve` gives the recorded result without running the tool, `execute` runs it again and
            reports a difference.

    Returns:
        `target`.

    Raises:
        TypeError: it is no tool.
        ValueError: `replay` is neither `serve` nor `execute`.
    """
    from langchain_core.tools import BaseTool, ToolException

    how = checked(replay)
    if not isinstance(target, BaseTool):
        raise TypeError(f"record_tools takes a tool of LangChain, not a {type(target).__name__}")
    if "_run" in vars(target):
        return target
    is_pair = target.response_format == "content_and_artifact"
    function = getattr(target, "func", None) or getattr(target, "coroutine", None)
    carrier = Carrier(
        name=target.name,
        replay=how,
        packages=_PACKAGES,
        failures={"ToolException": ToolException},
        names=getattr(function or type(target)._run, "__globals__", {}),
        shape=tuple if is_pair else _same,
    )
    _record(target, carrier, BaseTool)
    return target


def _record(tool: Any, carrier: Carrier, base: Any) -> None:
    # The pair of methods that every subclass writes, and that `invoke`, `run`, agents and graphs all end in.
    run, run_async = tool._run, tool._arun

    @functools.wraps(run)
    def recorded(*args: Any, **kwargs: Any) -> Any:
        return carrier.call(_spoken(tool, args, kwargs), lambda: run(*args, **kwargs))

    @functools.wraps(run_async)
    async def recorded_async(*args: Any, **kwargs: Any) -> Any:
        return await carrier.call_async(_spoken(tool, args, kwargs), lambda: run_async(*args, **kwargs))

    # A pydantic model refuses attributes that are no fields of it.
    object.__setattr__(tool, "_run", recorded)
    if type(tool)._arun is not base._arun:
        object.__setattr__(tool, "_arun", recorded_async)


def _spoken(tool: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """What the model said: arguments of the tool's schema as models see it, and the text of an old tool."""
    schema = tool.tool_call_schema
    known = schema.get("properties", {}) if isinstance(schema, dict) else _fields(schema)
    spoken = {name: value for name, value in kwargs.items() if name in known}
    return spoken | dict(zip([name for name in known if name not in kwargs], args, strict=False))


def _fields(schema: Any) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = getattr(schema, "model_fields", None) or getattr(schema, "__fields__", {})
    return fields


def _same(value: Any) -> Any:
    return value
