"""The openai SDK over its own transport (httpx2): chat, responses, streams, tools, retries."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.clients.stage import Stage

openai: Any = pytest.importorskip("openai", reason="run `make test-clients`")

MODEL = "gpt-5-mini"
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Tells the weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def _client(stage: Stage, kind: str = "OpenAI", **options: Any) -> Any:
    return getattr(openai, kind)(
        base_url=f"{stage.provider.url}/v1", api_key="sk-test-0123456789abcdef0123", **options
    )


def _user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def test_chat(stage: Stage) -> None:
    """A plain call, and a second one that continues it."""

    def program() -> list[str]:
        client = _client(stage)
        messages: list[dict[str, Any]] = _user("hello")
        told = []
        for _ in range(2):
            answer = client.chat.completions.create(model=MODEL, messages=messages)
            told += [answer.choices[0].message.content, answer.id, answer.usage.total_tokens]
            messages += [{"role": "assistant", "content": told[0]}, *_user("and again")]
        return told

    both = stage.both(program)
    assert [step.kind for step in both.trace.steps if step.kind == "model_call"] == ["model_call"] * 2
    assert both.trace.usage.prompt_tokens == 22
    assert "sk-test" not in both.text


def test_chat_raw_response(stage: Stage) -> None:
    """Headers that kit keeps and parsed bodies come back through `with_raw_response`."""

    def program() -> list[Any]:
        raw = _client(stage).chat.completions.with_raw_response.create(model=MODEL, messages=_user("raw"))
        return [raw.status_code, raw.headers["content-type"], raw.parse().choices[0].message.content]

    assert stage.both(program).output[0] == 200


@pytest.mark.parametrize("is_left", [False, True], ids=["whole", "left"])
def test_chat_stream(stage: Stage, is_left: bool) -> None:
    """Piece by piece, to the end or left after the first."""

    def program() -> list[str]:
        pieces = []
        with _client(stage).chat.completions.create(
            model=MODEL, messages=_user("a b c"), stream=True
        ) as stream:
            for event in stream:
                pieces.append(event.choices[0].delta.content if event.choices else "usage")
                if is_left and len(pieces) > 1:
                    break
        return pieces

    assert len(stage.both(program).output) == (2 if is_left else 10)


def test_stream_accumulated_by_the_sdk(stage: Stage) -> None:
    """The SDK's own stream helper, whose end is a parsed completion."""

    def program() -> list[str]:
        with _client(stage).chat.completions.stream(model=MODEL, messages=_user("x y")) as stream:
            for _ in stream:
                pass
            return [stream.get_final_completion().choices[0].message.content]

    assert "x y" in stage.both(program).output[0]


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "stream"])
def test_chat_tools(stage: Stage, is_stream: bool) -> None:
    """Parallel tool calls, whose ids come back in the next request and differ in every recording."""

    def ask(client: Any, messages: list[dict[str, Any]]) -> Any:
        given = {"model": MODEL, "messages": messages, "tools": [WEATHER]}
        if not is_stream:
            return client.chat.completions.create(**given).choices[0].message
        with client.chat.completions.stream(**given) as stream:
            return stream.get_final_completion().choices[0].message

    def program() -> list[Any]:
        client = _client(stage)
        messages: list[dict[str, Any]] = _user("weather in both")
        message = ask(client, messages)
        messages.append({"role": "assistant", "tool_calls": [call.to_dict() for call in message.tool_calls]})
        for call in message.tool_calls:
            city = json.loads(call.function.arguments)["city"]
            messages.append({"role": "tool", "tool_call_id": call.id, "content": f"sunny in {city}"})
        for said in messages[1]["tool_calls"]:
            said["function"].pop("parsed_arguments", None)
        return [ask(client, messages).content, [call.id for call in message.tool_calls]]

    both = stage.both(program)
    assert both.output[0] == "I was told: sunny in Paris / sunny in Rome"
    assert [step.name for step in both.trace.steps if step.kind == "tool_call"] == ["weather", "weather"]


@pytest.mark.parametrize(("text", "status"), [("busy", 429), ("broken", 500)])
def test_retries(stage: Stage, text: str, status: int) -> None:
    """The SDK's own retry after 429 with Retry-After, or 500, is recorded; replay does not wait."""

    def program() -> list[str]:
        answer = _client(stage, max_retries=2).chat.completions.create(model=MODEL, messages=_user(text))
        return [answer.choices[0].message.content]

    both = stage.both(program)
    assert both.statuses == [status, 200]


