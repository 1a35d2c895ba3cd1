"""One interaction as a call and a row."""

from __future__ import annotations

from kit.cassette.emit import dumps
from kit.cassette.encode import Writer
from kit.cassette.interaction import Interaction
from kit.cassette.key import Keyer
from kit.cassette.load import loads
from kit.cassette.marks import AnswerRef, IdRef, RawBytes, RawText, ResultRef
from kit.cassette.readable import BYTES, TEXT, WHOLE, Levels, parse_bodies
from tests.fakes.cassettes import call, cassette, compact, request, tool_run


def encoded(items: tuple[Interaction, ...], levels: Levels | None = None) -> list[tuple[dict, dict]]:  # type: ignore[type-arg]
    writer = Writer(parse_bodies(items))
    return [writer.encode(index, item, levels or Levels()) for index, item in enumerate(items)]


def test_a_follow_up_says_what_is_new() -> None:
    """The answer, the result and the id are pointed at, the rest is inherited."""
    calls = [node for node, _ in encoded(tool_run().interactions)]
    assert list(calls[0]) == ["call", "to", "request", "status", "answer"]
    assert calls[1] == {
        "call": 2,
        "tool": "fs_read",
        "arguments": {"path": "logs/app.log"},
        "result": calls[1]["result"],
        "executed": True,
    }
    assert calls[2]["after"] == 1
    assert calls[2]["changed"] == {"stream": True}
    told = {"role": "tool", "tool_call_id": IdRef("call-1"), "content": ResultRef(2)}
    assert calls[2]["new"] == [AnswerRef(1), told]
    assert list(calls[2]["answer"]) == ["streamed"]


def test_each_step_down_is_plainer() -> None:
    """Whole value, text, base64: each can hold what the one before could not."""
    item = call(1, request({"role": "user", "content": "hi"}), b"{}")
    assert "to" in encoded((item, item), Levels(WHOLE, WHOLE))[1][0]
    text = encoded((item,), Levels(TEXT, TEXT))[0][0]
    assert isinstance(text["request"], RawText)
    raw = encoded((item,), Levels(BYTES, BYTES))[0][0]
    assert raw["answer"] == RawBytes(b"{}")
    assert raw["to"] == ["POST", "http://127.0.0.1:8080/v1/chat/completions"]


def test_what_repeats_is_said_once() -> None:
    """Address and hidden headers stand in the first row only."""
    item = call(1, request({"role": "user", "content": "hi"}), b"{}")
    first, second = (row for _, row in encoded((item, item)))
    assert first["at"] == "http://127.0.0.1:8080"
    assert "at" not in second
    assert second["answer-headers"] == "same"


def test_a_conversation_that_the_server_keeps() -> None:
    """The request names the answer it continues; tools and instructions are not said again."""
    url = "https://api.openai.com/v1/responses"
    said = {"id": "resp_1", "output": [{"role": "assistant", "content": "ho"}]}
    first = {"model": "m", "instructions": "Be brief.", "input": [{"role": "user", "content": "hi"}]}
    second = {**first, "input": [{"role": "user", "content": "more"}], "previous_response_id": "resp_1"}
    items = (
        call(1, compact(first), compact(said), url=url),
        call(2, compact(second), compact({**said, "id": "resp_2"}), url=url),
    )
    node = encoded(items)[1][0]
    assert node["after"] == 1
    assert node["keep"] == 0
    assert node["changed"] == {"previous_response_id": IdRef("id-1")}
    assert node["new"] == [{"role": "user", "content": "more"}]
    assert loads(dumps(cassette(*items)), keyer=Keyer()).interactions == items
    assert [item.key for item in loads(dumps(cassette(*items)), keyer=Keyer()).interactions] == [
        Keyer().http("POST", url, "application/json", compact(sent)) for sent in (first, second)
    ]
