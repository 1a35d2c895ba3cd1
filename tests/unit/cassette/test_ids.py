"""Ids by name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from kit.cassette.ids import IdTable, is_id, present, restore, said
from kit.cassette.keyorder import orderless
from kit.cassette.marks import AnswerRef, Args, IdRef, JsonText
from tests.fakes.cassettes import asking
from tests.fakes.examples import costly
from tests.fakes.json_values import values


def test_names_follow_the_order_of_the_conversation() -> None:
    """The second call that an answer asks for is call-2, whatever its id."""
    table = IdTable()
    calls = [*asking("zzz")["tool_calls"], *asking("aaa")["tool_calls"]]
    table.learn({"choices": [{"message": {"tool_calls": calls}}], "id": "chatcmpl-1"})
    table.learn(
        {"output": [{"id": "rs_1", "type": "reasoning"}, {"call_id": "fc_1", "type": "function_call"}]}
    )
    assert table.table() == {"call-1": "zzz", "call-2": "aaa", "id-1": "rs_1", "call-3": "fc_1"}


def test_the_id_of_an_answer_is_named_only_if_it_comes_back() -> None:
    """`previous_response_id` makes the id of an answer part of the conversation."""
    found: set[str] = set()
    said({"previous_response_id": "resp_1", "input": [{"x": {"y_id": "other"}}]}, found)
    assert found == {"resp_1", "other"}
    table = IdTable(frozenset(found))
    assert table.learn({"id": "resp_1", "x": 1}) == {"id"}
    assert table.learn({"id": "resp_2"}) == frozenset()
    assert table.names == {"resp_1": "id-1"}


@costly(30)
@given(values)
def test_what_is_presented_is_restored(value: Any) -> None:
    """Names, YAML arguments and escapes come back as what they stand for."""
    names = {"call-id": "call-1", "0": "call-2"}

    def read(tree: Any) -> Any:
        if isinstance(tree, JsonText):
            return json.loads(tree.text)
        if isinstance(tree, dict):
            return {name: read(child) for name, child in tree.items()}
        return [read(child) for child in tree] if isinstance(tree, list) else tree

    shown = present({"id": "call-id", "x": value}, names)
    assert shown["id"] == IdRef("call-1")
    restored = restore(read(shown), {"call-1": "call-id", "call-2": "0"})
    assert orderless(restored) == orderless({"id": "call-id", "x": value})


def test_arguments_are_shown_as_yaml_with_their_style() -> None:
    """JSON text inside JSON is read as what it says, where it can be written again."""
    assert present({"arguments": '{"path": "a"}'}, {}) == {"arguments": Args("spaced", {"path": "a"})}
    assert present({"arguments": '{"path":"a"}'}, {}) == {"arguments": Args("", {"path": "a"})}
    assert present({"arguments": '{"path": "a'}, {}) == {"arguments": '{"path": "a'}
    assert present({"arguments": ""}, {}) == {"arguments": ""}


def test_only_ids_are_named() -> None:
    """A text that happens to be equal to an id stays what it is."""
    assert present({"content": "abc", "tool_call_id": "abc"}, {"abc": "call-1"}) == {
        "content": "abc",
        "tool_call_id": IdRef("call-1"),
    }
    assert is_id("id")
    assert not is_id("idea")


@pytest.mark.parametrize("tree", [IdRef("call-9"), {"x": [AnswerRef(1)]}])
def test_what_leads_nowhere_is_refused(tree: Any) -> None:
    """A name without an id, or a mark in a wrong place, is an error of the file."""
    with pytest.raises(ValueError, match=r"call-9|AnswerRef"):
        restore(tree, {})


def test_an_id_that_no_file_can_hold_stays_where_it_is() -> None:
    """Half a character cannot stand in the table of ids; the body that says it is written another way."""
    table = IdTable()
    table.learn({"output": [{"id": "rs_\ud800", "type": "reasoning"}, {"id": "rs_2", "type": "reasoning"}]})
    assert table.table() == {"id-1": "rs_2"}


@pytest.mark.parametrize("odd", [["function"], {"a": 1}, 7, None])
def test_a_kind_that_is_no_text_is_no_call(odd: object) -> None:
    """A server may send anything in `type`."""
    table = IdTable()
    table.learn({"output": [{"id": "x_1", "type": odd}]})
    assert table.table() == {"id-1": "x_1"}