def test_error_reaches_the_program(stage: Stage) -> None:
    """An SDK's exception class, status and message are the same in replay."""

    def program() -> list[Any]:
        try:
            _client(stage, max_retries=0).chat.completions.create(model=MODEL, messages=_user("busy now"))
        except openai.RateLimitError as error:
            return [error.status_code, str(error)]
        return []

    assert stage.both(program).output[0] == 429


def test_async_tasks(stage: Stage) -> None:
    """Ten calls at once, answered in another order than they were asked."""

    async def program() -> list[str]:
        async with _client(stage, "AsyncOpenAI") as client:

            async def ask(text: str) -> str:
                answer = await client.chat.completions.create(model=MODEL, messages=_user(text))
                return f"{text}: {answer.choices[0].message.content} {answer.id}"

            texts = [f"{'slow' if number % 3 == 0 else 'fast'} {number}" for number in range(10)]
            done = [await one for one in asyncio.as_completed([ask(text) for text in texts])]
            return [*done, *await asyncio.gather(*(ask(f"again {text}") for text in texts))]

    assert len(stage.both(program).output) == 20


def test_equal_questions_in_tasks(stage: Stage) -> None:
    """The same question five times at once: five answers, each served once."""

    async def program() -> list[str]:
        async with _client(stage, "AsyncOpenAI") as client:

            async def ask() -> str:
                answer = await client.chat.completions.create(model=MODEL, messages=_user("same"))
                return str(answer.id)

            return sorted(await asyncio.gather(*(ask() for _ in range(5))))

    assert len(set(stage.both(program).output)) == 5


def test_threads(stage: Stage) -> None:
    """Ten calls in four threads that share one client."""

    def program() -> list[str]:
        client = _client(stage)

        def ask(text: str) -> str:
            answer = client.chat.completions.create(model=MODEL, messages=_user(text))
            return f"{answer.choices[0].message.content} {answer.id}"

        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(ask, [f"thread {number}" for number in range(10)]))

    assert len(stage.both(program).output) == 10


def test_async_stream_in_tasks(stage: Stage) -> None:
    """Streams that run beside each other."""

    async def program() -> list[list[str]]:
        async with _client(stage, "AsyncOpenAI") as client:

            async def ask(text: str) -> list[str]:
                stream = await client.chat.completions.create(model=MODEL, messages=_user(text), stream=True)
                return [event.choices[0].delta.content or "" async for event in stream if event.choices]

            return list(await asyncio.gather(*(ask(f"stream {number}") for number in range(4))))

    assert "".join(stage.both(program).output[3]) == f"You said stream 3 to {MODEL}"


def test_responses(stage: Stage) -> None:
    """The responses API in one piece."""

    def program() -> list[Any]:
        answer = _client(stage).responses.create(model=MODEL, input="hello there")
        return [answer.output_text, answer.id, answer.usage.total_tokens]

    both = stage.both(program)
    assert both.output[0] == f"You said hello there to {MODEL}"
    assert [step.kind for step in both.trace.steps] == ["model_call"]


def test_responses_stream(stage: Stage) -> None:
    """The responses API as events."""

    def program() -> list[Any]:
        with _client(stage).responses.stream(model=MODEL, input="hello there") as stream:
            kinds = [event.type for event in stream]
            return [*kinds, stream.get_final_response().output_text]

    assert stage.both(program).output[-1] == f"You said hello there to {MODEL}"


def test_responses_tools(stage: Stage) -> None:
    """Function calls of the responses API, sync and async beside each other."""
    tool = {"type": "function", "name": "weather", "parameters": WEATHER["function"]["parameters"]}  # type: ignore[index]

    async def program() -> list[Any]:
        async with _client(stage, "AsyncOpenAI") as client:
            given: list[Any] = _user("weather please")
            answer = await client.responses.create(model=MODEL, input=given, tools=[tool])
            for call in answer.output:
                given += [call.to_dict()]
                given += [{"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}]
            answer = await client.responses.create(model=MODEL, input=given, tools=[tool])
            return [answer.output_text]

    both = stage.both(program)
    assert both.output == ["I was told: sunny"]
    assert [step.name for step in both.trace.steps if step.kind == "tool_call"] == ["weather"]
