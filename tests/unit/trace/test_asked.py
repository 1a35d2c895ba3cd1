"""What model calls were asked with."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction
from kit.trace.asked import asked_of
from kit.trace.model_call import model_calls
from kit.trace.trace import Asked

URL = "http://model.test/v1/chat/completions"
SYSTEM = {"role": "system", "content": "be kind"}
USER = {"role": "user", "content": "hello"}


def body(*messages: dict[str, Any], **fields: Any) -> bytes:
    return json.dumps({"model": "m", "messages": messages, **fields}).encode()


def asked(*requests: HttpRequest, turns: tuple[str, ...] = ()) -> tuple[Asked | None, ...]:
    interactions = [
        Interaction(number, "model", request, HttpResponse(200), 0, 1)
        for number, request in enumerate(requests, start=1)
    ]
    return asked_of(model_calls(interactions), turns)


def request(content: bytes | Callable[[], bytes], like: HttpRequest | None = None) -> HttpRequest:
    return HttpRequest("POST", URL, (), content, like)


def never() -> bytes:
    raise AssertionError("this body is not to be built")


def test_prompt_tools_and_parameters_are_told_apart_from_the_conversation() -> None:
    """The user's own words are no prompt; a message that the agent wrapped them in is one."""
    tool = {"type": "function", "function": {"name": "t"}}
    (found,) = asked(request(body(SYSTEM, USER, tools=[tool], seed=1)), turns=("hello",))
    assert found == Asked((("system", "be kind"),), (tool,), {"seed": 1})
    (wrapped,) = asked(request(body({"role": "user", "content": "Answer: hello"})), turns=("hello",))
    assert wrapped == Asked((("user", "Answer: hello"),))


def test_a_request_like_an_earlier_one_is_not_built() -> None:
    """A long conversation costs one body."""
    first = request(body(SYSTEM, USER))
    found = asked(first, request(never, first), request(never, first))
    assert found[0] is found[1] is found[2]


def test_a_prompt_that_may_go_on_is_read_again() -> None:
    """A first request of system messages alone does not say where the prompt ends."""
    first = request(body(SYSTEM))
    later = {"role": "system", "content": "be brief"}
    found = asked(first, request(body(SYSTEM, later, USER), first), turns=("hello",))
    assert [one and [text for _, text in one.prompt] for one in found] == [
        ["be kind"],
        ["be kind", "be brief"],
    ]


def test_bodies_that_are_whole_share_what_is_equal() -> None:
    """A live run has no folded requests and gives the same."""
    answer = {"role": "assistant", "content": "hi"}
    one, other = asked(request(body(SYSTEM, USER)), request(body(SYSTEM, USER, answer, USER)))
    assert one is other


def test_what_no_dialect_reads_was_asked_with_nothing_known() -> None:
    """Neither an unknown address nor a broken body makes a prompt up."""
    unknown = HttpRequest("POST", "http://model.test/other", (), b"{}")
    assert asked(unknown, request(b"{")) == (None, None)
