"""A conversation that continues is read by its news, with the same key as if it were read whole."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.conversation import Chain, Tips, list_name_of
from kit.cassette.key import Keyer
from kit.cassette.normal import Message, Normaliser
from tests.fakes.examples import costly

URL = "http://h/v1/chat/completions"
JSON = "application/json"
LEAF = (
    st.none()
    | st.booleans()
    | st.integers(-9, 2**70)
    | st.text('ab"\\é,]}[{:', max_size=6)
    | st.just("call-1")
)
VALUE = st.recursive(
    LEAF | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "content", "messages", "x"]), inner, max_size=3)
    ),
    max_leaves=5,
)
MESSAGE = st.dictionaries(st.sampled_from(["role", "id", "content"]), VALUE, max_size=3)


def compact(value: Any) -> bytes:
    """JSON as the openai SDK sends it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@costly(30)
@given(
    st.lists(MESSAGE, min_size=1, max_size=8),
    st.dictionaries(st.sampled_from(["model", "tools", "messages_", "t"]), VALUE, max_size=3),
    st.dictionaries(st.sampled_from(["seed", "stop", "u"]), VALUE, max_size=2),
    st.lists(st.integers(0, 8), max_size=8),
)
def test_news_alone_give_the_key_of_the_whole(
    messages: list[Any], before: dict[str, Any], after: dict[str, Any], lengths: list[int]
) -> None:
    """Whatever is asked in whatever order, a Keyer that has seen much and one that has seen nothing agree."""
    seasoned = Keyer()
    for number, length in enumerate([*lengths, len(messages)]):
        tail = after if number % 3 else {**after, "turn": number}
        body = compact({**before, "messages": messages[:length], **tail})
        assert seasoned.http("POST", URL, JSON, body) == Keyer().http("POST", URL, JSON, body)


START = b'{"model":"x","messages":[{"role":"user","content":"a"}'


@pytest.mark.parametrize(
    "body",
    [
        START + b",]}",
        START + b",,{}]}",
        START + b"]",
        START + b",3]}",
        START + b'],"messages":[{"role":"user","content":"b"}]}',
        START + b'],"t":1,"t":2}',
        START + b',{"a":1,"a":2}]}',
        START + b',{"n":123456789012345678901}]}',
        START + b'],"n":123456789012345678901}',
        START + b'],"input":[{"role":"user"}]}',
        START + b', {"role": "tool"} ], "t": 1}',
        START + b"] }",
        START + b'],"t":NaN}',
        START,
    ],
)
def test_odd_continuations_are_read_whole(body: bytes) -> None:
    """A known beginning does not make broken or ambiguous bodies pass for sound ones."""
    seasoned = Keyer()
    seasoned.http("POST", URL, JSON, START + b"]}")
    seasoned.http("POST", URL, JSON, START + b',{"role":"assistant"}],"t":1}')
    assert seasoned.http("POST", URL, JSON, body) == Keyer().http("POST", URL, JSON, body)
    assert seasoned.http("POST", URL, JSON, body) == Keyer().http("POST", URL, JSON, body)


def test_a_list_of_the_same_name_elsewhere_is_not_taken_for_the_conversation() -> None:
    """A parameter that holds an equal list in front does not lead astray."""
    messages = [{"role": "user", "content": "a"}]
    bodies = [
        compact({"meta": {"messages": messages}, "messages": [*messages, *more]}) for more in ([], messages)
    ]
    seasoned = Keyer()
    for body in bodies * 2:
        assert seasoned.http("POST", URL, JSON, body) == Keyer().http("POST", URL, JSON, body)


def test_only_the_news_are_read() -> None:
    """The second request of a conversation does not read the first one's messages again."""
    read: list[bytes] = []

    class Counting(Normaliser):
        def message(self, place: str, text: bytes, value: Any = None) -> Message:
            read.append(text)
            return super().message(place, text, value)

    keyer = Keyer()
    keyer._normal = Counting(None, (), ())
    messages = [{"role": "user", "content": str(number)} for number in range(4)]
    for length in (2, 3, 4, 4):
        keyer.http("POST", URL, JSON, compact({"model": "x", "messages": messages[:length], "stream": True}))
    assert read == [orjson.dumps(message) for message in messages]


def test_tips_prefer_the_longest_and_forget_the_oldest() -> None:
    """Of many bodies that a request repeats the longest counts; the store stays small."""
    tips = Tips()
    texts = [b'{"n":%d}' % number for number in range(40)]
    for length in range(1, 40):
        body = b'{"messages":[' + b",".join(texts[:length]) + b"]}"
        tips.add_whole(body, "messages", texts[:length], b"{}", Chain.empty())
    best = tips.longest(b'{"messages":[' + b",".join(texts) + b"]}")
    assert best is not None
    assert best.prefix.endswith(texts[38])
    assert tips.longest(b'{"messages":[{"n":0}]}') is None
    tips.clear()
    assert tips.longest(best.prefix) is None


def test_chains_grow_without_changing() -> None:
    """Growing by steps or at once is the same, and the shorter chain stays as it was."""
    news = [Message(bytes([number]) * 16, ("a", str(number)), 0, odd=False) for number in range(3)]
    start = Chain.empty()
    steps = start.grown(news[:1]).grown(news[1:])
    assert steps.messages.digest() == start.grown(news).messages.digest()
    assert (steps.count, start.count, dict(start.ordinals)) == (3, 0, {})
    assert start.messages.digest() == Chain.empty().messages.digest()


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"messages": [{}]}, "messages"),
        ({"input": [{}], "contents": [{}]}, "input"),
        ({"messages": [], "contents": [{}]}, "contents"),
        ({"input": ["text"]}, None),
        ({"input": "text"}, None),
    ],
)
def test_the_list_of_messages_is_found(value: dict[str, Any], name: str | None) -> None:
    """A list that begins with an object; embeddings' texts are a parameter."""
    assert list_name_of(value) == name
