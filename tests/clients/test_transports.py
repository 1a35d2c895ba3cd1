"""requests, urllib3, aiohttp and boto3, and the openai SDK over aiohttp."""

from __future__ import annotations

import asyncio
import base64
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.store import write
from kit.redaction.redactor import Redactor
from tests.clients.stage import HEADER, Stage
from tests.fakes.event_streams import EVENT, frame

MODEL = "gpt-5-mini"


def _body(text: str, **more: Any) -> dict[str, Any]:
    return {"model": MODEL, "messages": [{"role": "user", "content": text}], **more}


def _text(answer: Any) -> str:
    return f"{answer['choices'][0]['message']['content']} {answer['id']}"


def test_requests(stage: Stage) -> None:
    """Plain calls, a session's retries, a stream by lines, and threads that share a session."""
    requests: Any = pytest.importorskip("requests", reason="run `make test-clients`")
    retry: Any = pytest.importorskip("urllib3.util.retry")

    def program() -> list[Any]:
        url = f"{stage.provider.url}/v1/chat/completions"
        session = requests.Session()
        again = retry.Retry(total=2, status_forcelist=[429], allowed_methods=None, raise_on_status=False)
        session.mount("http://", requests.adapters.HTTPAdapter(max_retries=again))
        told = [_text(requests.post(url, json=_body("hello"), timeout=20).json())]
        told.append(_text(session.post(url, json=_body("busy"), timeout=20).json()))
        failed = requests.post(url, json=_body("broken"), timeout=20)
        told += [str(failed.status_code), failed.text]
        with session.post(url, json=_body("a b", stream=True), stream=True, timeout=20) as answer:
            told += [line.decode() for line in answer.iter_lines() if line]

        def ask(number: int) -> str:
            return _text(session.post(url, json=_body(f"thread {number}"), timeout=20).json())

        with ThreadPoolExecutor(8) as pool:
            return told + list(pool.map(ask, range(16)))

    both = stage.both(program)
    assert both.statuses[:4] == [200, 429, 200, 500]
    assert both.output[-1].startswith("You said thread 15")


def test_urllib3(stage: Stage) -> None:
    """The pool itself, its own retries, a stream, threads."""
    urllib3: Any = pytest.importorskip("urllib3", reason="run `make test-clients`")

    def program() -> list[Any]:
        pool, url = urllib3.PoolManager(), f"{stage.provider.url}/v1/chat/completions"
        told = [_text(pool.request("POST", url, json=_body("hello")).json())]
        again = urllib3.Retry(total=2, status_forcelist=[500], allowed_methods=None)
        told.append(_text(pool.request("POST", url, json=_body("broken"), retries=again).json()))
        answer = pool.request("POST", url, json=_body("a b", stream=True), preload_content=False)
        told += [piece.decode() for piece in answer.stream(64)]
        answer.release_conn()

        def ask(number: int) -> str:
            return _text(pool.request("POST", url, json=_body(f"thread {number}")).json())

        with ThreadPoolExecutor(4) as threads:
            return told + list(threads.map(ask, range(8)))

    assert "[DONE]" in "".join(stage.both(program).output)


def test_aiohttp(stage: Stage) -> None:
    """Calls in tasks answered in another order than asked, and a stream."""
    aiohttp: Any = pytest.importorskip("aiohttp", reason="run `make test-clients`")

    async def program() -> list[str]:
        url = f"{stage.provider.url}/v1/chat/completions"
        async with aiohttp.ClientSession() as session:

            async def ask(text: str) -> str:
                async with session.post(url, json=_body(text)) as answer:
                    return f"{text}: {_text(await answer.json())}"

            texts = [f"{'slow' if number % 3 == 0 else 'fast'} {number}" for number in range(8)]
            told = [await done for done in asyncio.as_completed([ask(text) for text in texts])]
            async with session.post(url, json=_body("broken")) as failed:
                told.append(f"{failed.status} {await failed.text()}")
            async with session.post(url, json=_body("a b", stream=True)) as answer:
                told += [line.decode() async for line in answer.content]
            return told

    assert "[DONE]" in "".join(stage.both(program).output)


