"""A streamed answer as its message and its exact events, or not at all."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from kit.cassette import body
from kit.cassette.stream import write
from kit.cassette.streams.encoder import encode
from kit.cassette.streams.events import events_of
from kit.cassette.streams.shapes import readings


@dataclasses.dataclass(frozen=True, slots=True)
class Stream:
    """A stream as a cassette holds it.

    Attributes:
        message: what its events add up to.
        shown: the message without what changes on every call.
        row: the exact events, for the volatile block.
    """

    message: Any
    shown: Any
    row: dict[str, Any]


def read(content: bytes, slim: Callable[[Any], Any] = lambda message: message) -> Stream | None:
    """The assembled answer of a stream, and its exact events.

    Args:
        content: the body of an answer that is no JSON.
        slim: takes out of a message what the reviewed part does not show.

    Returns:
        None where this is no stream of JSON events, or one that would not come back byte for byte.
    """
    try:
        return _read(content, slim)
    except RecursionError:  # events nested so deep that nobody reads them
        return None


def _read(content: bytes, slim: Callable[[Any], Any]) -> Stream | None:
    events, framing = events_of(content)
    values = [event.value for event in events if event.value is not None]
    if not values:
        return None
    for reading in readings(values):
        shown = slim(reading.message)
        if body.is_deep(shown):
            continue
        # The encoder takes tokens together and adds blanks: each reading has events of its own.
        row = encode([dataclasses.replace(e, tokens=[*e.tokens]) for e in events], reading, shown)
        if row is None:
            continue
        if framing is not None:
            row["framing"] = framing
        if _is_exact(shown, row, content):
            return Stream(reading.message, shown, row)
    return None


def _is_exact(shown: Any, row: dict[str, Any], content: bytes) -> bool:
    try:
        return write(shown, row) == content
    except (ValueError, LookupError):
        return False
