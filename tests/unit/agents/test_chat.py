"""The line to the model: what is sent, what is tried again, what is final."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from kit.agents.chat import ModelAnswer, ModelError
from tests.fakes.home_turns import ScriptedModel, calling, completion, said


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds of every pause, which are not slept."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return slept


def ask(model: ScriptedModel) -> ModelAnswer:
    """One question on the model's line."""
    return asyncio.run(model.line().ask([{"role": "user", "content": "hi"}], []))


def test_request_carries_the_endpoints_sampling() -> None:
    """Seed and temperature of the run reach the model; without tools there is no `tools`."""
    model = ScriptedModel([said("hello")])
    assert ask(model) == ModelAnswer("hello", (), is_cut=False)
    assert model.requests == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "hi"}],
            "temperature": 0.0,
            "seed": 1,
            "max_tokens": 64,
        }
    ]


@pytest.mark.parametrize(
    "problem",
    [
        httpx.Response(429),
        httpx.Response(500, text="oops"),
        httpx.Response(503),
        httpx.ReadTimeout("slow"),
        httpx.ConnectError("refused"),
        httpx.RemoteProtocolError("closed in the middle"),
        httpx.Response(200, text="{no json"),
        httpx.Response(200, json={"choices": []}),
        httpx.Response(200, json=["what"]),
    ],
)
def test_transient_problems_are_tried_again(problem: httpx.Response | Exception, pauses: list[float]) -> None:
    """The second answer counts, after a pause of a second."""
    assert ask(ScriptedModel([problem, said("there")])).text == "there"
    assert pauses == [1.0]


def test_retries_are_bounded_and_back_off(pauses: list[float]) -> None:
    """Three attempts, pauses doubling, then an error that says what was last."""
    model = ScriptedModel([httpx.Response(500), httpx.Response(502), httpx.Response(503), said("too late")])
    with pytest.raises(ModelError, match="failed 3 times, last: HTTP 503"):
        ask(model)
    assert pauses == [1.0, 2.0]
    assert len(model.requests) == 3


@pytest.mark.parametrize(
    ("header", "pause"),
    [("7", 7.0), ("0", 1.0), ("86400", 60.0), ("Wed, 21 Oct 2026 07:28:00 GMT", 1.0), ("²", 1.0)],
)
def test_retry_after_is_honoured_within_reason(header: str, pause: float, pauses: list[float]) -> None:
    """The server's wish counts, up to a minute; a date or nonsense counts as none."""
    ask(ScriptedModel([httpx.Response(429, headers=[(b"retry-after", header.encode())]), said("x")]))
    assert pauses == [pause]


@pytest.mark.parametrize("status", [400, 401, 404, 302])
def test_client_errors_are_final(status: int, pauses: list[float]) -> None:
    """The same request would get the same answer; the server's reason is shown."""
    with pytest.raises(ModelError, match=f"HTTP {status}: context is full"):
        ask(ScriptedModel([httpx.Response(status, text="context is full")]))
    assert pauses == []


def test_calls_are_read_as_they_stand() -> None:
    """Raw arguments are kept for whoever repairs them; a cut answer says so."""
    answer = ask(ScriptedModel([calling("fs_read", '{"path": "/tm', "length")]))
    assert [(call.id, call.name, call.raw) for call in answer.calls] == [
        ("call-a", "fs_read", '{"path": "/tm')
    ]
    assert answer.is_cut
    assert answer.text == ""


def test_missing_ids_and_arguments_do_not_matter() -> None:
    """Servers leave out what they like."""
    message = {"role": "assistant", "tool_calls": [{"function": {"name": "fs_list"}}]}
    (call,) = ask(ScriptedModel([completion(message)])).calls
    assert (call.id, call.name, call.raw) == ("call-1", "fs_list", "")


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    """A text that cannot be encoded could not be sent back."""
    raw = b'{"choices": [{"message": {"content": "a\\ud83d"}}]}'
    assert ask(ScriptedModel([httpx.Response(200, content=raw)])).text == "a?"
