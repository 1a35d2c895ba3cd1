"""An answer's bytes sorted: nothing, a stream or JSON, before a dialect reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from kit.wire.dialect import ModelAnswer
from kit.wire.json_text import excerpt, parse_json
from kit.wire.sse import SseEvent, events


def read_answer(
    body: bytes,
    content_type: str,
    *,
    streamed: bool,
    of_json: Callable[[Any], ModelAnswer],
    of_stream: Callable[[bytes], ModelAnswer],
) -> ModelAnswer:
    """What was answered; a body that starts like JSON is JSON, whatever the header says.

    Args:
        body: the bytes after content-decoding.
        content_type: of the response, empty where unknown.
        streamed: whether the client read it in pieces; decides only where the content type says nothing.
        of_json: reads a JSON value.
        of_stream: reads the body of a stream.
    """
    if not body.strip():
        return ModelAnswer(error="empty answer", broken=streamed)
    if is_event_stream(body, content_type, streamed=streamed):
        return of_stream(body)
    try:
        value = parse_json(body)
    except ValueError:
        return ModelAnswer(error=f"answer is not JSON: {excerpt(body)}")
    return of_json(value)


def is_event_stream(body: bytes, content_type: str, *, streamed: bool) -> bool:
    """Whether a body is server-sent events."""
    if body.lstrip()[:1] in {b"{", b"["}:
        return False
    kind = content_type.lower()
    if "event-stream" in kind:
        return True
    is_text_of_events = body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"data:", b"event:", b":"))
    return "json" not in kind and "html" not in kind and (streamed or is_text_of_events)


def event_values(event: SseEvent) -> Iterator[Any]:
    """The JSON of an event; line by line where a server forgot the blank line between two."""
    if event.data is None:
        return
    for text in (event.data, *event.data.split(b"\n")) if b"\n" in event.data else (event.data,):
        try:
            yield parse_json(text)
        except ValueError:
            continue
        if text is event.data:
            return


def sse_values(body: bytes) -> Iterator[Any]:
    """The JSON of all events of a stream, in order; what is no JSON, like an end mark, is passed over."""
    for event in events(body):
        yield from event_values(event)


def json_lines(body: bytes) -> list[Any]:
    """The values of a body with one JSON value a line; a torn line is passed over."""
    found = []
    for line in body.splitlines():
        if line.strip():
            try:
                found.append(parse_json(line))
            except ValueError:
                continue
    return found


def json_items(body: bytes) -> tuple[list[Any], bool]:
    """The items of a JSON array that may have been torn off, and whether it is whole."""
    try:
        value = parse_json(body)
    except ValueError:
        return _items_so_far(body.decode("utf-8", "replace")), False
    return (value, True) if isinstance(value, list) else ([value], True)


def _items_so_far(text: str) -> list[Any]:
    decoder = json.JSONDecoder()
    found: list[Any] = []
    place = text.find("[") + 1
    while True:
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        try:
            item, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            return found
        found.append(item)
