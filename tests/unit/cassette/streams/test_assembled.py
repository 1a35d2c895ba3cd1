"""Places of texts."""

from __future__ import annotations

from typing import Any

from kit.cassette.streams.assembled import Place, add_text, leaves_of, own, texts_below


def test_texts_have_places_and_numbers_have_none() -> None:
    """A part that the message shows as it is."""
    part = {"type": "x", "list": [{"text": "a"}, 1, True, None]}
    assert texts_below(part, ("part",), ("output", 0)) == {
        ("part", "type"): Place(("output", 0, "type")),
        ("part", "list", 0, "text"): Place(("output", 0, "list", 0, "text")),
    }
    assert [path for path, _ in leaves_of(part)] == [("type",), ("list", 0, "text"), ("list", 1)]


def test_pieces_add_up() -> None:
    """What is there and no text is replaced; a copy shares nothing."""
    block: dict[str, Any] = {"input": {}}
    copied = own(block)
    add_text(block, "input", "{")
    add_text(block, "input", "}")
    assert (block, copied) == ({"input": "{}"}, {"input": {}})
