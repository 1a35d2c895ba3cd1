"""The SDKs of Anthropic, Ollama, Google and AWS, and litellm."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import kit
from tests.clients.callers.caller import KEY, Caller, Say, SayLater, station
from tests.clients.callers.conversation import (
    SCHEMA,
    WEATHER,
    chat,
    converse,
    drive,
    drive_async,
    messages,
)
from tests.clients.stage import Stage

_CLAUDE: dict[str, Any] = {
    "model": "claude-sonnet-5",
    "max_tokens": 200,
    "tools": [{"name": "weather", "description": "Tells the weather.", "input_schema": SCHEMA}],
}


def _blocks(message: Any) -> list[dict[str, Any]]:
    return [block.to_dict() for block in message.content]


def _anthropic(stage: Stage, is_stream: bool) -> Say:
    import anthropic

    client: Any = anthropic.Anthropic(base_url=stage.provider.url, api_key=KEY)
    weather = kit.tool(station(stage))

    def ask(sent: list[Any]) -> Any:
        if not is_stream:
            return _blocks(client.messages.create(messages=sent, **_CLAUDE))
        with client.messages.stream(messages=sent, **_CLAUDE) as stream:
            return _blocks(stream.get_final_message())

    return lambda question: drive(messages(question, weather), ask)


@asynccontextmanager
async def _anthropic_async(stage: Stage, is_stream: bool) -> AsyncIterator[SayLater]:
    import anthropic

    made: Any = anthropic.AsyncAnthropic
    weather = kit.tool(station(stage))
    async with made(base_url=stage.provider.url, api_key=KEY) as client:

        async def ask(sent: list[Any]) -> Any:
            if not is_stream:
                return _blocks(await client.messages.create(messages=sent, **_CLAUDE))
            async with client.messages.stream(messages=sent, **_CLAUDE) as stream:
                return _blocks(await stream.get_final_message())

        yield lambda question: drive_async(messages(question, weather), ask)


def _whole(parts: list[Any]) -> dict[str, Any]:
    """The message of Ollama's parts."""
    found = [part.message.model_dump(exclude_none=True) for part in parts]
    calls = [call for one in found for call in one.get("tool_calls", ())]
    text = "".join(one.get("content", "") for one in found)
    return {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}


def _ollama(stage: Stage, is_stream: bool) -> Say:
    import ollama

    client: Any = ollama.Client(host=stage.provider.url)
    weather = kit.tool(station(stage))

    def ask(sent: list[Any]) -> Any:
        answer = client.chat(model="qwen3:8b", messages=sent, tools=[WEATHER], stream=is_stream)
        return _whole(list(answer) if is_stream else [answer])

    return lambda question: drive(chat(question, weather), ask)


@asynccontextmanager
async def _ollama_async(stage: Stage, is_stream: bool) -> AsyncIterator[SayLater]:
    import ollama

    client: Any = ollama.AsyncClient(host=stage.provider.url)
    weather = kit.tool(station(stage))

    async def ask(sent: list[Any]) -> Any:
        answer = await client.chat(model="qwen3:8b", messages=sent, tools=[WEATHER], stream=is_stream)
        return _whole([part async for part in answer] if is_stream else [answer])

    yield lambda question: drive_async(chat(question, weather), ask)


def _google_client(stage: Stage, **http: Any) -> tuple[Any, dict[str, Any]]:
    from google import genai

    made: Any = genai.Client
    client = made(api_key=KEY, http_options={"base_url": stage.provider.url, **http})
    config = genai.types.GenerateContentConfig(tools=[kit.tool(station(stage))])
    return client, {"model": "gemini-2.5-flash", "config": config}


def _google(stage: Stage, is_stream: bool) -> Say:
    """The SDK calls the function by itself."""
    client, given = _google_client(stage)

    def say(question: str) -> str:
        if not is_stream:
            return str(client.models.generate_content(contents=question, **given).text)
        parts = client.models.generate_content_stream(contents=question, **given)
        return "".join(part.text or "" for part in parts)

    return say


