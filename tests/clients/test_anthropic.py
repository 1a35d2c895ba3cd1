"""The anthropic SDK (httpx2): messages, streams, tools, retries."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.clients.stage import Stage

anthropic: Any = pytest.importorskip("anthropic", reason="run `make test-clients`")

GIVEN: dict[str, Any] = {"model": "claude-sonnet-5", "max_tokens": 200}
WEATHER = {
    "name": "weather",
    "description": "Tells the weather of a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def _client(stage: Stage, kind: str = "Anthropic", **options: Any) -> Any:
    return getattr(anthropic, kind)(base_url=stage.provider.url, api_key="sk-ant-0123456789abcdef", **options)


def _user(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}]


def test_messages(stage: Stage) -> None:
    """In one piece, with usage."""

    def program() -> list[Any]:
        answer = _client(stage).messages.create(messages=_user("hello"), system="Be brief.", **GIVEN)
        return [answer.content[0].text, answer.id, answer.usage.output_tokens]

    both = stage.both(program)
    assert both.trace.usage.completion_tokens == 7
    assert "sk-ant" not in both.text


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "stream"])
def test_tools(stage: Stage, is_stream: bool) -> None:
    """Parallel tool use, whose ids come back in the next request."""

    def ask(client: Any, messages: list[dict[str, Any]]) -> Any:
        given = {"messages": messages, "tools": [WEATHER], **GIVEN}
        if not is_stream:
            return client.messages.create(**given)
        with client.messages.stream(**given) as stream:
            return stream.get_final_message()

    def program() -> list[Any]:
        client = _client(stage)
        messages = _user("weather in both")
        answer = ask(client, messages)
        messages.append({"role": "assistant", "content": [block.to_dict() for block in answer.content]})
        told = [
            {"type": "tool_result", "tool_use_id": block.id, "content": f"sunny in {block.input['city']}"}
            for block in answer.content
        ]
        messages.append({"role": "user", "content": told})
        return [ask(client, messages).content[0].text, [block.id for block in answer.content]]

    both = stage.both(program)
    assert both.output[0] == "I was told: sunny in Paris / sunny in Rome"
    assert [step.name for step in both.trace.steps if step.kind == "tool_call"] == ["weather", "weather"]


@pytest.mark.parametrize(("text", "status"), [("busy", 429), ("broken", 500)])
def test_retries(stage: Stage, text: str, status: int) -> None:
    """The SDK's own retries are recorded."""

    def program() -> list[Any]:
        return [_client(stage).messages.create(messages=_user(text), **GIVEN).content[0].text]

    assert stage.both(program).statuses == [status, 200]


def test_streams_in_tasks_and_calls_in_threads(stage: Stage) -> None:
    """Async streams beside each other, then a client shared by threads."""

    async def stream(client: Any, number: int) -> str:
        async with client.messages.stream(messages=_user(f"task {number}"), **GIVEN) as answer:
            return "|".join([text async for text in answer.text_stream])

    async def tasks() -> list[str]:
        async with _client(stage, "AsyncAnthropic") as client:
            return list(await asyncio.gather(*(stream(client, number) for number in range(4))))

    def program() -> list[str]:
        told = asyncio.run(tasks())
        client = _client(stage)

        def ask(number: int) -> str:
            answer = client.messages.create(messages=_user(f"thread {number}"), **GIVEN)
            return f"{answer.content[0].text} {answer.id}"

        with ThreadPoolExecutor(3) as pool:
            return told + list(pool.map(ask, range(6)))

    assert stage.both(program).output[0] == "You| said| task| 0| to| claude-sonnet-5"


def test_raw_events(stage: Stage) -> None:
    """`stream=True` hands over the events as they come."""

    def program() -> list[str]:
        stream = _client(stage).messages.create(messages=_user("raw"), stream=True, **GIVEN)
        return [event.type for event in stream]

    assert stage.both(program).output[-1] == "message_stop"
