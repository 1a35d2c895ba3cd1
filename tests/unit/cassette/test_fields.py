"""Typed access to the mappings of a cassette."""

from __future__ import annotations

from typing import Any

import pytest

from kit.cassette.fields import Section, kind_of
from kit.cassette.yamlevents import read_tree
from kit.errors import CassetteInvalid


def section(text: str) -> Section:
    return Section(read_tree(text, "c.yaml"), "c.yaml", "call 1")


def test_values_of_the_right_type_are_handed_out() -> None:
    """A missing key has its default."""
    call = section("call: 1\nto: POST /\n")
    assert call.get("call", int) == 1
    assert call.get("to", str, int) == "POST /"
    assert call.get("lane", str, default="model") == "model"


@pytest.mark.parametrize(
    ("ask", "where", "what"),
    [
        (lambda call: call.get("to", int), "c.yaml:2", "to must be an integer, not text"),
        (
            lambda call: call.get("on", int, str),
            "c.yaml:3",
            "on must be an integer or text, not true or false",
        ),
        (lambda call: call.get("gone", int), "c.yaml:1", "call 1 lacks the key 'gone'"),
        (lambda call: call.only(("call", "to")), "c.yaml:3", "does not know the key 'on'; allowed: call, to"),
    ],
)
def test_everything_else_is_refused_with_its_line(ask: Any, where: str, what: str) -> None:
    """The message says file, line, and what is allowed."""
    with pytest.raises(CassetteInvalid) as caught:
        ask(section("call: 1\nto: POST /\non: true\n"))
    assert caught.value.where == where
    assert what in caught.value.what


def test_a_list_is_no_mapping() -> None:
    """The commonest wrong file has its own sentence."""
    with pytest.raises(CassetteInvalid, match="must be a mapping, not a list"):
        Section([], "c.yaml", "call 1", 7)
    assert kind_of(None) == "empty"
    assert kind_of(object()) == "!object"
