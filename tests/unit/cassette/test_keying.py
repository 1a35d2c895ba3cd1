"""Keys of what is read from a file."""

from __future__ import annotations

from kit.cassette.emit import dumps
from kit.cassette.interaction import HttpRequest, Interaction
from kit.cassette.key import Keyer
from kit.cassette.load import loads
from tests.fakes.cassettes import answer, call, cassette, long_run, request, tool_run

SAID = {"role": "assistant", "content": "hi"}


def whole_key(item: Interaction) -> bytes:
    asked = item.request
    assert isinstance(asked, HttpRequest)
    return Keyer().http(asked.method, asked.url, dict(asked.headers).get("content-type", ""), asked.body)


def test_a_folded_request_has_the_key_of_its_whole_body() -> None:
    """What is loaded matches what an agent sends, however the file shows it."""
    for recorded in (long_run(6), tool_run()):
        found = loads(dumps(recorded), keyer=Keyer())
        for item in found.interactions:
            if item.lane == "model":
                assert item.key == whole_key(item)
            else:
                assert item.key == Keyer().tool("fs_read", item.request.arguments)  # type: ignore[union-attr]


def test_rewritten_and_changed_requests_have_their_key() -> None:
    """A request that drops a field, changes one, or rewrites the last messages is no exception."""
    first = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}, SAID]
    recorded = cassette(
        call(1, request(*first, seed=1), answer(SAID)),
        call(2, request(*first, {"role": "user", "content": "v"}, stop=["x"]), answer(SAID)),
        call(3, request(*first[:2], {"role": "user", "content": "w"}), answer(SAID)),
        call(4, b"a=b", b"{}"),
        call(5, b"", b"{}"),
    )
    text = dumps(recorded)
    assert "dropped: [seed]" in text
    assert "keep: 2" in text
    for item in loads(text, keyer=Keyer()).interactions:
        assert item.key == whole_key(item)


def test_keys_cost_no_bodies() -> None:
    """Loading with keys leaves the bodies of requests unbuilt."""
    found = loads(dumps(long_run(5)), keyer=Keyer())
    built = [isinstance(item.request._body, bytes) for item in found.interactions if item.lane == "model"]  # type: ignore[union-attr]
    assert built == [False] * 5


def test_a_request_that_only_adds_names_the_one_it_repeats() -> None:
    """So that prompt and tools of a long run are read from one body; whoever changes anything has its own."""
    first = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}, SAID]
    more = {"role": "user", "content": "v"}
    recorded = cassette(
        call(1, request(*first), answer(SAID)),
        call(2, request(*first, more), answer(SAID)),
        call(3, request(*first, more, more), answer(SAID)),
        call(4, request(*first, more, more, more, seed=2), answer(SAID)),
        call(5, request(*first[:2], more), answer(SAID)),
    )
    found = [item.request for item in loads(dumps(recorded)).interactions]
    assert all(isinstance(one, HttpRequest) for one in found)
    like = [one.like for one in found if isinstance(one, HttpRequest)]
    assert like == [None, found[0], found[0], None, None]
    assert like[2] is found[0]
