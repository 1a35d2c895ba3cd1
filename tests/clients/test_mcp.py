"""An MCP client over streamable HTTP (httpx2)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.stage import Stage

mcp: Any = pytest.importorskip("mcp", reason="run `make test-clients`")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_client(stage: Stage, mode: str) -> None:
    """Handshake, list and calls over HTTP: the tool runs once in record, never in replay."""

    async def program() -> list[Any]:
        async with mcp.Client(f"{stage.provider.url}/mcp", mode=mode) as client:
            listed = await client.list_tools()
            results = [await client.call_tool("weather", {"city": city}) for city in ("Paris", "Rome")]
            return [[tool.name for tool in listed.tools], *(result.content[0].text for result in results)]

    both = stage.both(program, lane="other")
    assert both.output == [["weather"], "sunny in Paris", "sunny in Rome"]
    assert stage.provider.called == ["Paris", "Rome"]
