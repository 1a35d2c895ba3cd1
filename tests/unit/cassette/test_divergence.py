"""Which changed requests may go on with the recorded answer, and what is told of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kit.cassette.divergence import divergence_from
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse

SYSTEM = {"role": "system", "content": "Be brief."}
USER = {"role": "user", "content": "read the log"}
CALL: dict[str, Any] = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "a1", "type": "function", "function": {"name": "f", "arguments": '{"p":1}'}}],
}
RESULT = {"role": "tool", "tool_call_id": "a1", "content": "disk full"}
TOOLS = [{"type": "function", "function": {"name": "f"}}]


def chat(*messages: dict[str, Any], path: str = "chat/completions", **parameters: Any) -> HttpRequest:
    """A chat request."""
    body = {"model": "m", "messages": list(messages), "tools": TOOLS, **parameters}
    return HttpRequest("POST", f"http://h/v1/{path}", (), json.dumps(body).encode())


def recorded(request: HttpRequest | ToolRequest, number: int = 7) -> Interaction:
    """That request, recorded."""
    response = HttpResponse(200) if isinstance(request, HttpRequest) else ToolResponse("x")
    return Interaction(number, "model", request, response, 0, 5)


def renamed(call: dict[str, Any], call_id: str) -> dict[str, Any]:
    """The message with another id of its call."""
    (wanted,) = call["tool_calls"]
    return {**call, "tool_calls": [{**wanted, "id": call_id}]}


FULL = chat(SYSTEM, USER, CALL, RESULT, temperature=0)


@pytest.mark.parametrize(
    ("asked", "changes", "path"),
    [
        (
            chat({**SYSTEM, "content": "Be kind."}, USER, CALL, RESULT, temperature=0),
            ("system prompt",),
            "messages[0].content",
        ),
        (chat(USER, CALL, RESULT, temperature=0), ("system prompt",), "messages[0]"),
        (chat(SYSTEM, SYSTEM, USER, CALL, RESULT, temperature=0), ("system prompt",), "messages[1]"),
        (chat(SYSTEM, USER, CALL, RESULT, temperature=1), ("parameters",), "temperature"),
        (chat(SYSTEM, USER, CALL, RESULT, temperature=0, tools=[]), ("tool schema",), "tools[0]"),
        (
            chat({**SYSTEM, "content": "x"}, USER, CALL, RESULT, tools=[]),
            ("system prompt", "tool schema", "parameters"),
            "messages[0].content",
        ),
        (
            chat(
                SYSTEM,
                USER,
                renamed(CALL, "zz"),
                {**RESULT, "tool_call_id": "zz"},
                temperature=0.5,
            ),
            ("parameters",),
            "temperature",
        ),
    ],
)
def test_prompt_tools_and_parameters_may_change(
    asked: HttpRequest, changes: tuple[str, ...], path: str
) -> None:
    """The conversation is the recorded one: what changed is told, and the answer may be given."""
    found = divergence_from(asked)(recorded(FULL))
    assert found is not None
    assert (found.interaction, found.changes) == (7, changes)
    assert found.differences[0].path == path


@pytest.mark.parametrize(
    "asked",
    [
        FULL,
        chat(SYSTEM, USER, CALL, {**RESULT, "content": "all well"}, temperature=1),
        chat(SYSTEM, {**USER, "content": "read it"}, CALL, RESULT, temperature=1),
        chat(SYSTEM, USER, renamed(CALL, "b2"), RESULT, temperature=1),
        chat(SYSTEM, USER, {**CALL, "content": "so"}, RESULT, temperature=1),
        chat(SYSTEM, USER, temperature=1),
        chat(SYSTEM, USER, CALL, RESULT, {"role": "system", "content": "result: 3"}, temperature=0),
        chat(SYSTEM, USER, CALL, RESULT, temperature=0, stream=True),
        chat(SYSTEM, USER, CALL, RESULT, temperature=1, path="other"),
        HttpRequest("POST", "http://h/v1/chat/completions", (), b"no json"),
        HttpRequest("POST", "http://h/v1/chat/completions", (), b'{"prompt": "x"}'),
    ],
)
def test_anything_else_stops_the_run(asked: HttpRequest) -> None:
    """Where what a tool got or gave differs, or anything said, the old answer is about another world."""
    assert divergence_from(asked)(recorded(FULL)) is None


def test_a_tool_call_answers_no_request() -> None:
    """Only calls of a model go on."""
    assert divergence_from(FULL)(recorded(ToolRequest("f", {}))) is None


def test_a_changed_argument_is_never_conditional() -> None:
    """What a tool was called with is part of the conversation, however it is spelled."""
    (wanted,) = CALL["tool_calls"]
    other = {**CALL, "tool_calls": [{**wanted, "function": {"name": "f", "arguments": '{"p":2}'}}]}
    assert divergence_from(chat(SYSTEM, USER, other, RESULT, temperature=1))(recorded(FULL)) is None
    spaced = {**CALL, "tool_calls": [{**wanted, "function": {"name": "f", "arguments": '{ "p": 1 }'}}]}
    assert divergence_from(chat(SYSTEM, USER, spaced, RESULT, temperature=1))(recorded(FULL)) is None
