"""pydantic-ai: agents over openai, anthropic and google, streams, and tools that cross kit's boundary."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import pytest

import kit
from tests.clients.stage import Stage

pydantic_ai: Any = pytest.importorskip("pydantic_ai", reason="run `make test-clients`")
KEY = "sk-kit-0123456789abcdef0123456789"


def _model(stage: Stage, dialect: str = "chat") -> Any:
    url = stage.provider.url
    if dialect == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel("claude-sonnet-5", provider=AnthropicProvider(api_key=KEY, base_url=url))
    if dialect == "google":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel("gemini-2.5-flash", provider=GoogleProvider(api_key=KEY, base_url=url))
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    kind = OpenAIResponsesModel if dialect == "responses" else OpenAIChatModel
    return kind("gpt-5-mini", provider=OpenAIProvider(base_url=f"{url}/v1", api_key=KEY))


@pytest.mark.parametrize("dialect", ["chat", "responses", "anthropic", "google"])
@pytest.mark.parametrize("replay", ["serve", "execute"])
def test_tools(stage: Stage, dialect: str, replay: Literal["serve", "execute"]) -> None:
    """A tool with a side effect runs once in record; in replay never, or again where that is asked for."""

    def program() -> list[Any]:
        agent = pydantic_ai.Agent(_model(stage, dialect), system_prompt="Be brief.")

        @agent.tool_plain
        def weather(city: str, days: int = 1) -> str:
            """Tells the weather of a city."""
            stage.effects.append(city)
            return f"sunny in {city}"

        kit.record_tools(agent, replay=replay)
        result = agent.run_sync("weather in both")
        return [result.output, result.usage.total_tokens]

    both = stage.both(program)
    assert both.output[0] == "I was told: sunny in Paris / sunny in Rome"
    assert both.tools == [("weather", {"city": city, "days": 1}) for city in ("Paris", "Rome")]
    assert sorted(stage.effects) == sorted(["Paris", "Rome"] * (1 if replay == "serve" else 2))  # in threads


def test_async_tool_with_context_and_retry(stage: Stage) -> None:
    """`RunContext` is no argument of the tool; `ModelRetry` is raised again in replay."""

    async def program() -> list[Any]:
        agent = pydantic_ai.Agent(_model(stage), deps_type=str)

        @agent.tool(retries=2)
        async def weather(ctx: pydantic_ai.RunContext[str], city: str) -> dict[str, Any]:
            stage.effects.append(f"{ctx.deps} {city}")
            if ctx.retry == 0 and city == "Rome":
                raise pydantic_ai.ModelRetry("ask again")
            return {"city": city, "degrees": [20, 21.5]}

        weather.__annotations__["ctx"] = pydantic_ai.RunContext[str]
        kit.record_tools(agent)
        result = await agent.run("weather in both", deps="secret deps")
        return [result.output]

    both = stage.both(program)
    assert '"degrees":[20,21.5]' in both.output[0]
    assert "ask again" in both.output[0]
    assert stage.effects == ["secret deps Paris", "secret deps Rome"]
    assert "secret deps" not in both.text


def test_result_with_an_image(stage: Stage) -> None:
    """What a tool returns in the framework's own classes comes back as such."""

    def program() -> list[Any]:
        agent = pydantic_ai.Agent(_model(stage))

        @agent.tool_plain
        def weather(city: str) -> Any:
            stage.effects.append(city)
            image = pydantic_ai.BinaryContent(b"\x89PNG\xff\x00", media_type="image/png")
            return pydantic_ai.ToolReturn(f"see {city}", content=["the picture", image], metadata={"n": 1})

        kit.record_tools(agent)
        result = agent.run_sync("weather please")
        returned = result.all_messages()[2].parts
        return [result.output, returned[0].metadata, returned[1].content[1].data.hex()]

    both = stage.both(program)
    assert both.output[1:] == [{"n": 1}, b"\x89PNG\xff\x00".hex()]
    assert stage.effects == ["Paris"]


def test_stream_tasks_and_threads(stage: Stage) -> None:
    """Streams, runs beside each other in tasks, and in threads."""

    async def tasks() -> list[str]:
        agent = pydantic_ai.Agent(_model(stage))
        async with agent.run_stream("a b") as streamed:
            told = [text async for text in streamed.stream_text(delta=True, debounce_by=None)]
        runs = await asyncio.gather(*(agent.run(f"task {number}") for number in range(4)))
        return told + [run.output for run in runs]

    def program() -> list[str]:
        told = asyncio.run(tasks())

        def ask(number: int) -> str:
            return str(pydantic_ai.Agent(_model(stage)).run_sync(f"thread {number}").output)

        with ThreadPoolExecutor(3) as pool:
            return told + list(pool.map(ask, range(5)))

    assert "".join(stage.both(program).output[:6]) == "You said a b to gpt-5-mini"
