"""Tool calls seen only through the model's eyes."""

from __future__ import annotations

import json
from typing import Any

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.trace.answered_call import answered_calls
from kit.trace.event import Event
from kit.trace.model_call import ModelCall, model_calls

URL = "http://localhost:11434/v1/chat/completions"


def wanted(name: str, call_id: str | None, arguments: str = "{}") -> dict[str, Any]:
    """A tool call as the wire has it."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def assistant(*calls: dict[str, Any]) -> dict[str, Any]:
    """An assistant message with tool calls."""
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def result(text: str, call_id: str | None, name: str | None = None) -> dict[str, Any]:
    """A tool result as the wire has it."""
    return {"role": "tool", "content": text, "tool_call_id": call_id, "name": name}


def run(*exchanges: tuple[list[dict[str, Any]], dict[str, Any]]) -> tuple[ModelCall, ...]:
    """Model calls of a run, one (messages, answer) an exchange, each 100 ms long and 50 ms apart."""
    interactions = []
    for position, (messages, answer) in enumerate(exchanges):
        body = json.dumps({"choices": [{"message": answer, "finish_reason": "stop"}]}).encode()
        request = HttpRequest("POST", URL, (), json.dumps({"messages": messages}).encode())
        start = position * 150
        interactions.append(
            Interaction(position + 1, "model", request, HttpResponse(200, (), body), start, start + 100)
        )
    return model_calls(interactions)


END = {"role": "assistant", "content": "done"}


def test_a_call_with_a_result_in_a_later_request_was_made() -> None:
    """Name, arguments, result and time come from the two requests around the call."""
    asked = assistant(wanted("fs_read", "c1", '{"path": "/a"}'))
    (found,) = answered_calls(run(([], asked), ([asked, result("text of a", "c1")], END)))
    assert (found.call.name, found.call.arguments, found.result) == ("fs_read", {"path": "/a"}, "text of a")
    assert (found.number, found.started_ms, found.ended_ms) == (1, 100, 150)


def test_a_call_without_a_result_was_not_made() -> None:
    """What the model only wished for is no tool call."""
    asked = assistant(wanted("f", "c1"), wanted("g", "c2"))
    found = answered_calls(run(([], asked), ([asked, result("x", "c2")], assistant(wanted("h", "c3")))))
    assert [call.call.name for call in found] == ["g"]


def test_ids_that_repeat_are_paired_in_order() -> None:
    """Some servers call every call `call_0`."""
    one, two = assistant(wanted("f", "call_0", '{"n":1}')), assistant(wanted("f", "call_0", '{"n":2}'))
    history = [one, result("first", "call_0"), two, result("second", "call_0")]
    found = answered_calls(run(([], one), (history[:2], two), (history, END)))
    assert [(call.call.arguments, call.result) for call in found] == [
        ({"n": 1}, "first"),
        ({"n": 2}, "second"),
    ]


def test_a_history_that_starts_anew_is_paired_from_its_end() -> None:
    """The second conversation of a run knows nothing of the first."""
    one, two = assistant(wanted("f", "call_0", '{"n":1}')), assistant(wanted("f", "call_0", '{"n":2}'))
    found = answered_calls(
        run(
            ([], one),
            ([one, result("first", "call_0")], END),
            ([], two),
            ([two, result("second", "call_0")], END),
        )
    )
    assert [call.result for call in found] == ["first", "second"]


def test_calls_without_id_are_known_by_name_and_arguments() -> None:
    """An agent may make up ids for calls that came without one, and write arguments its own way."""
    asked = assistant(wanted("f", None, '{"a": 1, "b": 2}'))
    history = [assistant(wanted("f", "made-up", '{"b":2,"a":1}')), result("x", "made-up")]
    assert [call.result for call in answered_calls(run(([], asked), (history, END)))] == ["x"]
    history = [asked, result("y", None, "f")]
    assert [call.result for call in answered_calls(run(([], asked), (history, END)))] == ["y"]


def test_a_denied_or_blocked_call_was_not_made() -> None:
    """The model was told «denied» in the place of a result, but no tool ran."""
    asked = assistant(wanted("fs_write", "c1"), wanted("fs_read", "c2"), wanted("rm", "c3"))
    told = [result("denied", "c1"), result("text", "c2"), result("blocked", "c3")]
    events = [
        Event("approval_requested", 100, 1, {"action": "fs_write"}),
        Event("approval_decided", 100, 1, {"action": "fs_write", "approved": False}),
        Event("approval_decided", 100, 1, {"action": "fs_read", "approved": True}),
        Event("policy_violation", 100, 1, {"tool": "rm"}),
        Event("policy_violation", 0, 0, {"tool": "fs_read"}),
        Event("policy_violation", 100, 1, {}),
    ]
    found = answered_calls(run(([], asked), ([asked, *told], END)), events)
    assert [call.call.name for call in found] == ["fs_read"]


def test_only_the_last_request_is_read_where_it_holds_all_results() -> None:
    """A long conversation costs one body, not all of them."""
    asked = assistant(wanted("f", "c1"))
    calls = run(([], asked), ([asked, result("x", "c1")], END), ([asked, result("x", "c1"), END], END))

    def build() -> bytes:
        raise AssertionError

    calls[0].request._body = build
    calls[1].request._body = build
    assert len(answered_calls(calls)) == 1


def test_results_that_answer_nothing_are_passed_over() -> None:
    """A result whose call is not in the conversation belongs to no answer of this run."""
    asked = assistant(wanted("f", "c1"))
    assert (
        answered_calls(run(([], asked), ([result("x", "c9"), {"role": "user", "content": "hi"}], END))) == ()
    )
    assert answered_calls(()) == ()
