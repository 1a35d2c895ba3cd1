"""Cassettes as text, and back, byte for byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.cassette import Cassette
from kit.cassette.emit import dumps, levels_of
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.cassette.load import loads, reviewed
from kit.cassette.readable import Levels
from tests.fakes.cassettes import (
    EVENTS,
    JSON,
    LOG,
    URL,
    answer,
    asking,
    call,
    cassette,
    compact,
    long_run,
    request,
    stream,
    tool,
    tool_run,
)
from tests.fakes.examples import costly
from tests.fakes.json_values import broken_texts, odd_json, texts, values

BODIES = st.one_of(
    st.binary(max_size=40),
    texts.map(lambda text: text.encode("utf-8", "surrogatepass")),
    values.map(lambda value: json.dumps(value).encode()),
    values.map(
        lambda value: json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass")
    ),
    odd_json.map(str.encode),
)
HEADERS = st.lists(
    st.tuples(
        st.sampled_from(["content-type", "date", "retry-after", "x-odd"]),
        st.one_of(texts, st.sampled_from(["application/json", "text/event-stream", "text/html"])),
    ),
    max_size=3,
).map(tuple)
RESPONSES = st.builds(
    HttpResponse,
    st.integers(0, 599),
    HEADERS,
    BODIES,
    st.lists(st.integers(0, 40), max_size=4).map(tuple),
    st.one_of(st.none(), broken_texts),
)


def tool_calls(value: Any, arguments: Any, number: int, name: str, failure: str | None) -> Interaction:
    response = ToolResponse(value, failure, executed=number % 2 == 0)
    return Interaction(number, "tool", ToolRequest(name, {"x": arguments}), response, 0, number)


def same_values(one: Cassette, other: Cassette) -> bool:
    """Equal as JSON text, since Python takes NaN for two and 1 and True for one."""

    def shown(item: Any) -> str:
        values = [item.request.name, item.request.arguments, item.response.result, item.response.failure]
        return json.dumps(values)

    return list(map(shown, one.interactions)) == list(map(shown, other.interactions))


@costly(30)
@given(BODIES, HEADERS, RESPONSES, st.sampled_from(["model", "other"]))
def test_every_exchange_comes_back(body: bytes, headers: Any, response: HttpResponse, lane: Any) -> None:
    """Any bytes, headers, status, chunks and failure are the same after a round trip."""
    item = Interaction(1, lane, HttpRequest("POST", URL, headers, body), response, 3, 17)
    found = loads(dumps(cassette(item)))
    assert found == cassette(item)
    assert found.interactions[0].lane == lane
    assert (found.interactions[0].started_ms, found.interactions[0].ended_ms) == (3, 17)
    assert not found.edited


@costly(30)
@given(values, values, broken_texts, st.one_of(st.none(), broken_texts))
def test_every_tool_call_comes_back(value: Any, arguments: Any, name: str, failure: str | None) -> None:
    """Arguments, results and failures are the same after a round trip."""
    recorded = cassette(tool_calls(value, arguments, 1, name, failure))
    assert same_values(loads(dumps(recorded)), recorded)


MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool"]), "content": st.one_of(texts, values)},
    optional={"tool_call_id": st.sampled_from(["call_a", "call_b"]), "name": texts},
)


@st.composite
def conversations(draw: st.DrawFn) -> Cassette:
    """Requests that grow, branch, repeat and rewrite; answers that come back or do not."""
    items: list[Interaction] = []
    histories: list[list[Any]] = [[]]
    for number in range(1, draw(st.integers(1, 5)) + 1):
        before: list[Any] = draw(st.sampled_from(histories))
        history: list[Any] = [*before, *draw(st.lists(MESSAGES, max_size=2))]
        rewrite: bool = draw(st.booleans())
        if history and rewrite:
            history[draw(st.integers(0, len(history) - 1))] = draw(MESSAGES)
        fields = draw(st.permutations([("model", "m"), ("messages", history), ("seed", draw(values))]))
        text = json.dumps(dict(fields[: draw(st.integers(1, 3))]), ensure_ascii=draw(st.booleans()))
        message = draw(st.one_of(MESSAGES, st.builds(asking, st.sampled_from(["call_a", "call_b"]))))
        told = answer(message) if draw(st.booleans()) else stream(*draw(st.lists(texts, max_size=3)))
        items.append(call(number, text.encode("utf-8", "surrogatepass"), told))
        histories.append([*history, message])
    return cassette(*items)


@costly(30)
@given(conversations())
def test_every_conversation_comes_back(recorded: Cassette) -> None:
    """However requests continue each other, each body is the same after a round trip."""
    assert loads(dumps(recorded)) == recorded


def test_one_odd_body_does_not_make_the_rest_raw() -> None:
    """Only the interaction that needs it is written less readably."""
    items = tool_run().interactions
    odd = call(4, b'{"a":1,"a":2}', b'{"ok":true}')
    text = dumps(cassette(*items, odd))
    assert 'request: !text \'{"a":1,"a":2}\'' in text
    assert text.count("!text") == 1
    assert levels_of(cassette(*items, odd)) == [Levels()] * 4
    assert reviewed(text).startswith(reviewed(dumps(cassette(*items))))


@pytest.mark.parametrize(
    ("changed", "lines"),
    [({"content": "The error is a full disc."}, 2), ({"content": "The error is a full disk."}, 0)],
)
def test_a_change_of_one_word_is_one_line(changed: dict[str, Any], lines: int) -> None:
    """A reviewer sees the line that is different, and nothing else."""
    question = request({"role": "user", "content": "What is wrong?"})
    said = {"role": "assistant", "content": "The error is a full disk."}
    old = reviewed(dumps(cassette(call(1, question, answer(said))))).splitlines()
    new = reviewed(dumps(cassette(call(1, question, answer({**said, **changed}, salt=9))))).splitlines()
    assert len(set(old) ^ set(new)) == lines


def test_two_recordings_of_the_same_answers_differ_outside_the_reviewed_part_only() -> None:
    """Ids, times, fingerprints and chunk lengths change at every call and are no change of the run."""
    one = tool_run("uOCUzYv1ZfyY3v6g4w5SLIm5gFRYtpIZ", salt=1)
    other = tool_run("ekxueSpK1jyJsv9mCi4k7APNiJN7nDpp", salt=2)
    assert one != other
    assert reviewed(dumps(one)) == reviewed(dumps(other))
    assert dumps(one) != dumps(other)
    assert loads(dumps(other)) == other


@pytest.mark.parametrize("finish", ["length", "stop"])
def test_a_changed_finish_reason_is_no_volatile_value(finish: str) -> None:
    """What decides about a run is never hidden in the block that nobody reads."""
    question = request({"role": "user", "content": "Count."})
    said = {"role": "assistant", "content": "1, 2,"}
    texts_ = [
        dumps(cassette(call(1, question, answer(said, finish=name)))) for name in ("tool_calls", finish)
    ]
    assert reviewed(texts_[0]) != reviewed(texts_[1])


def test_long_conversations_grow_with_their_news() -> None:
    """Each turn costs at most 1.3 times what it says that is new."""
    short, long = long_run(20), long_run(60)
    news = len(compact(asking("x" * 29, "logs/00.log"))) + len(answer(asking("x" * 29))) + 3 * len(LOG)
    per_turn = (len(dumps(long)) - len(dumps(short))) / 40
    assert per_turn < 1.3 * news
    assert loads(dumps(long)) == long


def test_a_shown_header_is_said_once_in_a_conversation() -> None:
    """A version header that each request of a conversation carries is not repeated in each call."""
    headers = (*JSON, ("anthropic-version", "2023-06-01"))
    messages = [{"role": "user", "content": f"{number}"} for number in range(3)]
    items = [
        Interaction(
            number,
            "model",
            HttpRequest("POST", URL, headers, request(*messages[:number])),
            HttpResponse(200),
            0,
            1,
        )
        for number in (1, 2, 3)
    ]
    text = dumps(cassette(*items))
    assert text.count("anthropic-version") == 1
    assert loads(text) == cassette(*items)


def test_a_failed_call_is_shown() -> None:
    """A status without an answer and the name of the failure are what a reviewer sees."""
    item = call(1, request(), b"", headers=(), status=0, failure="ConnectError: refused")
    assert "  status: 0\n  failure: 'ConnectError: refused'\n" in dumps(cassette(item))
    broken = call(1, request(), stream("a")[:90], headers=EVENTS, failure="ReadError: gone")
    assert loads(dumps(cassette(broken))) == cassette(broken)


def test_what_is_no_json_value_is_a_bug_of_the_caller() -> None:
    """A tool's result that was not made JSON before is refused, not guessed."""
    with pytest.raises(TypeError, match="JSON"):
        dumps(cassette(tool(1, {1, 2})))


def test_numbers_may_have_gaps_and_must_rise() -> None:
    """A call that was given up before anything was known leaves a gap, not an unreadable file."""
    first, last = call(2, request(), b"{}"), call(7, request(), b"{}")
    assert loads(dumps(cassette(first, last))) == cassette(first, last)
    with pytest.raises(ValueError, match="order of their numbers"):
        dumps(cassette(last, first))


def test_an_empty_recording_is_a_cassette() -> None:
    """A run that called nothing has a file that says so."""
    assert loads(dumps(cassette())) == cassette()
