"""Templates and columns."""

from __future__ import annotations

from kit.cassette.streams.assembled import Assembled, Place, Places
from kit.cassette.streams.encoder import encode
from kit.cassette.streams.events import events_of

SAID = "a text that is long enough to be named"


def test_what_the_message_shows_is_named_and_the_rest_are_columns() -> None:
    """Pieces, whole repetitions, numbers that count up, and values that the message does not show."""
    content = "".join(
        f'data: {{"d":"{piece}","n":{number},"i":"item-with-a-rather-long-name-{number > 1}"}}\n\n'
        for number, piece in enumerate([SAID[:10], SAID[10:], SAID, SAID])
    )
    events, _ = events_of(content.encode())
    pieces: Places = {("d",): Place(("text",), is_piece=True)}
    row = encode(events, Assembled({"text": SAID}, [pieces] * 4), {"text": SAID})
    assert row is not None
    assert row["texts"] == {"text": ["text", f"10 {len(SAID) - 10} *x2"]}
    assert row["columns"]["n"] == "0..3"
    assert row["columns"]["i"] == [
        ['"item-with-a-rather-long-name-False"', 2],
        ['"item-with-a-rather-long-name-True"', 2],
    ]
    assert row["order"] == "ax4"


def test_no_mark_is_left() -> None:
    """A text that holds all of them cannot be a template."""
    events, _ = events_of('data: {"«":1}\n\ndata: {"⟦":"‹"}\n\n'.encode())
    assert encode(events, Assembled({}, None), {}) is None
