"""Tools called on MCP servers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, Lane
from kit.trace.mcp_call import mcp_calls, not_remote
from kit.wire.dialect import WireCall

JSON = (("content-type", "application/json"),)


def call(
    name: str = "search",
    *,
    answer: Any = None,
    status: int = 200,
    failure: str | None = None,
    lane: Lane = "tool",
) -> Interaction:
    """An interaction that calls a tool with `q`."""
    params = {"name": name, "arguments": {"q": "x"}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    body = b"" if answer is None else json.dumps({"jsonrpc": "2.0", "id": 1, **answer}).encode()
    request = HttpRequest("POST", "http://h/mcp", (), json.dumps(asked).encode())
    return Interaction(7, lane, request, HttpResponse(status, JSON, body, failure=failure), 10, 30)


def asked(name: str, **arguments: Any) -> WireCall:
    """A call as a model asks for it."""
    return WireCall("c", name, arguments, json.dumps(arguments))


def test_a_call_has_its_real_arguments_result_and_times() -> None:
    """Nobody has to guess from the model's next request."""
    (made,) = mcp_calls([call(answer={"result": {"content": [{"type": "text", "text": "found"}]}})])
    assert (made.call.name, made.call.arguments, made.result, made.failure) == (
        "search",
        {"q": "x"},
        "found",
        None,
    )
    assert (made.number, made.started_ms, made.ended_ms) == (7, 10, 30)


@pytest.mark.parametrize(
    ("interaction", "failure"),
    [
        (call(status=500), "http 500"),
        (call(status=404, answer={"error": {"message": "no session"}}), "http 404: no session"),
        (call(answer={"result": {"isError": True, "content": [{"text": "boom"}]}}), "boom"),
        (call(status=0, failure="ReadTimeout: slow"), "ReadTimeout: slow"),
        (call(status=202), None),
    ],
)
def test_a_call_that_failed_says_how(interaction: Interaction, failure: str | None) -> None:
    """The connection, the server or the tool; an answer on another connection is no failure."""
    (made,) = mcp_calls([interaction])
    assert (made.failure, made.result) == (failure, None)


def test_only_the_lane_of_tools_is_looked_at() -> None:
    """What else a server is asked is plain HTTP."""
    assert mcp_calls([call(lane="other")]) == ()


def test_a_call_of_the_model_is_known_again_under_a_prefix() -> None:
    """Once for each call that the server got, and only with the same arguments."""
    remote = mcp_calls([call()])
    wanted = [asked("docs_search", q="x"), asked("search", q="x"), asked("search", q="y"), asked("research")]
    assert not_remote(wanted, remote) == [False, True, True, True]
    assert not_remote([asked("research", q="x")], remote) == [True]
