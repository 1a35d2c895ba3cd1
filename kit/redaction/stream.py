"""Secrets in a stream of events, where one may lie in pieces: `sk-ab` here, `c123` in the next delta."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from kit.redaction.search import Search
from kit.redaction.span import Span, json_decoded, json_places, merged, moved

_LINE = re.compile(r"^\x1e?[ \t]*(?:data: ?)?(\{[^\r\n]*)", re.MULTILINE)
_BETWEEN = re.compile(r"[\s,]*")
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"(\s*:)?', re.DOTALL)
_PLACES = ("index", "output_index", "content_index", "summary_index", "contentBlockIndex")

Column = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    raw: str
    offset: int


def find_in_stream(text: str, search: Search) -> list[Span]:
    """Secrets of an event stream or of JSON lines, event by event and in the joined text of each column.

    A column is what a client puts together: the same field of the same block or tool call over all events.
    """
    return _found([(line[1], line.start(1)) for line in _LINE.finditer(text)], text, search)


def find_in_array(text: str, search: Search) -> list[Span]:
    """The same for a stream that is one JSON array of events, as Gemini sends it."""
    events = _members(text)
    return _found(events, text, search) if len(events) > 1 else search.text(text)


def find_in_events(events: Iterable[tuple[str, int]], search: Search) -> list[Span]:
    """Secrets in events, in each by itself and in the joined text of each column.

    Args:
        events: the text of each, and its place in the whole that the spans are of.
        search: knows the rules.
    """
    columns: dict[Column, list[_Piece]] = {}
    alone: list[Span] = []
    for payload, start in events:
        alone.extend(moved(search.text(payload), start, None))
        for column, piece in _pieces(payload, start):
            columns.setdefault(column, []).append(piece)
    joined = [span for pieces in columns.values() if len(pieces) > 1 for span in _in_column(pieces, search)]
    return merged([*joined, *(span for span in alone if not _is_covered(span, joined))])


def _found(events: Sequence[tuple[str, int]], text: str, search: Search) -> list[Span]:
    between: list[Span] = []
    done = 0
    for payload, start in events:
        between.extend(moved(search.prose(text[done:start]), done, None))
        done = start + len(payload)
    between.extend(moved(search.prose(text[done:]), done, None))
    return merged([*between, *find_in_events(events, search)])


def _members(text: str) -> list[tuple[str, int]]:
    """Each object of a JSON array as it is spelled, with its place; as far as the array can be read."""
    decoder = json.JSONDecoder()
    members: list[tuple[str, int]] = []
    place = text.find("[") + 1
    while True:
        between = _BETWEEN.match(text, place)
        place = between.end() if between else place
        if not text.startswith("{", place):
            return members
        try:
            _, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            return members
        members.append((text[place:end], place))
        place = end


def _pieces(payload: str, offset: int) -> Iterator[tuple[Column, _Piece]]:
    """Each string value of an event with its column."""
    try:
        value = orjson.loads(payload)
    except orjson.JSONDecodeError:
        return
    columns = list(_columns(value, ()))
    strings = [token for token in _STRING.finditer(payload) if not token[2]]
    if len(columns) == len(strings):
        for column, token in zip(columns, strings, strict=True):
            yield column, _Piece(json_decoded(token[1]), token[1], offset + token.start(1))


def _columns(value: Any, path: Column) -> Iterator[Column]:
    """Columns of the string leaves, in order of the text."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        place = tuple(value.get(name) for name in _PLACES if isinstance(value.get(name), int))
        for name, item in value.items():
            yield from _columns(item, (*path, place, name))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            is_placed = isinstance(item, dict) and isinstance(item.get("index"), int)
            yield from _columns(item, path if is_placed else (*path, position))


def _in_column(pieces: Sequence[_Piece], search: Search) -> Iterator[Span]:
    """Secrets of the joined text, as a span per piece they touch; only the first carries the mask."""
    spans = search.text("".join(piece.text for piece in pieces))
    if not spans:
        return
    start = 0
    for piece in pieces:
        end = start + len(piece.text)
        for span in spans:
            first, last = max(span.start, start), min(span.end, end)
            if first < last:
                places = json_places(piece.raw, piece.text)
                part = Span(first - start, last - start, span.secret, is_rest=first > span.start)
                yield from moved([part], piece.offset, places)
        start = end


def _is_covered(span: Span, others: Sequence[Span]) -> bool:
    return any(other.start <= span.start and span.end <= other.end for other in others)
