"""The adapter for openai-agents, against objects of its shape; the SDK itself is in tests/clients."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kit.agent.frameworks.openai_agents import record_tools
from tests.fakes.crossings import twice

EFFECTS: list[str] = []


class Invoker:
    """An invoker with the SDK's hooks."""

    marker = "sync"

    def __init__(self, bound_to: Any = None) -> None:
        self.bound_to = bound_to

    def __agents_bind_function_tool__(self, tool: Any) -> Invoker:
        return Invoker(tool)

    async def __call__(self, ctx: Any, input: str) -> Any:  # noqa: A002 - the SDK's name
        """Has an effect."""
        EFFECTS.append(input)
        return f"{ctx} {json.loads(input or '{}')}"


class Server:
    """An MCP server."""

    async def call_tool(self, tool_name: str, arguments: Any, meta: Any = None) -> Any:
        """Has an effect."""
        EFFECTS.append(tool_name)
        return {"content": [tool_name, meta]}


def an_agent() -> Any:
    """An agent with a function tool, a hosted tool and a server."""
    function = SimpleNamespace(name="weather", on_invoke_tool=Invoker())
    return SimpleNamespace(tools=[function, SimpleNamespace(name="hosted")], mcp_servers=[Server()])


@pytest.fixture(autouse=True)
def no_effects() -> None:
    """Each test counts its own."""
    EFFECTS.clear()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copied_tool_crosses_too(tmp_path: Path, copied: Any) -> None:
    """Agents are copied to change a setting; the copy's invoker is one of its own."""

    async def program() -> Any:
        invoker = record_tools(an_agent()).tools[0].on_invoke_tool
        other = copied(invoker)
        assert other is not invoker
        assert other.marker == "sync"
        return await other("ctx", "{}")

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed == "ctx {}"
    assert [call[:2] for call in done.calls] == [("weather", {})]
    assert EFFECTS == ["{}"]


def test_function_tools_and_servers_cross(tmp_path: Path) -> None:
    """Arguments are recorded as the model spelt them; nothing runs in replay."""

    async def program() -> list[Any]:
        agent = record_tools(an_agent())
        told = [await agent.tools[0].on_invoke_tool("ctx", text) for text in ('{"city": "Paris"}', "")]
        return [*told, await agent.mcp_servers[0].call_tool("list", None, meta={"a": 1})]

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed
    assert [call[:2] for call in done.calls] == [
        ("weather", {"city": "Paris"}),
        ("weather", {}),
        ("list", {}),
    ]
    assert len(EFFECTS) == 3


def test_a_copy_of_the_tool_still_crosses(tmp_path: Path) -> None:
    """The SDK copies a tool and binds the invoker to the copy; its other marks shine through."""

    async def program() -> Any:
        tool = record_tools(an_agent().tools[0])
        copied = tool.on_invoke_tool.__agents_bind_function_tool__("copy")
        return [await copied("ctx", '["no object"]'), copied.bound_to, copied.marker]

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed == ["ctx ['no object']", "copy", "sync"]
    assert done.calls[0][1] == {"input": '["no object"]'}
    assert len(EFFECTS) == 1


def test_recording_twice_is_recording_once(tmp_path: Path) -> None:
    """An agent that is handed in again crosses one boundary, not two."""

    async def program() -> Any:
        agent = record_tools(record_tools(an_agent()))
        await agent.mcp_servers[0].call_tool("list", {})
        return await agent.tools[0].on_invoke_tool("ctx", "{}")

    assert len(twice(program, tmp_path).calls) == 2


def test_what_has_no_tools_is_refused() -> None:
    """The message says what is taken."""
    with pytest.raises(TypeError, match="not a object"):
        record_tools(object())
