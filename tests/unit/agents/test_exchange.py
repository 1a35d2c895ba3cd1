"""A model's answer with tool calls, read and sent back."""

from __future__ import annotations

from kit.agents.arguments import ArgumentsError
from kit.agents.chat import AskedCall, ModelAnswer
from kit.agents.exchange import Repeats, arguments_of, as_history

GOOD = AskedCall("1", "f", '{"b": 1, "a": 2}')
BAD = AskedCall("2", "f", "no")
ANSWER = ModelAnswer("text", (GOOD, BAD), is_cut=False)


def test_arguments_that_cannot_be_read_are_the_error() -> None:
    """The caller tells the model what was wrong."""
    assert arguments_of(GOOD, ANSWER) == {"b": 1, "a": 2}
    assert isinstance(arguments_of(BAD, ANSWER), ArgumentsError)


def test_arguments_of_a_cut_answer_are_not_repaired() -> None:
    """Half a text to write would pass for the whole."""
    cut = ModelAnswer("", (AskedCall("1", "f", '{"a": 1'),), is_cut=True)
    assert isinstance(arguments_of(cut.calls[0], cut), ArgumentsError)


def test_history_holds_every_call_with_arguments_that_parse() -> None:
    """Broken arguments go back as an empty object."""
    message = as_history(ANSWER, [{"b": "è"}, ArgumentsError("x")])
    assert message["content"] == "text"
    assert [call["id"] for call in message["tool_calls"]] == ["1", "2"]
    assert [call["function"]["arguments"] for call in message["tool_calls"]] == ['{"b": "è"}', "{}"]


def test_the_same_call_is_known_however_it_is_spelled() -> None:
    """Order of keys does not count; text that cannot be read is compared as it stands."""
    other = AskedCall("9", "f", '{"a":2,"b":1}')
    made = Repeats()
    assert [made.count(GOOD, {"b": 1, "a": 2}), made.count(other, {"a": 2, "b": 1})] == [0, 1]
    assert [made.count(BAD, ArgumentsError(why)) for why in "xy"] == [0, 1]


def test_a_call_in_between_starts_the_count_anew() -> None:
    """Reading a file again after writing it is no loop."""
    made = Repeats()
    assert [made.count(GOOD, {"a": number}) for number in (1, 1, 1, 2, 1, 1)] == [0, 1, 2, 0, 0, 1]
