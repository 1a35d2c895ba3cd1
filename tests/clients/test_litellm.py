"""litellm: completion, streams, tools and async, over openai, anthropic and its own httpx handlers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.clients.stage import Stage

litellm: Any = pytest.importorskip("litellm", reason="run `make test-clients`")

WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Tells the weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
ROADS: dict[str, Callable[[str], dict[str, Any]]] = {
    "openai": lambda url: {"model": "openai/gpt-5-mini", "api_base": f"{url}/v1"},
    "anthropic": lambda url: {"model": "anthropic/claude-sonnet-5", "api_base": url},
    "gemini": lambda url: {
        "model": "gemini/gemini-2.5-flash",
        "api_base": f"{url}/v1beta/models/gemini-2.5-flash",
    },
    "ollama": lambda url: {"model": "ollama_chat/qwen3:8b", "api_base": url},
    "bedrock": lambda url: {
        "model": "bedrock/converse/anthropic.claude-x",
        "aws_bedrock_runtime_endpoint": url,
    },
}


def _user(text: str) -> list[Any]:
    return [{"role": "user", "content": text}]


@pytest.fixture(params=ROADS)
def given(request: pytest.FixtureRequest, stage: Stage) -> dict[str, Any]:
    """How litellm is told of the provider, for each of the dialects it speaks."""
    options = ROADS[request.param](stage.provider.url)
    return options if "aws" in str(options) else options | {"api_key": "sk-kit-0123456789abcdef0123456789"}


def test_completion_and_stream(stage: Stage, given: dict[str, Any]) -> None:
    """In one piece and as a stream."""

    def program() -> list[Any]:
        whole = litellm.completion(messages=_user("hello"), **given)
        parts = litellm.completion(messages=_user("a b"), stream=True, **given)
        return [
            whole.choices[0].message.content,
            "".join(part.choices[0].delta.content or "" for part in parts),
        ]

    assert stage.both(program).output[1].startswith("You said a b")


def test_tools(stage: Stage, given: dict[str, Any]) -> None:
    """Tool calls, whose ids litellm makes up where the dialect has none."""

    def program() -> list[Any]:
        messages = _user("weather in both")
        message = litellm.completion(messages=messages, tools=[WEATHER], **given).choices[0].message
        messages.append(message.model_dump())
        for call in message.tool_calls:
            city = json.loads(call.function.arguments)["city"]
            messages.append(
                {"role": "tool", "tool_call_id": call.id, "name": "weather", "content": f"sunny in {city}"}
            )
        return [litellm.completion(messages=messages, tools=[WEATHER], **given).choices[0].message.content]

    assert stage.both(program).output == ["I was told: sunny in Paris / sunny in Rome"]


def test_tasks(stage: Stage, given: dict[str, Any]) -> None:
    """Async calls beside each other."""

    async def program() -> list[str]:
        async def ask(text: str) -> str:
            answer = await litellm.acompletion(messages=_user(text), **given)
            return str(answer.choices[0].message.content)

        return list(await asyncio.gather(*(ask(f"task {number}") for number in range(4))))

    assert len(stage.both(program).output) == 4
