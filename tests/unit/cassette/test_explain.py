"""What is found out about a miss: nearest recorded request, class of the change, places that differ."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from kit.cassette.explain import MissReport, explain
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, Lane, ToolRequest, ToolResponse
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist, key_of

SYSTEM = {"role": "system", "content": "You are a home agent. Answer briefly."}
OTHER = {**SYSTEM, "content": "Be brief."}
USER = {"role": "user", "content": "read the log and say which error is in it"}
CALL: dict[str, Any] = {
    "role": "assistant",
    "content": "",
    "tool_calls": [
        {
            "id": "a1",
            "type": "function",
            "function": {"name": "fs_read", "arguments": '{"path":"app.log","limit":9}'},
        }
    ],
}
RESULT = {"role": "tool", "tool_call_id": "a1", "content": "12:00 INFO start\n12:01 ERROR disk full\n"}
ANSWER = {"role": "assistant", "content": "disk full"}
TOOLS = [
    {"type": "function", "function": {"name": "fs_read", "description": "Read a file", "parameters": {}}}
]


def chat(*messages: dict[str, Any], **parameters: Any) -> HttpRequest:
    """A chat request as the home agent sends it."""
    body = {
        "model": "gpt-oss:20b",
        "messages": list(messages),
        "temperature": 0,
        "tools": TOOLS,
        **parameters,
    }
    return HttpRequest("POST", "http://localhost/v1/chat/completions", (), json.dumps(body).encode())


def tape(*requests: HttpRequest | ToolRequest) -> tuple[Interaction, ...]:
    """Interactions one after the other."""
    return tuple(
        Interaction(
            number,
            "tool" if isinstance(request, ToolRequest) else "model",
            request,
            ToolResponse("x") if isinstance(request, ToolRequest) else HttpResponse(200),
            number * 10,
            number * 10 + 5,
        )
        for number, request in enumerate(requests, 1)
    )


TAPE = tape(chat(SYSTEM, USER), ToolRequest("fs_read", {"path": "app.log"}), chat(SYSTEM, USER, CALL, RESULT))


def missed(
    request: HttpRequest | ToolRequest,
    played: int = 0,
    *,
    lane: Lane = "model",
    recorded: tuple[Interaction, ...] = TAPE,
) -> MissReport:
    """The explanation of a request after the first `played` interactions were played."""
    keyer = Keyer()
    playlist = Playlist(recorded, keyer)
    for item in recorded[:played]:
        assert playlist.take(key_of(item.request, keyer))
    key = key_of(request, keyer)
    assert playlist.take(key) is None
    return explain(request, playlist, key, lane=lane)


def with_call(arguments: str, call_id: str = "a1") -> dict[str, Any]:
    """The assistant's message with another call in it."""
    message = copy.deepcopy(CALL)
    message["tool_calls"][0]["id"] = call_id
    message["tool_calls"][0]["function"]["arguments"] = arguments
    return message


@pytest.mark.parametrize(
    ("request_", "played", "changes", "paths", "nearest"),
    [
        (chat(OTHER, USER), 0, ["system prompt"], ["messages[0].content"], 1),
        (chat(OTHER, USER, CALL, RESULT), 0, ["system prompt"], ["messages[0].content"], 3),
        (chat(SYSTEM, USER, tools=[]), 0, ["tool schema"], ["tools[0]"], 1),
        (chat(SYSTEM, {**USER, "content": "read"}), 0, ["conversation"], ["messages[1].content"], 1),
        (
            chat(SYSTEM, USER, with_call('{"path": "b", "limit": 9}', "z"), {**RESULT, "tool_call_id": "z"}),
            2, ["tool arguments"], ["messages[2].tool_calls[0].function.arguments.path"], 3,
        ),
        (chat(SYSTEM, USER, CALL, {**RESULT, "content": ""}), 2, ["tool result"], ["messages[3].content"], 3),
        (chat(SYSTEM, USER, temperature=1, stop="x"), 0, ["parameters"], ["temperature", "stop"], 1),
        (
            chat(SYSTEM, {**USER, "content": "read"}, temperature=1, tools=[]),
            0, ["tool schema", "conversation", "parameters"],
            ["tools[0]", "messages[1].content", "temperature"], 1,
        ),
        (chat(SYSTEM, USER, CALL), 1, ["conversation"], ["messages[3]"], 3),
        (chat(SYSTEM, USER, CALL, RESULT, ANSWER), 3, ["extra call"], ["messages[4]"], 3),
        (
            chat(SYSTEM, USER, CALL, RESULT, ANSWER, temperature=1),
            3, ["conversation", "parameters"], ["messages[4]", "temperature"], 3,
        ),
        (HttpRequest("GET", "http://localhost/v1/models", (), b""), 1, ["extra call"], ["request"], 3),
        (
            HttpRequest("POST", chat(USER).url + "?v=2", (), chat(SYSTEM, USER).body),
            0, ["parameters"], ["query"], 1,
        ),
    ],
)  # fmt: skip
def test_the_change_is_classed_and_located(
    request_: HttpRequest, played: int, changes: list[str], paths: list[str], nearest: int
) -> None:
    """Each kind of change is named, with the paths that differ and the recorded call it was compared with."""
    report = missed(request_, played)
    assert list(report.changes) == changes
    assert report.change == changes[0]
    assert [difference.path for difference in report.differences] == paths
    assert (report.nearest, report.step, report.recorded) == (nearest, played + 1, 3)


