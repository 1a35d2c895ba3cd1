"""Trees as YAML text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from kit.cassette import layout
from kit.cassette.body import plain
from kit.cassette.ids import present, restore
from kit.cassette.keyorder import orderless
from kit.cassette.marks import AnswerRef, Args, IdRef, RawBytes, RawText, ResultRef, UnwritableError
from kit.cassette.yamlevents import read_tree
from tests.fakes.examples import costly
from tests.fakes.json_values import values


def written(tree: Any) -> str:
    """The text of a mapping."""
    lines: list[str] = []
    layout.mapping(lines, tree, 0)
    return "\n".join([*lines, ""])


@costly(30)
@given(values)
def test_every_tree_reads_back(value: Any) -> None:
    """What the emitter writes is what the reader sees, or the emitter says that it cannot."""
    try:
        text = written({"key": present(value, {}), "list": [present(value, {})]})
    except UnwritableError:
        return
    found = plain(restore(read_tree(text, "x"), {}))
    assert orderless(found) == orderless({"key": value, "list": [value]})


def test_small_structures_stand_in_one_line_and_messages_do_not() -> None:
    """A reviewer reads a message key by key, and a schema at a glance."""
    tree = {
        "schema": {"type": "object", "required": ["path"]},
        "messages": [{"role": "user", "content": "hi"}],
    }
    assert written(tree) == (
        "schema: {type: object, required: [path]}\nmessages:\n- role: user\n  content: hi\n"
    )


def test_embeddings_are_one_line_of_json() -> None:
    """A thousand numbers are not a thousand lines."""
    numbers = [0.5] * 1000
    text = written({"embedding": numbers})
    assert text.count("\n") == 1
    assert read_tree(text, "x") == {"embedding": numbers}


def test_tags_read_back() -> None:
    """Each tag of the format is the same after a round trip."""
    tree = {
        "a": Args("spaced ascii", {"path": "x"}),
        "b": Args("", {"text": "two\nlines"}),
        "c": IdRef("call-1"),
        "d": [AnswerRef(3), AnswerRef(4, 2), ResultRef(5), ResultRef(6, "spaced")],
        "e": RawText("a\r\nb"),
        "f": RawBytes(b"\x00\xff"),
    }
    assert read_tree(written(tree), "x") == tree


def test_too_deep_is_refused() -> None:
    """The writer takes another form for what no reader opens."""
    value: Any = "end of the line"
    for _ in range(200):
        value = [value]
    with pytest.raises(UnwritableError):
        written({"key": value, "x": {"role": value}})
