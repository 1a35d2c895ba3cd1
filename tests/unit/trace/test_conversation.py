"""A recorded run as the conversation a person reads."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, Lane, ToolResponse
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


def exchange(url: str, asked: Any, answered: Any, *, lane: Lane = "model", status: int = 200) -> Interaction:
    """An exchange of JSON."""
    request = HttpRequest("POST", url, JSON, json.dumps(asked).encode())
    return Interaction(1, lane, request, HttpResponse(status, JSON, json.dumps(answered).encode()), 0, 10)


def test_tools_of_the_server_stand_before_the_answer() -> None:
    """With their results: nobody of the agent's ran them."""
    content = [
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": "found"},
        {"type": "text", "text": "so"},
    ]
    answer = {"type": "message", "content": content, "stop_reason": "end_turn"}
    asked = {"messages": [{"role": "user", "content": "ciao"}]}
    assert told(exchange("http://h/v1/messages", asked, answer)) == [
        ("message", "user", "ciao"),
        ("server", 'web_search({"q":"x"})', "found"),
        ("answer", "assistant", "so"),
    ]


def test_a_refusal_is_told_as_what_the_model_said() -> None:
    """And noted beside it."""
    message = {"content": None, "refusal": "No."}
    answer = {"choices": [{"message": message, "finish_reason": "stop"}]}
    items = conversation([exchange("http://h/v1/chat/completions", {"messages": []}, answer)])
    assert [(item.text, item.note) for item in items] == [("No.", "refused, 10 ms")]


def test_an_answer_in_the_background_comes_later() -> None:
    """The note says so."""
    answer = {"id": "resp_1", "status": "queued", "background": True, "output": []}
    items = conversation([exchange("http://h/v1/responses", {"input": "ciao"}, answer)])
    assert [(item.text, item.note) for item in items] == [("ciao", ""), ("", "answered later, 10 ms")]


def test_an_embedding_is_told_by_its_texts() -> None:
    """Not as if a model had spoken."""
    asked = {"model": "e", "input": ["a", "b"]}
    (item,) = conversation([exchange("http://h/v1/embeddings", asked, {"usage": {"prompt_tokens": 2}})])
    assert (item.kind, item.who, item.text) == ("http", "POST http://h/v1/embeddings", "a\nb")
    assert item.note == "embeddings by e, status 200, 31 bytes, 2 tokens"


def test_a_tool_on_a_server_is_told_like_any_tool() -> None:
    """Its result is not told again where the agent sends it back; other messages are plain lines."""
    params = {"name": "f", "arguments": {"a": 1}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "found"}]}}
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    history = (
        {"role": "assistant", "content": None, "tool_calls": [call("f", '{"a":1}')]},
        {"role": "tool", "tool_call_id": "c1", "content": "found"},
    )
    items = told(
        exchange("http://h/mcp", listing, {"jsonrpc": "2.0", "id": 2, "result": {}}, lane="other"),
        exchange("http://h/mcp", asked, answer, lane="tool"),
        chat(2, "e poi?", "basta", history=history),
    )
    assert items[:2] == [("http", "mcp tools/list http://h/mcp", ""), ("tool", 'f({"a":1})', "found")]
    assert ("message", "tool", "found") not in items


def test_odd_arguments_can_be_read() -> None:
    """Integers beyond 64 bits and half characters are no crash."""
    found = conversation([tool_call(1, "f", ToolResponse({"n": 2**70, "s": "\ud800"}), n=2**70)])
    assert str(2**70) in found[0].who
    assert str(2**70) in found[0].text
