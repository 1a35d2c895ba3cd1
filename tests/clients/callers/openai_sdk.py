"""The openai SDK: chat and responses, over httpx2 and over aiohttp."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import kit
from tests.clients.callers.caller import KEY, Caller, Say, SayLater, station
from tests.clients.callers.conversation import SCHEMA, WEATHER, chat, drive, drive_async, responses
from tests.clients.stage import Stage

_OPENAI = "gpt-5-mini"
_TOOL = {"type": "function", "name": "weather", "parameters": SCHEMA}


def _as_sent(message: Any) -> dict[str, Any]:
    """A message of the openai SDK as it goes back: its stream helper adds what the API refuses."""
    sent: dict[str, Any] = {"role": "assistant", "content": message.content}
    if message.tool_calls:
        sent["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.function.name, "arguments": call.function.arguments},
            }
            for call in message.tool_calls
        ]
    return sent


def _openai_client(stage: Stage, kind: str, **options: Any) -> Any:
    import openai

    made: Any = getattr(openai, kind)
    return made(base_url=f"{stage.provider.url}/v1", api_key=KEY, **options)


def _openai_chat(stage: Stage, is_stream: bool) -> Say:
    client, weather = _openai_client(stage, "OpenAI"), kit.tool(station(stage))

    def ask(sent: list[Any]) -> Any:
        given = {"model": _OPENAI, "messages": sent, "tools": [WEATHER]}
        if not is_stream:
            return _as_sent(client.chat.completions.create(**given).choices[0].message)
        with client.chat.completions.stream(**given) as stream:
            return _as_sent(stream.get_final_completion().choices[0].message)

    return lambda question: drive(chat(question, weather), ask)


@asynccontextmanager
async def _openai_chat_async(
    stage: Stage, is_stream: bool, *, over_aiohttp: bool = False
) -> AsyncIterator[SayLater]:
    import openai

    options: dict[str, Any] = {"http_client": openai.DefaultAioHttpClient()} if over_aiohttp else {}
    weather = kit.tool(station(stage))
    async with _openai_client(stage, "AsyncOpenAI", **options) as client:

        async def ask(sent: list[Any]) -> Any:
            given = {"model": _OPENAI, "messages": sent, "tools": [WEATHER]}
            if not is_stream:
                return _as_sent((await client.chat.completions.create(**given)).choices[0].message)
            async with client.chat.completions.stream(**given) as stream:
                return _as_sent((await stream.get_final_completion()).choices[0].message)

        yield lambda question: drive_async(chat(question, weather), ask)


def _items(response: Any) -> list[dict[str, Any]]:
    kept = ("id", "type", "role", "status", "content", "call_id", "name", "arguments")
    found = (item.to_dict() for item in response.output)
    return [{name: value for name, value in item.items() if name in kept} for item in found]


def _openai_responses(stage: Stage, is_stream: bool) -> Say:
    client, weather = _openai_client(stage, "OpenAI"), kit.tool(station(stage))

    def ask(sent: list[Any]) -> Any:
        given = {"model": _OPENAI, "input": sent, "tools": [_TOOL]}
        if not is_stream:
            return _items(client.responses.create(**given))
        with client.responses.stream(**given) as stream:
            return _items(stream.get_final_response())

    return lambda question: drive(responses(question, weather), ask)


@asynccontextmanager
async def _openai_responses_async(stage: Stage, is_stream: bool) -> AsyncIterator[SayLater]:
    weather = kit.tool(station(stage))
    async with _openai_client(stage, "AsyncOpenAI") as client:

        async def ask(sent: list[Any]) -> Any:
            given = {"model": _OPENAI, "input": sent, "tools": [_TOOL]}
            if not is_stream:
                return _items(await client.responses.create(**given))
            async with client.responses.stream(**given) as stream:
                return _items(await stream.get_final_response())

        yield lambda question: drive_async(responses(question, weather), ask)


CALLERS = {
    "openai-chat": Caller(_openai_chat, _openai_chat_async),
    "openai-responses": Caller(_openai_responses, _openai_responses_async),
    "openai-aiohttp": Caller(opened=partial(_openai_chat_async, over_aiohttp=True)),
}
