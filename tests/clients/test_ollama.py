"""The ollama client (httpx) against /api/chat: JSON, NDJSON, tools."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.clients.stage import Stage

ollama: Any = pytest.importorskip("ollama", reason="run `make test-clients`")

MODEL = "qwen3:8b"


def weather(city: str) -> str:
    """Tells the weather of a city.

    Args:
        city: its name.
    """
    return f"sunny in {city}"


def _user(text: str) -> list[Any]:
    return [{"role": "user", "content": text}]


def test_chat_and_stream(stage: Stage) -> None:
    """In one piece and as lines."""

    def program() -> list[Any]:
        client = ollama.Client(host=stage.provider.url)
        whole = client.chat(model=MODEL, messages=_user("hello"))
        pieces = [
            part.message.content for part in client.chat(model=MODEL, messages=_user("a b"), stream=True)
        ]
        return [whole.message.content, whole.eval_count, pieces]

    both = stage.both(program)
    assert both.output[2][:2] == ["You", " said"]
    assert both.trace.usage.prompt_tokens == 22


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "stream"])
def test_tools(stage: Stage, is_stream: bool) -> None:
    """Tool calls, which carry no ids here."""

    def program() -> list[Any]:
        client = ollama.Client(host=stage.provider.url)
        messages = _user("weather in both")
        answer = client.chat(model=MODEL, messages=messages, tools=[weather], stream=is_stream)
        messages += [part.message for part in (answer if is_stream else [answer]) if part.message.tool_calls]
        for call in messages[-1].tool_calls:
            messages.append(
                {"role": "tool", "tool_name": "weather", "content": weather(**call.function.arguments)}
            )
        return [client.chat(model=MODEL, messages=messages, tools=[weather]).message.content]

    both = stage.both(program)
    assert both.output == ["I was told: sunny in Paris / sunny in Rome"]
    assert [step.name for step in both.trace.steps if step.kind == "tool_call"] == ["weather", "weather"]


def test_error(stage: Stage) -> None:
    """A 500 is the client's own exception, in replay too."""

    def program() -> list[Any]:
        try:
            ollama.Client(host=stage.provider.url).chat(model=MODEL, messages=_user("broken"))
        except ollama.ResponseError as error:
            return [error.status_code, error.error]
        return []

    assert stage.both(program).output[0] == 500


def test_tasks_and_threads(stage: Stage) -> None:
    """Async calls beside each other, then threads."""

    async def tasks() -> list[str]:
        client = ollama.AsyncClient(host=stage.provider.url)

        async def ask(text: str) -> str:
            parts = await client.chat(model=MODEL, messages=_user(text), stream=True)
            return "".join([part.message.content async for part in parts])

        return list(await asyncio.gather(*(ask(f"task {number}") for number in range(4))))

    def program() -> list[str]:
        told = asyncio.run(tasks())
        client = ollama.Client(host=stage.provider.url)

        def ask(number: int) -> str:
            return str(client.chat(model=MODEL, messages=_user(f"thread {number}")).message.content)

        with ThreadPoolExecutor(3) as pool:
            return told + list(pool.map(ask, range(6)))

    assert len(stage.both(program).output) == 10