def test_a_request_asked_too_often_is_an_extra_call() -> None:
    """The recorded one was played already: no difference to show, but what was expected instead."""
    report = missed(chat(SYSTEM, USER), 1)
    assert (report.change, report.times, report.nearest, report.is_nearest_played) == (
        "extra call",
        1,
        1,
        True,
    )
    assert report.differences == ()
    assert report.upcoming is not None
    assert report.upcoming.startswith("call 3: POST /v1/chat/completions  tool «12:00 INFO start⏎")


@pytest.mark.parametrize(
    ("request_", "played", "change", "paths"),
    [
        (ToolRequest("fs_read", {"path": "b.log"}), 1, "tool arguments", ["arguments.path"]),
        (ToolRequest("fs_read", {"path": "app.log"}), 2, "extra call", []),
        (ToolRequest("fs_list", {"path": "app.log"}), 1, "extra call", ["name"]),
    ],
)
def test_tool_calls_are_explained_too(
    request_: ToolRequest, played: int, change: str, paths: list[str]
) -> None:
    """Other arguments, one call too many, and a tool that was never recorded."""
    report = missed(request_, played, lane="tool")
    assert (report.call, report.change, report.nearest) == (request_.name, change, 2)
    assert [difference.path for difference in report.differences] == paths


def test_nothing_comparable() -> None:
    """An empty cassette, or one without calls of that lane, has no nearest request."""
    assert missed(chat(SYSTEM, USER), recorded=()).nearest is None
    report = missed(ToolRequest("f", {}), lane="tool", recorded=tape(chat(SYSTEM, USER)))
    assert (report.nearest, report.change, report.upcoming) == (None, "extra call", None)


def test_among_equally_near_requests_the_unplayed_comes_first() -> None:
    """A prompt repeated five times is compared with the repetition that is due."""
    recorded = tape(*[chat(SYSTEM, USER)] * 3)
    assert missed(chat(SYSTEM, USER, temperature=1), 1, recorded=recorded).nearest == 2


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        ({"system": "a"}, {"system": "b"}, "system prompt"),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "1"}]}
                ]
            },
            {
                "messages": [
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "y", "content": "2"}]}
                ]
            },
            "tool result",
        ),
        (
            {
                "messages": [
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "input": {"a": 1}}]}
                ]
            },
            {
                "messages": [
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "y", "input": {"a": 2}}]}
                ]
            },
            "tool arguments",
        ),
        (
            {"input": [{"type": "function_call_output", "call_id": "x", "output": "1"}]},
            {"input": [{"type": "function_call_output", "call_id": "y", "output": "2"}]},
            "tool result",
        ),
        (
            {"contents": [{"role": "user", "parts": [{"functionResponse": {"response": {"a": 1}}}]}]},
            {"contents": [{"role": "user", "parts": [{"functionResponse": {"response": {"a": 2}}}]}]},
            "tool result",
        ),
        ({"input": ["a"]}, {"input": ["b"]}, "conversation"),
        ([1], [2], "parameters"),
    ],
)
def test_other_dialects_are_classed_as_well(old: Any, new: Any, change: str) -> None:
    """Anthropic messages, OpenAI responses and Gemini contents; ids that differ are no difference."""
    sent = [HttpRequest("POST", "http://h/v1/x", (), json.dumps(value).encode()) for value in (old, new)]
    report = missed(sent[1], recorded=tape(sent[0]))
    assert report.changes == (change,)
    assert len(report.differences) == 1


def test_bodies_that_are_no_json_are_compared_as_text() -> None:
    """A changed form body is shown around its change."""
    sent = [HttpRequest("POST", "http://h/f", (), body) for body in (b"a=1&b=2", b"a=1&b=3\xff")]
    [difference] = missed(sent[1], lane="other", recorded=tape(sent[0])).differences
    assert (difference.path, difference.old, difference.new) == ("body", "a=1&b=‹2›", "a=1&b=‹3�›")
