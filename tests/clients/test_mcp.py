"""MCP clients: over streamable HTTP (httpx2), to a server in the same process, and through openai-agents."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import kit
from tests.clients.stage import Stage

mcp: Any = pytest.importorskip("mcp", reason="run `make test-clients`")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_client(stage: Stage, mode: str) -> None:
    """Handshake, list and calls over HTTP: the tool runs once in record, never in replay."""

    async def program() -> list[Any]:
        async with mcp.Client(f"{stage.provider.url}/mcp", mode=mode) as client:
            listed = await kit.record_tools(client).list_tools()
            results = [await client.call_tool("weather", {"city": city}) for city in ("Paris", "Rome")]
            return [[tool.name for tool in listed.tools], *(result.content[0].text for result in results)]

    both = stage.both(program, lane="other")
    assert both.output == [["weather"], "sunny in Paris", "sunny in Rome"]
    assert stage.provider.called == ["Paris", "Rome"]


@pytest.mark.parametrize("replay", ["serve", "execute"])
def test_tools_of_a_server_in_the_process(stage: Stage, replay: Literal["serve", "execute"]) -> None:
    """Without HTTP in between, `kit.record_tools` keeps a tool from running again."""
    mcpserver: Any = pytest.importorskip("mcp.server.mcpserver")

    async def program() -> list[Any]:
        server = mcpserver.MCPServer("station")

        @server.tool()
        def weather(city: str) -> dict[str, Any]:
            """Tells the weather of a city."""
            stage.effects.append(city)
            if city == "Rome":
                raise LookupError("no station there")
            return {"city": city, "degrees": 20}

        async with mcp.Client(server) as client:
            kit.record_tools(client, replay=replay)
            results = [await client.call_tool("weather", {"city": city}) for city in ("Paris", "Rome")]
            return [
                (type(one).__name__, one.is_error, one.structured_content, one.content[0].text)
                for one in results
            ]

    both = stage.both(program)
    assert [name for name, _ in both.tools] == ["weather", "weather"]
    assert both.output[0][:3] == ("CallToolResult", False, {"city": "Paris", "degrees": 20})
    assert both.output[1][1] is True
    assert stage.effects == ["Paris", "Rome"] * (1 if replay == "serve" else 2)


def test_server_of_openai_agents(stage: Stage) -> None:
    """An agent's MCP server over HTTP: recorded as HTTP, nobody listens in replay."""
    agents: Any = pytest.importorskip("agents", reason="run `make test-clients`")
    openai: Any = pytest.importorskip("openai", reason="run `make test-clients`")

    async def program() -> list[str]:
        client = openai.AsyncOpenAI(base_url=f"{stage.provider.url}/v1", api_key="sk-test")
        model = agents.OpenAIChatCompletionsModel(model="gpt-5-mini", openai_client=client)
        async with agents.mcp.MCPServerStreamableHttp(params={"url": f"{stage.provider.url}/mcp"}) as server:
            agent = kit.record_tools(agents.Agent(name="Reporter", model=model, mcp_servers=[server]))
            return [(await agents.Runner.run(agent, "weather in both")).final_output]

    both = stage.both(program)
    assert "sunny in Paris" in both.output[0]
    assert sorted(stage.provider.called) == ["Paris", "Rome"]
