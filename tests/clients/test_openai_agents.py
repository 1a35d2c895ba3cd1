"""openai-agents: runs, streams and handovers, and function tools that cross kit's boundary."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest

import kit
from tests.clients.stage import Stage

agents: Any = pytest.importorskip("agents", reason="run `make test-clients`")
openai: Any = pytest.importorskip("openai", reason="run `make test-clients`")


def _model(stage: Stage, api: str) -> Any:
    client = openai.AsyncOpenAI(base_url=f"{stage.provider.url}/v1", api_key="sk-kit-0123456789abcdef0123")
    kind = agents.OpenAIResponsesModel if api == "responses" else agents.OpenAIChatCompletionsModel
    return kind(model="gpt-5-mini", openai_client=client)


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("replay", ["serve", "execute"])
def test_tools(stage: Stage, api: str, replay: Literal["serve", "execute"]) -> None:
    """A tool with a side effect runs once in record; in replay never, or again where that is asked for."""

    async def program() -> list[str]:
        @agents.function_tool
        def weather(city: str) -> str:
            """Tells the weather of a city."""
            stage.effects.append(city)
            return f"sunny in {city}"

        agent = agents.Agent(
            name="Reporter", instructions="Be brief.", model=_model(stage, api), tools=[weather]
        )
        kit.record_tools(agent, replay=replay)
        result = await agents.Runner.run(agent, "weather in both")
        return [result.final_output]

    both = stage.both(program)
    assert both.output == ["I was told: sunny in Paris / sunny in Rome"]
    assert sorted(both.tools, key=str) == [("weather", {"city": "Paris"}), ("weather", {"city": "Rome"})]
    assert len(stage.effects) == (2 if replay == "serve" else 4)


def test_tool_that_fails(stage: Stage) -> None:
    """The SDK tells the model what went wrong; replay serves just that."""

    async def program() -> list[str]:
        @agents.function_tool
        async def weather(city: str) -> str:
            stage.effects.append(city)
            raise LookupError(f"no station in {city}")

        agent = agents.Agent(name="Reporter", model=_model(stage, "chat"), tools=kit.record_tools([weather]))
        return [(await agents.Runner.run(agent, "weather please")).final_output]

    both = stage.both(program)
    assert both.output[0].startswith("I was told: An error occurred while running the tool")
    assert stage.effects == ["Paris"]


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_stream_and_tasks(stage: Stage, api: str) -> None:
    """Streamed runs and runs beside each other."""

    async def program() -> list[str]:
        agent = agents.Agent(name="Speaker", model=_model(stage, api))
        streamed = agents.Runner.run_streamed(agent, "a b")
        kinds = [event.type async for event in streamed.stream_events()]
        runs = await asyncio.gather(*(agents.Runner.run(agent, f"task {number}") for number in range(4)))
        return [*kinds, streamed.final_output, *(run.final_output for run in runs)]

    assert "You said a b to gpt-5-mini" in stage.both(program).output


def test_run_sync(stage: Stage) -> None:
    """The plain way to run an agent."""

    def program() -> list[str]:
        agent = agents.Agent(name="Speaker", model=_model(stage, "chat"))
        return [agents.Runner.run_sync(agent, "hello").final_output]

    assert stage.both(program).output == ["You said hello to gpt-5-mini"]
