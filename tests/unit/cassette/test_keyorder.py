"""The order of keys of a message."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from kit.cassette.keyorder import order_of, orderless, reorder
from kit.cassette.marks import JsonNumber
from tests.fakes.cassettes import asking
from tests.fakes.examples import costly
from tests.fakes.json_values import values


def test_a_message_takes_the_order_of_another() -> None:
    """What an SDK sends back is the answer's message in the SDK's order."""
    answered = asking("a")
    call = answered["tool_calls"][0]
    function = {"arguments": call["function"]["arguments"], "name": "fs_read"}
    sent = {
        "content": "",
        "role": "assistant",
        "tool_calls": [{"id": "a", "function": function, "type": "function"}],
    }
    assert orderless(answered) == orderless(sent)
    assert json.dumps(reorder(answered, order_of(sent))) == json.dumps(sent)


@costly(30)
@given(values)
def test_its_own_order_changes_nothing(value: object) -> None:
    """Where the order of a list's items allows it, a value in its own order is the same."""
    try:
        found = reorder(value, order_of(value))
    except ValueError:
        return
    assert orderless(found) == orderless(value)


@pytest.mark.parametrize("order", [["a"], [5], [{"a": [], "b": []}]])
def test_an_order_that_does_not_fit_is_refused(order: list[object]) -> None:
    """A key that the order does not know would get lost."""
    with pytest.raises(ValueError, match="key"):
        reorder({"a": 1, "b": 2}, order)


def test_numbers_differ_by_their_text() -> None:
    """Two spellings of one number are two messages."""
    assert orderless([JsonNumber("1e5")]) != orderless([JsonNumber("1E5")])
    with pytest.raises(TypeError, match="object"):
        orderless(object())
