"""Streams, exactly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cassette.stream import path_text, write
from kit.cassette.streams.read import read as read_stream
from tests.fakes.cassettes import stream
from tests.fakes.examples import costly
from tests.fakes.json_values import broken_texts, values


def read(content: bytes) -> tuple[Any, dict[str, Any]] | None:
    """The message and the row of a stream."""
    found = read_stream(content)
    return None if found is None else (found.shown, found.row)


DELTAS = st.one_of(
    st.fixed_dictionaries({"content": broken_texts}),
    st.fixed_dictionaries(
        {"tool_calls": st.lists(st.fixed_dictionaries({"index": st.integers(0, 2)}), max_size=2)}
    ),
)
CHUNKS = st.fixed_dictionaries(
    {
        "choices": st.lists(st.fixed_dictionaries({"index": st.integers(0, 1), "delta": DELTAS}), max_size=2),
        "created": st.integers(0, 2),
        "id": st.sampled_from(["chatcmpl-aaaaaaaaaaaa", "b"]),
    }
)


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """Something like a stream: events of all kinds, framed well and badly, cut anywhere."""
    out = []
    for event in draw(st.lists(st.one_of(CHUNKS, CHUNKS, values), max_size=8)):
        separators = draw(st.sampled_from([(",", ":"), (", ", ": ")]))
        text = json.dumps(event, ensure_ascii=draw(st.booleans()), separators=separators)
        head = draw(
            st.sampled_from(["data: ", "data: ", "data:", "event: x\ndata: ", ": ping\n\ndata: ", ""])
        )
        out.append(head + text + draw(st.sampled_from(["\n\n", "\n\n", "\r\n\r\n", "\n", ""])))
    body = "".join([*out, draw(st.sampled_from(["", "data: [DONE]\n\n", "data: {broken"]))])
    content = body.encode("utf-8", "surrogatepass")
    return content[: draw(st.integers(0, len(content)))] if draw(st.booleans()) else content


@costly(30)
@given(streams())
def test_what_is_read_as_a_stream_is_written_again(content: bytes) -> None:
    """Framing, spacing, escapes, broken events: the bytes are the same, or it is not taken for a stream."""
    found = read(content)
    if found is not None:
        assert write(*found) == content


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_chat_stream_is_its_message_and_a_few_templates(*, ascii_only: bool) -> None:
    """A hundred chunks cost little more than their text."""
    pieces = [f"Wörd {number}, " for number in range(100)]
    content = stream(*pieces, ascii_only=ascii_only)
    found = read(content)
    assert found is not None
    merged, row = found
    assert merged["choices"][0]["delta"] == {"role": "assistant", "content": "".join(pieces)}
    assert row["order"] == "a bx100 c d"
    assert write(merged, row) == content
    assert len(json.dumps([merged, row])) < len(content) / 5


def test_an_edited_message_is_cut_anew() -> None:
    """Who corrects a streamed answer by hand gets a stream of the corrected text."""
    found = read(stream("12:00:02", " ERROR", " disk"))
    assert found is not None
    merged, row = found
    merged["choices"][0]["delta"]["content"] = "12:00:02 ERROR disk full"
    again = read(write(merged, row))
    assert again is not None
    assert again[0] == merged


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"\xff\xfe", b"data: [DONE]\n\n", b'{"a": 1,\n"b":2}', b"<html>\n\n"]
)
def test_what_is_no_stream_is_left_alone(content: bytes) -> None:
    """Other answers are shown as the text they are."""
    assert read(content) is None


def test_lines_of_json_are_a_stream_too() -> None:
    """Ollama's own dialect sends one JSON value a line."""
    lines = [{"message": {"role": "assistant", "content": text}, "done": False} for text in ("Par", "is")]
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    found = read(content)
    assert found is not None
    assert found[0]["message"]["content"] == "Paris"
    assert write(*found) == content


def test_marks_that_the_text_holds_are_not_used() -> None:
    """An event that holds « in a template takes another mark for its slots, or none at all."""
    content = 'data: {"a«":1,"content":"x"}\n\ndata: {"a«":2,"content":"y"}\n\n'.encode()
    found = read(content)
    assert found is not None
    assert found[1]["marks"] == "⟦⟧"
    assert write(*found) == content
    assert read('data: {"«⟦‹":1}\n\ndata: {"«⟦‹":2}\n\n'.encode()) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda row: row.update(order="a bx9 c d"),
        lambda row: row.update(order="q"),
        lambda row: row["columns"].update(id=["1", "2"]),
        lambda row: row["texts"].update(content=["choices[7].delta.content", "1"]),
    ],
)
def test_a_row_that_does_not_fit_is_refused(spoil: Any) -> None:
    """A wrong edit in the volatile block never gives a stream that nobody sent."""
    found = read(stream("a", "b"))
    assert found is not None
    spoil(found[1])
    with pytest.raises((ValueError, KeyError)):
        write(*found)


@pytest.mark.parametrize(
    ("kind", "column"),
    [("columns", [["x", 0]]), ("columns", [["x", 10**9]]), ("texts", ["[0]", "1"]), ("framing", "tcp")],
)
def test_odd_columns_are_refused(kind: str, column: Any) -> None:
    """A run without end, a text that the message does not have, a framing that nobody knows."""
    row: dict[str, Any] = {"order": "a", "events": {"a": "«x»"}}
    if kind == "framing":
        row = {"order": "a", "events": {"a": "b"}, kind: column}
    else:
        row[kind] = {"x": column}
    with pytest.raises(ValueError, match=r"run of tokens|has no text at|no framing of a stream"):
        write([0], row)


def test_columns_of_every_kind() -> None:
    """Pieces and whole repetitions of a text, ranges, runs, blanks, and values written whole."""
    row = {
        "order": "ax4",
        "events": {"a": ["«t» «n» «r»«b»«v»\n"]},
        "columns": {"n": "7..10", "r": ["'x'", ["'y'", 3]]},
        "texts": {"t": ["m.t", "2 * 3 *"]},
        "blanks": {"b": "0 1 2x2"},
        "values": {"v": ["m.o", "spaced"]},
    }
    told = {"m": {"t": "hello", "o": {"a": [1, 2]}}}
    value = '{"a": [1, 2]}'
    assert write(told, row).decode().splitlines() == [
        f"\"he\" 7 'x'{value}",
        f"\"hello\" 8 'y' {value}",
        f"\"llo\" 9 'y'  {value}",
        f"\"hello\" 10 'y'  {value}",
    ]


def test_paths_as_text() -> None:
    """As rows name them."""
    assert path_text(("a", 0, "b", "c")) == "a[0].b.c"
    assert path_text(()) == ""
