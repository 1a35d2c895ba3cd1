"""google-genai: sync over httpx, async over httpx or aiohttp."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.clients.stage import Stage

genai: Any = pytest.importorskip("google.genai", reason="run `make test-clients`")

MODEL = "gemini-2.5-flash"


def weather(city: str) -> str:
    """Tells the weather of a city."""
    return f"sunny in {city}"


def _client(stage: Stage, **http: Any) -> Any:
    return genai.Client(
        api_key="AIzaSyKit0123456789abcdefghijklmnopqrstu",
        http_options={"base_url": stage.provider.url, **http},
    )


def test_generate_and_stream(stage: Stage) -> None:
    """In one piece and as a stream."""

    def program() -> list[Any]:
        client = _client(stage)
        whole = client.models.generate_content(model=MODEL, contents="hello")
        parts = client.models.generate_content_stream(model=MODEL, contents="a b")
        return [whole.text, whole.usage_metadata.total_token_count, [part.text for part in parts]]

    both = stage.both(program)
    assert both.output[2][:2] == ["You", " said"]
    assert both.trace.usage.prompt_tokens == 22
    assert "AIza" not in both.text


def test_automatic_function_calling(stage: Stage) -> None:
    """The SDK calls a Python function by itself and asks again."""

    def program() -> list[Any]:
        config = genai.types.GenerateContentConfig(tools=[weather])
        client = _client(stage)
        answer = client.models.generate_content(model=MODEL, contents="weather in both", config=config)
        return [answer.text]

    both = stage.both(program)
    assert both.output == ["I was told: sunny in Paris / sunny in Rome"]
    assert [step.name for step in both.trace.steps if step.kind == "tool_call"] == ["weather", "weather"]


def test_error(stage: Stage) -> None:
    """A 500 is the SDK's own exception, in replay too."""

    def program() -> list[Any]:
        client = _client(stage)
        try:
            client.models.generate_content(model=MODEL, contents="broken")
        except genai.errors.APIError as error:
            return [error.code]
        return []

    assert stage.both(program).output == [500]


@pytest.mark.parametrize("transport", ["httpx", "aiohttp"])
def test_tasks(stage: Stage, transport: str) -> None:
    """Async calls and streams beside each other, over both of its transports."""
    httpx: Any = pytest.importorskip("httpx")

    async def program() -> list[str]:
        http: dict[str, Any] = {}
        if transport == "httpx":
            http["async_client_args"] = {"transport": httpx.AsyncHTTPTransport()}
        client = _client(stage, **http)

        async def ask(text: str) -> str:
            return str((await client.aio.models.generate_content(model=MODEL, contents=text)).text)

        async def stream(text: str) -> str:
            parts = await client.aio.models.generate_content_stream(model=MODEL, contents=text)
            return "|".join([part.text async for part in parts])

        done = await asyncio.gather(
            *(ask(f"slow {number}") for number in range(3)),
            *(stream(f"task {number}") for number in range(3)),
        )
        await client.aio.aclose()
        return list(done)

    assert stage.both(program).output[3] == f"You| said| task| 0| to| {MODEL}"


def test_threads(stage: Stage) -> None:
    """A client shared by threads."""

    def program() -> list[str]:
        client = _client(stage)

        def ask(number: int) -> str:
            return str(client.models.generate_content(model=MODEL, contents=f"thread {number}").text)

        with ThreadPoolExecutor(3) as pool:
            return list(pool.map(ask, range(6)))

    assert len(stage.both(program).output) == 6