@pytest.mark.parametrize("is_stream", [False, True], ids=["whole", "stream"])
def test_openai_over_aiohttp(stage: Stage, is_stream: bool) -> None:
    """The SDK with `DefaultAioHttpClient`: tasks, retries, streams."""
    openai: Any = pytest.importorskip("openai", reason="run `make test-clients`")

    async def program() -> list[str]:
        client = openai.AsyncOpenAI(
            base_url=f"{stage.provider.url}/v1", api_key="sk-test", http_client=openai.DefaultAioHttpClient()
        )
        async with client:

            async def ask(text: str) -> str:
                given = {"model": MODEL, "messages": [{"role": "user", "content": text}]}
                answer = await client.chat.completions.create(**given, stream=is_stream)
                if not is_stream:
                    return f"{answer.choices[0].message.content} {answer.id}"
                return "".join([part.choices[0].delta.content or "" async for part in answer if part.choices])

            told = list(await asyncio.gather(*(ask(f"task {number}") for number in range(4))))
            return [*told, await ask("busy")]

    both = stage.both(program)
    assert both.statuses[-2:] == [429, 200]


WEATHER = {
    "toolSpec": {
        "name": "weather",
        "inputSchema": {"json": {"type": "object", "properties": {"city": {"type": "string"}}}},
    }
}


def test_boto3_converse(stage: Stage) -> None:
    """Bedrock in one piece, as an event stream, with tools, and in threads."""
    boto3: Any = pytest.importorskip("boto3", reason="run `make test-clients`")

    def program() -> list[Any]:
        client = boto3.client("bedrock-runtime", endpoint_url=stage.provider.url, region_name="us-east-1")
        given: dict[str, Any] = {"modelId": "anthropic.claude-x", "toolConfig": {"tools": [WEATHER]}}

        def ask(text: str) -> dict[str, Any]:
            message = {"role": "user", "content": [{"text": text}]}
            answer: dict[str, Any] = client.converse(messages=[message], **given)
            return answer

        told: list[Any] = [ask("hello")["output"]["message"]["content"][0]["text"]]
        question = {"role": "user", "content": [{"text": "weather in both"}]}
        events = client.converse_stream(messages=[question], **given)["stream"]
        told += [json.dumps(event) for event in events]
        call = ask("weather in both")["output"]["message"]
        results = [
            {"toolResult": {"toolUseId": block["toolUse"]["toolUseId"], "content": [{"text": "sunny"}]}}
            for block in call["content"]
        ]
        messages = [question, call, {"role": "user", "content": results}]
        told.append(client.converse(messages=messages, **given)["output"]["message"]["content"][0]["text"])
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(ask, [f"thread {number}" for number in range(8)]))
        return told + [answer["output"]["message"]["content"][0]["text"] for answer in answers]

    both = stage.both(program)
    assert "I was told: sunny / sunny" in both.output
    assert "AKIDKITKITKITKIT" not in both.text


def test_boto3_reads_masked_frames(stage: Stage) -> None:
    """A secret in pieces is nowhere in the cassette, and botocore's parser takes the frames."""
    boto3: Any = pytest.importorskip("boto3", reason="run `make test-clients`")
    secret = "abcdef0123456789"

    def program() -> list[str]:
        client = boto3.client("bedrock-runtime", endpoint_url=stage.provider.url, region_name="us-east-1")
        question = {"role": "user", "content": [{"text": f"take Bearer {secret} please"}]}
        events = client.converse_stream(messages=[question], modelId="anthropic.claude-x")["stream"]
        deltas = [event["contentBlockDelta"] for event in events if "contentBlockDelta" in event]
        return [delta["delta"]["text"] for delta in deltas]

    output, recorded = stage.record(program)
    assert secret in "".join(output)
    path = stage.folder / "cassette.yaml"
    write(path, Cassette(HEADER, recorded.interactions))
    assert secret not in path.read_text("utf-8")
    stage.provider.die()
    for _ in range(2):
        again, replayed = stage.replay(program, path)
        assert "".join(again) == "".join(output).replace(secret, "<secret-1>")
        assert len(again) == len(output)
        assert not replayed.misses


def test_botocore_reads_masked_events_of_other_apis() -> None:
    """Lengths and checksums of frames around base64 are right, and so are headers."""
    eventstream: Any = pytest.importorskip("botocore.eventstream", reason="run `make test-clients`")
    inner = base64.b64encode(b'{"type":"x","text":"sk-abcdefgh123456"}').decode()
    body = frame(f'{{"bytes":"{inner}"}}'.encode(), EVENT, (":api-key", "hunter2"))
    buffer = eventstream.EventStreamBuffer()
    buffer.add_data(Redactor().body(body, "application/vnd.amazon.eventstream", is_answer=True))
    (event,) = list(buffer)
    assert event.headers == {":event-type": "chunk", ":api-key": "<secret-1>"}
    assert base64.b64decode(json.loads(event.payload)["bytes"]) == b'{"type":"x","text":"<secret-2>"}'
