"""A recorded run as the conversation a person reads."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolResponse
from kit.trace.conversation import Item, conversation
from tests.builders import JSON, chat, tool_call

USAGE = "3 + 2 tokens, 10 ms"


def call(name: str, arguments: str, identifier: str = "c1") -> dict[str, Any]:
    """A tool call of a model's message."""
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": arguments}}


def told(*interactions: Interaction) -> list[tuple[str, str, str]]:
    """Kind, who and text of each item."""
    return [(item.kind, item.who, item.text) for item in conversation(interactions)]


def test_question_and_answer() -> None:
    """Both once, tokens and time beside the answer."""
    assert conversation([chat(asked="ciao", answered="salve")]) == (
        Item(1, "message", "user", "ciao"),
        Item(1, "answer", "assistant", "salve", USAGE),
    )


def test_history_is_not_told_again() -> None:
    """A request carries the whole conversation so far; a reader wants its news."""
    history = ({"role": "user", "content": "ciao"}, {"role": "assistant", "content": "salve"})
    assert told(chat(), chat(2, "e poi?", "basta", history=history)) == [
        ("message", "user", "ciao"),
        ("answer", "assistant", "salve"),
        ("message", "user", "e poi?"),
        ("answer", "assistant", "basta"),
    ]


def test_other_conversation_is_told_whole() -> None:
    """A second agent, or a changed system prompt, begins anew."""
    history = ({"role": "system", "content": "be kind"},)
    assert told(chat(), chat(2, "ciao", "eccomi", history=history))[2:] == [
        ("message", "system", "be kind"),
        ("message", "user", "ciao"),
        ("answer", "assistant", "eccomi"),
    ]


def test_tool_call_and_its_result_once() -> None:
    """What the tool's own step told is not told again where the agent sends it back."""
    asking = call("fs_read", '{"path":"/a"}')
    history = (
        {"role": "user", "content": "leggi"},
        {"role": "assistant", "content": None, "tool_calls": [asking]},
        {"role": "tool", "tool_call_id": "c1", "content": "prima riga"},
    )
    first = chat(1, "leggi", "", tool_calls=[asking])
    ran = tool_call(2, "fs_read", ToolResponse("prima riga"), path="/a")
    last = chat(3, "grazie", "prego", history=history)
    assert conversation([first, ran, last]) == (
        Item(1, "message", "user", "leggi"),
        Item(1, "call", "fs_read", '{"path":"/a"}', USAGE),
        Item(2, "tool", 'fs_read({"path":"/a"})', "prima riga", "5 ms"),
        Item(3, "message", "user", "grazie"),
        Item(3, "answer", "assistant", "prego", USAGE),
    )


def test_result_of_a_tool_without_boundary_is_told_from_the_request() -> None:
    """An agent whose tools are not wrapped shows their results only by sending them back."""
    asking = call("fs_read", "{}")
    history = (
        {"role": "user", "content": "leggi"},
        {"role": "assistant", "content": None, "tool_calls": [asking]},
        {"role": "tool", "tool_call_id": "c1", "name": "fs_read", "content": "riga"},
    )
    assert ("message", "tool result of fs_read", "riga") in told(
        chat(1, "leggi", "", tool_calls=[asking]), chat(2, "grazie", "prego", history=history)
    )


def test_arguments_that_do_not_parse_stand_as_sent() -> None:
    """A reader sees what the model really wrote."""
    assert ("call", "fs_read", '{"path": ') in told(
        chat(answered="", tool_calls=[call("fs_read", '{"path": ')])
    )


def test_words_beside_calls() -> None:
    """Both are told, what it took once."""
    items = conversation([chat(answered="un attimo", tool_calls=[call("a", "{}"), call("b", "{}", "c2")])])
    assert [(item.kind, item.note) for item in items] == [
        ("message", ""),
        ("answer", USAGE),
        ("call", ""),
        ("call", ""),
    ]


def test_failed_tool_and_values_that_are_no_text() -> None:
    """A failure stands in the result's place, other values as JSON."""
    failed = tool_call(1, "t", ToolResponse(failure="FileNotFoundError: /a"))
    counted = tool_call(2, "t", ToolResponse({"n": [1, None]}))
    assert [text for _, _, text in told(failed, counted)] == ["FileNotFoundError: /a", '{"n":[1,null]}']


def test_failed_model_call_says_how() -> None:
    """Status and failure stand beside; an error's text is the answer."""
    sent = chat()
    error = HttpResponse(500, JSON, json.dumps({"error": {"message": "overloaded"}}).encode())
    (_, answer) = conversation([replace(sent, response=error)])
    assert answer.text == "overloaded"
    assert answer.note == "status 500, 10 ms"
    (_, silent) = conversation([replace(sent, response=HttpResponse(0, failure="ReadTimeout: slow"))])
    assert (silent.text, silent.note) == ("", "ReadTimeout: slow, 10 ms")


def test_streamed_answer_is_whole() -> None:
    """The pieces are put together, and their number is told."""
    pieces = [
        b'data: {"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"sal"}}]}\n\n',
        b'data: {"model":"m","choices":[{"index":0,"delta":{"content":"ve"},"finish_reason":"stop"}]}\n\n',
        b"data: [DONE]\n\n",
    ]
    response = HttpResponse(
        200, (("content-type", "text/event-stream"),), b"".join(pieces), tuple(map(len, pieces))
    )
    (_, answer) = conversation([replace(chat(), response=response)])
    assert (answer.text, answer.note) == ("salve", "streamed in 3 pieces, 10 ms")


def test_other_http_is_one_line() -> None:
    """Price tables and telemetry are no conversation, but they crossed the boundary."""
    request = HttpRequest("GET", "http://prices.test/table", (), b"")
    done = Interaction(1, "other", request, HttpResponse(200, (), b"12345"), 0, 5)
    broken = replace(done, number=2, response=HttpResponse(0, failure="ConnectError: no"))
    assert conversation([done, broken]) == (
        Item(1, "http", "GET http://prices.test/table", "", "status 200, 5 bytes"),
        Item(2, "http", "GET http://prices.test/table", "", "ConnectError: no"),
    )


def test_nothing_recorded() -> None:
    """No interaction, no item."""
    assert conversation([]) == ()
