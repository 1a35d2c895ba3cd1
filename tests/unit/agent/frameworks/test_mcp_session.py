"""The adapter for MCP sessions, against an object of their shape; the SDK itself is in tests/clients."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kit.agent.frameworks.mcp_session import record_tools, speaks_http
from tests.fakes.crossings import twice

EFFECTS: list[str] = []


class Session:
    """A session whose server has one tool."""

    async def call_tool(self, name: str, arguments: Any = None, timeout: float = 1.0) -> Any:
        """Has an effect."""
        EFFECTS.append(name)
        return {"content": [{"type": "text", "text": f"{name} {arguments} {timeout}"}]}


def test_calls_cross_and_the_server_is_not_asked_again(tmp_path: Path) -> None:
    """Name and arguments are recorded, other options go through; a second adapter changes nothing."""
    EFFECTS.clear()

    async def program() -> list[Any]:
        session = record_tools(record_tools(Session()))
        return [
            await session.call_tool("weather", {"city": "Paris"}, timeout=2.0),
            await session.call_tool("list"),
        ]

    done = twice(program, tmp_path)
    assert done.recorded == done.replayed
    assert [call[:2] for call in done.calls] == [("weather", {"city": "Paris"}), ("list", {})]
    assert EFFECTS == ["weather", "list"]


@pytest.mark.parametrize(
    "marks",
    [
        {"server": "http://localhost:8000/mcp"},
        {"params": {"url": "http://localhost:8000/mcp"}},
        {"client": SimpleNamespace(transport=SimpleNamespace(url="http://localhost:8000/mcp"))},
    ],
)
def test_a_client_over_http_is_left_alone(marks: dict[str, Any]) -> None:
    """Its exchange is recorded below it; recorded twice, one of the two would never be played."""
    session: Any = Session()
    vars(session).update(marks)
    assert speaks_http(session)
    assert "call_tool" not in vars(record_tools(session))
    assert not speaks_http(Session())


def test_what_calls_no_tools_is_refused() -> None:
    """The message says what is taken."""
    with pytest.raises(TypeError, match="takes an MCP client or session"):
        record_tools("session")
