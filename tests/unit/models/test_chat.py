"""How a judge is asked."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from kit.agent.protocol import ModelEndpoint
from kit.errors import EnvironmentFault, ModelUnreachable
from kit.models.chat import ChatClient

ENDPOINT = ModelEndpoint("http://judge/v1", "j", api_key="k", timeout_s=2.0, max_tokens=9)


def ask(answer: httpx.Response | Exception, seen: list[httpx.Request] | None = None) -> str:
    """One question, answered as given."""

    def handle(request: httpx.Request) -> httpx.Response:
        if seen is not None:
            seen.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return ChatClient(ENDPOINT, httpx.MockTransport(handle)).ask("is it?")


def completion(content: Any) -> httpx.Response:
    """A chat completion with any content."""
    return httpx.Response(200, json={"choices": [{"message": {"content": content}}]})


def test_one_user_message_goes_out() -> None:
    """The prompt is all that the judge gets, with the endpoint's sampling and key."""
    seen: list[httpx.Request] = []
    assert ask(completion("Sì\nmotivo"), seen) == "Sì\nmotivo"
    assert str(seen[0].url) == "http://judge/v1/chat/completions"
    assert seen[0].headers["authorization"] == "Bearer k"
    assert json.loads(seen[0].content) == {
        "model": "j",
        "messages": [{"role": "user", "content": "is it?"}],
        "temperature": 0.0,
        "seed": 1,
        "max_tokens": 9,
    }


@pytest.mark.parametrize("content", [None, "", ["parts"]])
def test_no_text_is_empty(content: Any) -> None:
    """An answer without text is for the verdict parser to call unparseable."""
    assert ask(completion(content)) == ""


def test_silence_is_a_timeout() -> None:
    """A judge that takes too long did answer nothing, which is not the environment's fault."""
    with pytest.raises(TimeoutError, match="j did not answer within 2 s"):
        ask(httpx.ReadTimeout("slow"))


def test_nobody_there() -> None:
    """Address and reason are said."""
    with pytest.raises(ModelUnreachable, match=r"http://judge/v1\n  why:  POST .*: ConnectError: refused"):
        ask(httpx.ConnectError("refused"))


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(500, text="broken"), httpx.Response(200, text="no json"), httpx.Response(200, json=[])],
)
def test_server_that_fails_is_the_environments_fault(answer: httpx.Response) -> None:
    """A judge that fails must not fail the agent."""
    with pytest.raises(EnvironmentFault, match="j at http://judge/v1 answered with"):
        ask(answer)


def test_half_a_character_goes_out_as_its_escape() -> None:
    """What an agent said is judged even where UTF-8 cannot hold it."""
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return completion("Yes")

    assert ChatClient(ENDPOINT, httpx.MockTransport(handle)).ask("half \ud800") == "Yes"
    assert json.loads(seen[0].content)["messages"][0]["content"] == "half \\ud800"
