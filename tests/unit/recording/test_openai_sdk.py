"""An unchanged program on the openai SDK, whose client is httpx2."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openai
import pytest

from kit.recording.options import SessionResult
from tests.fakes.model_server import DONE, Answer, completion, delta, in_turn, reply, serving, stream, zipped
from tests.fakes.runs import recording, replaying, run

ASKED: Any = [{"role": "user", "content": "what is up?"}]
CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "look", "arguments": json.dumps({"where": "here"})},
}
TOOLS: Any = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]


def both(folder: Path, answer: Answer, program: Callable[[str], Any]) -> tuple[Any, SessionResult]:
    """What the program saw when recorded; checks that the replay, without a server, saw the same."""
    with serving(v1_chat_completions=answer) as server:
        url = f"{server.url}/v1"
        seen, recorded = run(recording(folder), lambda: program(url))
    again, result = run(replaying(folder, recorded.interactions), lambda: program(url))
    assert again == seen
    assert not (result.misses or result.leftovers or result.side_effects or result.escapes)
    assert (result.live_requests, result.ended_ms) == (0, recorded.ended_ms)
    assert recorded.escapes == ()
    assert {item.lane for item in recorded.interactions} == {"model"}
    return seen, recorded


def client(url: str, **given: Any) -> openai.OpenAI:
    """A client as a program makes it."""
    return openai.OpenAI(base_url=url, api_key="s3cret", **given)


def test_chat(tmp_path: Path) -> None:
    """One question, one answer, gzipped; the key reaches no recording."""

    def program(url: str) -> Any:
        with client(url) as ask:
            answer = ask.chat.completions.create(model="stub", messages=ASKED)
        return answer.choices[0].message.content, answer.usage, time.time()

    seen, recorded = both(tmp_path, zipped(completion("fine")), program)
    assert seen[0] == "fine"
    assert "s3cret" not in repr(recorded.interactions[0].request.headers)  # type: ignore[union-attr]


def test_a_stream(tmp_path: Path) -> None:
    """The SDK closes the stream at its end mark, which is no failure."""

    def program(url: str) -> Any:
        with client(url) as ask:
            pieces = ask.chat.completions.create(model="stub", messages=ASKED, stream=True)
            return [piece.choices[0].delta.content for piece in pieces], time.time()

    seen, recorded = both(tmp_path, stream(delta("a"), delta("b"), DONE), program)
    assert seen[0] == ["a", "b"]
    assert recorded.interactions[0].response.failure is None


def test_a_tool_loop(tmp_path: Path) -> None:
    """Question, tool call, result, answer."""

    def program(url: str) -> Any:
        messages = list(ASKED)
        with client(url) as ask:
            while True:
                said = (
                    ask.chat.completions.create(model="stub", messages=messages, tools=TOOLS)
                    .choices[0]
                    .message
                )
                if not said.tool_calls:
                    return said.content
                messages.append(said)
                messages += [
                    {"role": "tool", "tool_call_id": call.id, "content": "seen"} for call in said.tool_calls
                ]

    answers = in_turn(reply(body=completion("", tool_calls=[CALL])), reply(body=completion("all well")))
    seen, recorded = both(tmp_path, answers, program)
    assert seen == "all well"
    assert len(recorded.interactions) == 2


@pytest.mark.parametrize("status", [429, 500])
def test_the_retries_of_the_sdk(status: int, tmp_path: Path) -> None:
    """It waits as the server says, really only once: replay takes the wait from the virtual clock."""

    def program(url: str) -> Any:
        with client(url, max_retries=2) as ask:
            answer = ask.chat.completions.create(model="stub", messages=ASKED)
        return answer.choices[0].message.content, time.time()

    answers = in_turn(reply(status, b"{}", retry_after="0.2"), reply(body=completion("at last")))
    seen, recorded = both(tmp_path, answers, program)
    assert seen[0] == "at last"
    assert [item.response.status for item in recorded.interactions] == [status, 200]  # type: ignore[union-attr]
    assert recorded.interactions[1].started_ms >= recorded.interactions[0].ended_ms + 200
    assert len(recorded.sleeps) == 1


def test_the_retries_of_the_async_sdk(tmp_path: Path) -> None:
    """The same on asyncio, three questions at once."""

    def program(url: str) -> Any:
        async def ask_all() -> Any:
            async with openai.AsyncOpenAI(base_url=url, api_key="x", max_retries=3) as ask:

                async def one(text: str) -> Any:
                    messages: Any = [{"role": "user", "content": text}]
                    answer = await ask.chat.completions.create(model="stub", messages=messages)
                    return answer.choices[0].message.content

                return await asyncio.gather(*map(one, "abc"))

        return ask_all()

    answers = in_turn(reply(429, b"{}", retry_after="0.1"), reply(body=completion("done")))
    seen, recorded = both(tmp_path, answers, program)
    assert seen == ["done"] * 3
    assert len(recorded.interactions) == 4


def test_an_answer_that_is_no_json(tmp_path: Path) -> None:
    """The SDK's own exception is the same in replay."""

    def program(url: str) -> Any:
        with client(url, max_retries=0) as ask:
            try:
                ask.chat.completions.create(model="stub", messages=ASKED)
            except (openai.OpenAIError, ValueError) as error:
                return type(error).__name__
        return "answered"

    seen, _ = both(tmp_path, reply(body=b'{"cut": '), program)
    assert seen != "answered"