@asynccontextmanager
async def _google_async(stage: Stage, is_stream: bool, *, over_httpx: bool) -> AsyncIterator[SayLater]:
    import httpx

    http = {"async_client_args": {"transport": httpx.AsyncHTTPTransport()}} if over_httpx else {}
    client, given = _google_client(stage, **http)

    async def say(question: str) -> str:
        if not is_stream:
            return str((await client.aio.models.generate_content(contents=question, **given)).text)
        parts = await client.aio.models.generate_content_stream(contents=question, **given)
        return "".join([part.text or "" async for part in parts])

    yield say
    await client.aio.aclose()


def _boto3(stage: Stage, is_stream: bool) -> Say:
    import boto3

    client: Any = boto3.client("bedrock-runtime", endpoint_url=stage.provider.url, region_name="us-east-1")
    weather = kit.tool(station(stage))
    tool = {"toolSpec": {"name": "weather", "inputSchema": {"json": SCHEMA}}}
    given: dict[str, Any] = {"modelId": "anthropic.claude-x", "toolConfig": {"tools": [tool]}}

    def ask(sent: list[Any]) -> Any:
        if is_stream:
            return _streamed_blocks(client.converse_stream(messages=sent, **given)["stream"])
        return client.converse(messages=sent, **given)["output"]["message"]["content"]

    return lambda question: drive(converse(question, weather), ask)


def _streamed_blocks(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks that Bedrock's events add up to."""
    found: list[dict[str, Any]] = []
    for event in events:
        if "contentBlockStart" in event:
            use = event["contentBlockStart"]["start"]["toolUse"]
            found.append({"toolUse": {**use, "input": {}}})
        for kind, delta in event.get("contentBlockDelta", {}).get("delta", {}).items():
            if kind == "toolUse":
                found[-1]["toolUse"]["input"] = json.loads(delta["input"])
            elif found:
                found[-1]["text"] += delta
            else:
                found.append({"text": delta})
    return found


def _roads(stage: Stage) -> dict[str, dict[str, Any]]:
    """How litellm is told of the provider, by the dialect that it shall speak."""
    url = stage.provider.url
    gemini = f"{url}/v1beta/models/gemini-2.5-flash"
    return {
        "openai": {"model": "openai/gpt-5-mini", "api_base": f"{url}/v1", "api_key": KEY},
        "anthropic": {"model": "anthropic/claude-sonnet-5", "api_base": url, "api_key": KEY},
        "gemini": {"model": "gemini/gemini-2.5-flash", "api_base": gemini, "api_key": KEY},
        "bedrock": {
            "model": "bedrock/converse/anthropic.claude-x",
            "aws_bedrock_runtime_endpoint": url,
        },
    }


def _litellm(stage: Stage, is_stream: bool, *, road: str) -> Say:
    import litellm

    given, weather = _roads(stage)[road] | {"tools": [WEATHER]}, kit.tool(station(stage))

    def ask(sent: list[Any]) -> Any:
        answer: Any = litellm.completion(messages=sent, stream=is_stream, **given)
        return _told(litellm.stream_chunk_builder(list(answer)) if is_stream else answer)

    return lambda question: drive(chat(question, weather), ask)


@asynccontextmanager
async def _litellm_async(stage: Stage, is_stream: bool, *, road: str) -> AsyncIterator[SayLater]:
    import litellm

    given, weather = _roads(stage)[road] | {"tools": [WEATHER]}, kit.tool(station(stage))

    async def ask(sent: list[Any]) -> Any:
        answer: Any = await litellm.acompletion(messages=sent, stream=is_stream, **given)
        return _told(litellm.stream_chunk_builder([part async for part in answer]) if is_stream else answer)

    yield lambda question: drive_async(chat(question, weather), ask)


def _told(answer: Any) -> dict[str, Any]:
    message = answer.choices[0].message
    told: dict[str, Any] = {"role": "assistant", "content": message.content}
    if message.tool_calls:
        told["tool_calls"] = [call.model_dump() for call in message.tool_calls]
    return told


CALLERS = {
    "anthropic": Caller(_anthropic, _anthropic_async),
    "ollama": Caller(_ollama, _ollama_async),
    "google": Caller(_google, partial(_google_async, over_httpx=True)),
    "google-aiohttp": Caller(opened=partial(_google_async, over_httpx=False)),
    "boto3": Caller(_boto3),
    **{
        f"litellm-{road}": Caller(
            partial(_litellm, road=road),
            partial(_litellm_async, road=road),
            has_loops=False,
        )
        for road in ("openai", "anthropic", "gemini", "bedrock")
    },
}
