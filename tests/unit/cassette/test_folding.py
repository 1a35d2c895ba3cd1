"""Keys of requests that a file shows as values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette import body
from kit.cassette.key import Keyer
from kit.cassette.marks import JsonNumber
from tests.fakes.examples import costly
from tests.fakes.json_values import texts, values

URL = "http://model.test/v1/chat/completions"
JSON = "application/json"
MESSAGES = st.lists(st.fixed_dictionaries({"role": texts, "content": values}), min_size=1, max_size=3)


@costly(30)
@given(MESSAGES, MESSAGES, st.dictionaries(texts, values, max_size=3))
def test_values_give_the_key_of_the_bytes(first: Any, news: Any, rest: dict[str, Any]) -> None:
    """Whatever stands in a request, it is found by what the client sends."""
    rest = {name: value for name, value in rest.items() if name not in {"messages", "input", "contents"}}
    bodies = [json.dumps({**rest, "messages": said}).encode() for said in (first, [*first, *news])]
    shown = body.parse(bodies[1].decode())
    messages = shown.pop("messages")
    keyer = Keyer()
    parent = keyer.opened_as("POST", URL, "messages", messages[: len(first)], shown)
    if parent is None:
        parent = keyer.opened("POST", URL, JSON, bodies[0])
    assert parent is not None
    assert parent.key == Keyer().http("POST", URL, JSON, bodies[0])
    child = keyer.folded(parent, messages[len(first) :])
    assert child.key == Keyer().http("POST", URL, JSON, bodies[1])


@pytest.mark.parametrize(
    ("messages", "rest"), [([], {}), (["a"], {}), ([{"role": "user"}], {"seed": JsonNumber("1e500")})]
)
def test_what_values_cannot_tell_is_left_to_the_bytes(messages: list[Any], rest: dict[str, Any]) -> None:
    """No conversation, or a number that Python cannot hold."""
    assert Keyer().opened_as("POST", URL, "messages", messages, rest) is None


def test_numbers_keep_their_spelling_where_floats_would_be_equal() -> None:
    """Two different big numbers in two messages are two requests."""
    keyer = Keyer()
    parent = keyer.opened_as("POST", URL, "messages", [{"role": "user"}], {})
    assert parent is not None
    keys = {keyer.folded(parent, [{"n": number}]).key for number in (2**70, 2**70 + 1, JsonNumber("1e30"))}
    assert len(keys) == 3
