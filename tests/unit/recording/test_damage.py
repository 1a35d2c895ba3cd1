"""Answers broken on purpose."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.interaction import HttpResponse
from kit.recording.damage import TORN, cut, garble
from kit.wire.openai_chat import OpenAIChat

ARGUMENTS = '{"path": "/tmp/è \\"x\\".log", "n": 1}'


def whole(*arguments: str, text: str = "") -> HttpResponse:
    """An answer in one piece that asks for a call with each of these arguments."""
    calls = [
        {"id": f"c{at}", "function": {"name": "f", "arguments": one}} for at, one in enumerate(arguments)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": text, "tool_calls": calls}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    return HttpResponse(200, (), json.dumps({"model": "m", "choices": [choice]}).encode())


def streamed(*pieces: str) -> HttpResponse:
    """An answer in events whose call gets its arguments piece by piece; an event is a chunk."""
    deltas: list[dict[str, Any]] = [{"index": 0, "id": "c", "function": {"name": "f", "arguments": ""}}]
    deltas += [{"index": 0, "function": {"arguments": piece}} for piece in pieces]
    choices: list[dict[str, Any]] = [{"index": 0, "delta": {"tool_calls": [delta]}} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": "tool_calls"})
    events = [b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n" for choice in choices]
    events.append(b"data: [DONE]\n\n")
    return HttpResponse(200, (), b"".join(events), tuple(map(len, events)))


def called(response: HttpResponse) -> list[str]:
    """The arguments that an agent reads, as raw text."""
    kind = "text/event-stream" if response.chunks else "application/json"
    return [call.raw for call in OpenAIChat().read_response(response.body, kind).tool_calls]


def whole_chunks(response: HttpResponse) -> bool:
    """Chunks stand for the body or are left out."""
    return not response.chunks or (sum(response.chunks) == len(response.body) and 0 not in response.chunks)


@pytest.mark.parametrize(
    "response", [whole(ARGUMENTS), streamed(ARGUMENTS[:9], ARGUMENTS[9:12], ARGUMENTS[12:])]
)
def test_garbled_arguments_are_the_same_words_and_no_json(response: HttpResponse) -> None:
    """Streamed or not, the quotes are gone and nothing else."""
    damaged = garble(response)
    assert damaged is not None
    assert called(damaged) == [ARGUMENTS.replace('"', "")]
    assert damaged.failure is None
    assert whole_chunks(damaged)


@pytest.mark.parametrize("response", [whole("{}"), streamed("{", "}"), whole("{}", '{"a": 1}')])
def test_arguments_without_quotes_lose_their_brace(response: HttpResponse) -> None:
    """What stays valid without quotes is broken otherwise."""
    damaged = garble(response)
    assert damaged is not None
    with pytest.raises(ValueError, match="Expecting"):
        for raw in reversed(called(damaged)):
            json.loads(raw)


@pytest.mark.parametrize(
    "response", [whole(ARGUMENTS), streamed(ARGUMENTS[:9], ARGUMENTS[9:20], ARGUMENTS[20:])]
)
def test_a_cut_in_the_arguments_lies_in_their_middle(response: HttpResponse) -> None:
    """What arrived is the beginning of the answer, and the break is the client's own exception."""
    damaged = cut(response, None)
    assert damaged is not None
    assert response.body.startswith(damaged.body)
    assert b"arguments" in damaged.body
    assert damaged.body.count(b"tmp") == 1
    assert b"log" not in damaged.body
    assert damaged.failure == TORN
    assert whole_chunks(damaged)


@given(st.integers(0, 2000))
def test_a_cut_after_some_bytes(at: int) -> None:
    """So many arrive; a place behind the end is none."""
    response = streamed("{}")
    damaged = cut(response, at)
    if at >= len(response.body):
        assert damaged is None
    else:
        assert damaged is not None
        assert damaged.body == response.body[:at]
        assert whole_chunks(damaged)


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(200, (), b"no json"),
        whole(text='say "arguments": "x" {}'),
        HttpResponse(500, (), whole(ARGUMENTS).body),
        HttpResponse(200, (), whole(ARGUMENTS).body, failure="ReadTimeout: "),
    ],
)
def test_there_may_be_nothing_to_break(response: HttpResponse) -> None:
    """Words about arguments are no arguments, and a failed answer is left as it is."""
    assert garble(response) is None
    assert cut(response, None) is None
