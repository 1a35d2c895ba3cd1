"""A stream's bytes as its events: the text of each, its JSON value, and the places of the tokens in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from kit.cassette import body
from kit.cassette.assemble import Path, leaves, place_of
from kit.cassette.frames import FRAMES, unframed

_SSE = re.compile(r"^data:", re.MULTILINE)
_BLOCK = re.compile(r"(?:.|\n)*?(?:\r\n\r\n|\n\n|\r\r)|(?:.|\n)+\Z")
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_PAYLOAD = re.compile(r"^(?:data: ?)?(\{[^\r\n]*\})", re.MULTILINE)
_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?|(-?[0-9][-+0-9.eE]*)')


@dataclass(slots=True)
class Event:
    """One event: its whole text, and its JSON value if it has one that can be taken apart.

    Attributes:
        block: the text.
        tokens: `(start, end)` of each text and number of the value, in order.
        paths: where each of them stands in the merge of all events.
        value: None where the event is text only.
        span: `(start, end)` of the value's text.
    """

    block: str
    tokens: list[tuple[int, int]] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    value: Any = None
    span: tuple[int, int] = (0, 0)


def events_of(content: bytes) -> tuple[list[Event], str | None]:
    """The events of a stream, and its framing where it is no text; no event where it is no stream."""
    texts = unframed(content)
    if texts is not None:
        return [_event(text) for text in texts], FRAMES
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return [], None
    return [_event(block) for block in _split(text)], None


def _split(text: str) -> list[str]:
    if _SSE.search(text):
        return _BLOCK.findall(text)
    lines = _LINE.findall(text)
    return lines if len(lines) > 1 and all(line.startswith("{") for line in lines) else []


def _event(block: str) -> Event:
    found = _PAYLOAD.search(block)
    if found is None:
        return Event(block)
    try:
        value = body.parse(found.group(1))
        paths = [path for path, _ in leaves(value, place_of(value))]
    except (ValueError, RecursionError):
        return Event(block)
    tokens = [
        match.span()
        for match in _TOKEN.finditer(block, found.start(1), found.end(1))
        if match.group(2) is None
    ]
    return Event(block, tokens, paths, value, found.span(1)) if len(tokens) == len(paths) else Event(block)
