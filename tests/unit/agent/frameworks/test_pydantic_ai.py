"""The adapter for pydantic-ai, against objects of its shape; the framework itself is in tests/clients."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from kit.agent.frameworks.pydantic_ai import record_tools
from tests.fakes.crossings import twice

EFFECTS: list[str] = []


class ModelRetry(Exception):
    """As in the framework."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class OutOfPaper(Exception):
    """The tool's own."""


def weather(city: str) -> str:
    """The function behind the tool."""
    EFFECTS.append(city)
    if city == "Rome":
        raise ModelRetry("not there")
    if city == "Oslo":
        raise OutOfPaper("none left")
    return f"sunny in {city}"


class Toolset:
    """A leaf."""

    def __init__(self) -> None:
        self.tools = {"weather": SimpleNamespace(function=weather)}

    def apply(self, visitor: Any) -> None:
        """Visits the leaf."""
        visitor(self)

    async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: Any, tool: Any) -> Any:
        """Calls the function."""
        del ctx, tool
        return self.tools[name].function(**tool_args)


class Wrapper:
    """A toolset around another."""

    def __init__(self, wrapped: Toolset) -> None:
        self.wrapped = wrapped

    def apply(self, visitor: Any) -> None:
        """Visits the leaf within."""
        self.wrapped.apply(visitor)

    async def call_tool(self, *args: Any) -> Any:
        """Asks the toolset within."""
        return await self.wrapped.call_tool(*args)


@pytest.fixture(autouse=True)
def framework(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the adapter imports of the framework, and no effects yet."""
    EFFECTS.clear()
    package: Any = ModuleType("pydantic_ai")
    package.exceptions = SimpleNamespace(
        ModelRetry=ModelRetry, CallDeferred=RuntimeError, ApprovalRequired=RuntimeError
    )
    monkeypatch.setitem(sys.modules, "pydantic_ai", package)


def test_each_leaf_of_an_agent_crosses_once(tmp_path: Path) -> None:
    """Wrapped or not, handed in once or twice: one call is one interaction, and never runs in replay."""

    async def program() -> list[Any]:
        agent = SimpleNamespace(toolsets=[Toolset(), Wrapper(Toolset())])
        record_tools(record_tools(agent))
        ctx = object()
        return [await one.call_tool("weather", {"city": "Paris"}, ctx, None) for one in agent.toolsets]

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed == ["sunny in Paris"] * 2
    assert [call[:2] for call in done.calls] == [("weather", {"city": "Paris"})] * 2
    assert EFFECTS == ["Paris", "Paris"]


def test_exceptions_come_back_as_what_they_were(tmp_path: Path) -> None:
    """`ModelRetry` with its message, and an exception of the module in which the tool is written."""

    async def program() -> list[Any]:
        toolset = record_tools(Toolset())
        told: list[Any] = []
        for city in ("Rome", "Oslo"):
            try:
                await toolset.call_tool("weather", {"city": city}, None, None)
            except (ModelRetry, OutOfPaper) as error:
                told.append((type(error).__name__, getattr(error, "message", str(error))))
        return told

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed == [("ModelRetry", "not there"), ("OutOfPaper", "none left")]
    assert EFFECTS == ["Rome", "Oslo"]


def test_what_has_no_toolsets_is_refused() -> None:
    """The message says what is taken."""
    with pytest.raises(TypeError, match="takes an agent or a toolset of pydantic-ai, not a int"):
        record_tools(3)
