"""An answer's bytes sorted before a dialect reads them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.wire.answer import is_event_stream, json_items, json_lines, read_answer, sse_values
from kit.wire.dialect import ModelAnswer


def read(body: bytes, content_type: str = "", *, streamed: bool = False) -> ModelAnswer:
    """What became of a body: its JSON or its stream as the text of an answer."""
    return read_answer(
        body,
        content_type,
        streamed=streamed,
        of_json=lambda value: ModelAnswer(text=f"json {value}"),
        of_stream=lambda stream: ModelAnswer(text=f"stream of {len(stream)}"),
    )


@pytest.mark.parametrize(
    ("body", "content_type", "streamed", "text"),
    [
        (b"[1]", "text/event-stream", True, "json [1]"),
        (b"data: 1\n\n", "text/event-stream", False, "stream of 9"),
        (b"data: 1\n\n", "", False, "stream of 9"),
        (b": ping\n\n", "", False, "stream of 8"),
        (b"event: x\n\n", "application/octet-stream", True, "stream of 10"),
    ],
)
def test_bytes_tell_more_than_headers(body: bytes, content_type: str, streamed: bool, text: str) -> None:
    """Servers answer a request for a stream with JSON when they fail, and streams come without a type."""
    assert read(body, content_type, streamed=streamed).text == text


@pytest.mark.parametrize("streamed", [True, False])
def test_an_empty_body_is_an_error_and_broken_where_it_was_a_stream(streamed: bool) -> None:
    """A server that closes at once said nothing."""
    assert read(b" \n", streamed=streamed) == ModelAnswer(error="empty answer", broken=streamed)


@pytest.mark.parametrize("content_type", ["text/html", "application/json", ""])
def test_a_page_of_a_proxy_is_no_answer(content_type: str) -> None:
    """Its beginning stands in the error."""
    answer = read(b"<html><h1>502 Bad Gateway</h1></html>", content_type)
    assert answer.error == "answer is not JSON: <html><h1>502 Bad Gateway</h1></html>"


def test_a_torn_line_is_passed_over() -> None:
    """A stream of lines keeps what came whole."""
    assert json_lines(b'{"a":1}\r\n\n{"b":2}\n{"c"') == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize(
    ("body", "items", "is_whole"),
    [
        (b'[{"a":1},\n{"b":2}]', [{"a": 1}, {"b": 2}], True),
        (b'[{"a":1},\n{"b":2', [{"a": 1}], False),
        (b'[{"a":1}\n', [{"a": 1}], False),
        (b'{"a":1}', [{"a": 1}], True),
        (b"no", [], False),
    ],
)
def test_an_array_that_grows_keeps_its_whole_items(body: bytes, items: list[Any], is_whole: bool) -> None:
    """Gemini streams an array where nobody asked for events."""
    assert json_items(body) == (items, is_whole)


def test_events_give_their_json_and_no_end_mark() -> None:
    """Two values in one event, as servers without a blank line send them, are two."""
    stream = b'data: {"a":1}\ndata: {"b":2}\n\n: ping\n\ndata: [DONE]\n\n'
    assert list(sse_values(stream)) == [{"a": 1}, {"b": 2}]


@given(st.binary(max_size=200), st.sampled_from(["", "application/json", "text/event-stream"]), st.booleans())
def test_no_bytes_raise(body: bytes, content_type: str, streamed: bool) -> None:
    """Whatever a server sent."""
    read(body, content_type, streamed=streamed)
    json_lines(body)
    json_items(body)
    list(sse_values(body))
    is_event_stream(body, content_type, streamed=streamed)
