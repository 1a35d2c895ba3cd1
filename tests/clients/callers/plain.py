"""requests, urllib3 and aiohttp, asked by hand in OpenAI's chat dialect."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import kit
from tests.clients.callers.caller import Caller, Say, SayLater, station
from tests.clients.callers.conversation import WEATHER, added_up, chat, drive, drive_async
from tests.clients.stage import Stage


def _body(messages: list[Any], is_stream: bool) -> dict[str, Any]:
    return {"model": "gpt-5-mini", "messages": messages, "tools": [WEATHER], "stream": is_stream}


def _url(stage: Stage) -> str:
    return f"{stage.provider.url}/v1/chat/completions"


def _requests(stage: Stage, is_stream: bool) -> Say:
    import requests

    session, weather = requests.Session(), kit.tool(station(stage))

    def ask(messages: list[Any]) -> Any:
        given: Any = {"json": _body(messages, is_stream), "stream": is_stream, "timeout": 30}
        with session.post(_url(stage), **given) as answer:
            if is_stream:
                return added_up(answer.iter_lines(decode_unicode=True))
            return answer.json()["choices"][0]["message"]

    return lambda question: drive(chat(question, weather), ask)


def _urllib3(stage: Stage, is_stream: bool) -> Say:
    import urllib3

    pool, weather = urllib3.PoolManager(), kit.tool(station(stage))

    def ask(messages: list[Any]) -> Any:
        body = _body(messages, is_stream)
        answer = pool.request("POST", _url(stage), json=body, preload_content=not is_stream)
        if not is_stream:
            return answer.json()["choices"][0]["message"]
        text = b"".join(answer.stream(64)).decode()
        answer.release_conn()
        return added_up(text.splitlines())

    return lambda question: drive(chat(question, weather), ask)


@asynccontextmanager
async def _aiohttp(stage: Stage, is_stream: bool) -> AsyncIterator[SayLater]:
    import aiohttp

    weather = kit.tool(station(stage))
    async with aiohttp.ClientSession() as session:

        async def ask(messages: list[Any]) -> Any:
            async with session.post(_url(stage), json=_body(messages, is_stream)) as answer:
                if is_stream:
                    return added_up([line.decode() async for line in answer.content])
                return (await answer.json())["choices"][0]["message"]

        yield lambda question: drive_async(chat(question, weather), ask)


CALLERS = {
    "requests": Caller(plain=_requests),
    "urllib3": Caller(plain=_urllib3),
    "aiohttp": Caller(opened=_aiohttp),
}
