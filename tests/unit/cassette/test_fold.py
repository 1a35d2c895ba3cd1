"""Conversations that grow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.fold import Conversations, Turn, continue_fields, difference, list_name
from tests.fakes.examples import costly

FIELDS = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("123"))


def test_the_longest_beginning_wins_whoever_asked_last() -> None:
    """Sub-agents interleave; each request continues its own conversation."""
    known = Conversations()
    known.add(1, "chat", ["s", "u"], {})
    known.add(2, "chat", ["other"], {})
    known.add(3, "chat", ["s", "u", "a", "t"], {})
    found = known.parent("chat", ["s", "u", "a", "t", "b"])
    assert found is not None
    assert (found[0].number, found[1]) == (3, 4)
    again = known.parent("chat", ["other", "x"])
    assert again is not None
    assert again[0].number == 2
    assert known.parent("responses", ["s", "u"]) is None


def test_a_rewritten_last_message_still_continues() -> None:
    """A moved cache marker does not make a whole request anew; a shared system prompt is no conversation."""
    known = Conversations()
    known.add(1, "chat", ["s", "u", "a", "t"], {})
    found = known.parent("chat", ["s", "u", "a", "t2"])
    assert found is not None
    assert (found[0].number, found[1]) == (1, 3)
    assert known.parent("chat", ["s", "v"]) is None


def test_a_turn_gathers_the_messages_of_its_ancestors() -> None:
    """The body of the last request holds the whole conversation, cut where somebody rewrote it."""
    first = Turn(1, "messages", {"model": "m", "messages": None}, ["a", "b"])
    second = Turn(2, "messages", first.fields, ["c", "d"], first, 2)
    third = Turn(3, "messages", first.fields, ["e"], second, 3)
    fourth = Turn(4, "messages", first.fields, [], third, 1)
    assert third.value() == {"model": "m", "messages": ["a", "b", "c", "e"]}
    assert fourth.value() == {"model": "m", "messages": ["a"]}
    assert list(third.value()) == ["model", "messages"]


@costly(30)
@given(FIELDS, FIELDS)
def test_a_difference_of_fields_leads_back(parent: dict[str, str], own: dict[str, str]) -> None:
    """Changed, dropped and order give the same fields in the same order."""
    changed, dropped, in_order = difference(parent, own)
    found = continue_fields(
        parent, {name: own[name] for name in changed}, dropped, None if in_order else list(own)
    )
    assert list(found.items()) == list(own.items())


def test_an_order_of_other_keys_is_refused() -> None:
    """A row that was edited wrongly is said."""
    with pytest.raises(ValueError, match="order"):
        continue_fields({"a": 1}, {}, [], ["b"])


@pytest.mark.parametrize(
    ("value", "name"),
    [({"messages": [1]}, "messages"), ({"input": "hi"}, None), ({"messages": []}, None), ([1], None)],
)
def test_the_list_of_messages_is_found_by_name(value: object, name: str | None) -> None:
    """A body without a list of messages cannot be continued."""
    assert list_name(value) == name


def test_an_answer_that_the_server_kept_is_continued() -> None:
    """A request that names it repeats no message."""
    known = Conversations()
    known.add(1, "POST /v1/responses", ["a"], {"model": "m"})
    known.answered(1, {"id": "resp_1"})
    known.answered(2, {"id": "resp_2"})
    known.answered(1, "no mapping")
    found = known.parent_by_id("POST /v1/responses", "resp_1")
    assert found is not None
    assert (found[0].number, found[1]) == (1, 0)
    assert known.parent_by_id("POST /other", "resp_1") is None
    assert known.parent_by_id("POST /v1/responses", "resp_2") is None
    assert known.parent_by_id("POST /v1/responses", None) is None
