"""The adapter for LangChain, against classes of its shape; the framework itself is in tests/clients."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from kit.agent.frameworks.langchain import record_tools
from tests.fakes.crossings import twice

EFFECTS: list[str] = []


class BaseTool:
    """What every tool is."""

    name = "weather"
    response_format = "content"
    tool_call_schema: Any = SimpleNamespace(model_fields={"city": None, "days": None})

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    async def _arun(self, *args: Any, **kwargs: Any) -> Any:
        return await asyncio.to_thread(self._run, *args, **kwargs)


class Weather(BaseTool):
    """A tool with a plain method only."""

    def _run(self, city: str, days: int = 1, config: Any = None) -> Any:
        EFFECTS.append(city)
        return (f"{days} days in {city}", {"raw": city})


class Later(Weather):
    """A tool with an async method of its own that falls back on the plain one."""

    async def _arun(self, *args: Any, **kwargs: Any) -> Any:
        return await super()._arun(*args, **kwargs)


@pytest.fixture(autouse=True)
def framework(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the adapter imports of the framework, and no effects yet."""
    EFFECTS.clear()
    tools: Any = ModuleType("langchain_core.tools")
    tools.BaseTool = BaseTool
    tools.ToolException = LookupError
    monkeypatch.setitem(sys.modules, "langchain_core", ModuleType("langchain_core"))
    monkeypatch.setitem(sys.modules, "langchain_core.tools", tools)


@pytest.mark.parametrize("kind", [Weather, Later])
def test_plain_and_async_calls_cross_once(kind: type[BaseTool], tmp_path: Path) -> None:
    """What the framework injects is no argument; a second adapter changes nothing."""

    async def program() -> list[Any]:
        tool = record_tools(record_tools(kind()))
        return [tool._run(city="Paris", config=object()), await tool._arun("Rome", days=2)]

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed
    assert [call[:2] for call in done.calls] == [
        ("weather", {"city": "Paris"}), ("weather", {"city": "Rome", "days": 2}),
    ]  # fmt: skip
    assert EFFECTS == ["Paris", "Rome"]


def test_a_pair_stays_a_pair(tmp_path: Path) -> None:
    """A tool that gives an artifact beside its content gives a tuple in replay too."""

    def program() -> Any:
        tool = Weather()
        tool.response_format = "content_and_artifact"
        tool.tool_call_schema = {"properties": {"city": {}}}
        return record_tools(tool)._run(city="Paris", days=3)

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed == ("3 days in Paris", {"raw": "Paris"})
    assert done.calls[0][1] == {"city": "Paris"}


def test_what_is_no_tool_is_refused() -> None:
    """The message says what is taken."""
    with pytest.raises(TypeError, match="takes a tool of LangChain, not a function"):
        record_tools(lambda: None)
