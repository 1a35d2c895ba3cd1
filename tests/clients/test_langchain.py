"""langchain-openai, and tools of LangChain that cross kit's boundary."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import pytest

import kit
from tests.clients.stage import Stage

langchain_openai: Any = pytest.importorskip("langchain_openai", reason="run `make test-clients`")
core_tools: Any = pytest.importorskip("langchain_core.tools", reason="run `make test-clients`")


def _model(stage: Stage, **options: Any) -> Any:
    return langchain_openai.ChatOpenAI(
        model="gpt-5-mini", base_url=f"{stage.provider.url}/v1", api_key="sk-kit-0123456789abcdef", **options
    )


def _agent(model: Any, tools: list[Any], question: str) -> str:
    """The loop that every agent of LangChain comes down to."""
    bound, by_name = model.bind_tools(tools), {tool.name: tool for tool in tools}
    messages: list[Any] = [("user", question)]
    while True:
        answer = bound.invoke(messages)
        messages.append(answer)
        if not answer.tool_calls:
            return str(answer.text)
        messages += [by_name[call["name"]].invoke(call) for call in answer.tool_calls]


@pytest.mark.parametrize("use_responses_api", [False, True], ids=["chat", "responses"])
@pytest.mark.parametrize("replay", ["serve", "execute"])
def test_tools(stage: Stage, use_responses_api: bool, replay: Literal["serve", "execute"]) -> None:
    """A tool with a side effect runs once in record; in replay never, or again where that is asked for."""

    def program() -> list[str]:
        @core_tools.tool
        def weather(city: str, config: Any = None) -> str:
            """Tells the weather of a city."""
            stage.effects.append(city)
            return f"sunny in {city}"

        tools = kit.record_tools([weather], replay=replay)
        return [_agent(_model(stage, use_responses_api=use_responses_api), tools, "weather in both")]

    both = stage.both(program)
    assert both.output == ["I was told: sunny in Paris / sunny in Rome"]
    assert [name for name, _ in both.tools] == ["weather", "weather"]
    assert stage.effects == ["Paris", "Rome"] * (1 if replay == "serve" else 2)


@pytest.mark.parametrize("replay", ["serve", "execute"])
def test_kinds_of_tools(stage: Stage, replay: Literal["serve", "execute"]) -> None:
    """Async functions, subclasses, pairs with an artifact, and a tool's own error: each crosses once."""

    class Shout(core_tools.BaseTool):
        name: str = "shout"
        description: str = "Shouts."

        def _run(self, text: str) -> str:
            stage.effects.append(text)
            return text.upper()

    async def program() -> list[Any]:
        @core_tools.tool
        async def later(text: str) -> dict[str, Any]:
            """Comes later."""
            stage.effects.append(text)
            return {"text": text, "pair": (1, 2)}

        @core_tools.tool(response_format="content_and_artifact")
        def paired(text: str) -> tuple[str, Any]:
            """Gives an artifact too."""
            stage.effects.append(text)
            return text, {"raw": text}

        @core_tools.tool
        def failing(text: str) -> str:
            """Fails."""
            stage.effects.append(text)
            raise core_tools.ToolException(f"no {text}")

        kit.record_tools([later, paired, failing, shout := Shout()], replay=replay)
        failing.handle_tool_error = True
        message = await paired.ainvoke(
            {"type": "tool_call", "id": "1", "name": "paired", "args": {"text": "c"}}
        )
        told = await asyncio.gather(later.ainvoke({"text": "a"}), shout.ainvoke({"text": "b"}))
        return [
            *told,
            message.content,
            message.artifact,
            await failing.ainvoke({"text": "d"}),
            shout.invoke("e"),
        ]

    both = stage.both(program)
    assert [name for name, _ in both.tools] == ["paired", "later", "shout", "failing", "shout"]
    assert both.output[1:] == ["B", "c", {"raw": "c"}, "no d", "E"]
    assert len(stage.effects) == (5 if replay == "serve" else 10)


def test_stream_tasks_and_threads(stage: Stage) -> None:
    """Streams, batches in threads, and async calls beside each other."""

    async def tasks(model: Any) -> list[str]:
        pieces = [str(part.text) async for part in model.astream("a b")]
        answers = await asyncio.gather(*(model.ainvoke(f"task {number}") for number in range(4)))
        return ["".join(pieces), *(str(answer.text) for answer in answers)]

    def program() -> list[str]:
        model = _model(stage)
        told = ["".join(str(part.text) for part in model.stream("x y"))]
        told += [str(answer.text) for answer in model.batch([f"batch {number}" for number in range(4)])]
        with ThreadPoolExecutor(3) as pool:
            told += [str(answer.text) for answer in pool.map(model.invoke, [f"thread {n}" for n in range(4)])]
        return told + asyncio.run(tasks(model))

    assert stage.both(program).output[0] == "You said x y to gpt-5-mini"
