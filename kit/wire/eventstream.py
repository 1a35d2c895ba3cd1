"""Framing of AWS event streams: any bytes in, messages out, each byte of the body in exactly one of them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from zlib import crc32

_PRELUDE = struct.Struct("!III")
_TAIL = 4
_FIXED = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Header types of a fixed length: booleans, integers, times, uuids; 6 and 7 are bytes and text."""
_BYTES, _TEXT = 6, 7


@dataclass(frozen=True, slots=True)
class EventMessage:
    """One message of an event stream.

    Attributes:
        raw: its bytes; the `raw` of all messages joined are the body.
        headers: those that hold text (`:event-type`, `:message-type`, `:exception-type`, `:content-type`).
        payload: what it carries, JSON mostly.
        intact: whether both checksums hold; a scrubbed recording may have changed a message on purpose.
        finished: False for a tail that the stream broke off, or that is no message.
    """

    raw: bytes
    headers: dict[str, str] = field(default_factory=dict)
    payload: bytes = b""
    intact: bool = True
    finished: bool = True

    @property
    def kind(self) -> str:
        """The event's or the exception's type; empty where it names none."""
        return self.headers.get(":event-type") or self.headers.get(":exception-type") or ""

    @property
    def is_exception(self) -> bool:
        """Whether the server tells that it failed."""
        return self.headers.get(":message-type") in {"exception", "error"}


def messages(body: bytes) -> list[EventMessage]:
    """Split a body into its messages. Total: what is no message is an unfinished tail."""
    found: list[EventMessage] = []
    place = 0
    while place < len(body):
        length = _length(body, place)
        if length is None:
            found.append(EventMessage(body[place:], intact=False, finished=False))
            break
        found.append(_message(body[place : place + length]))
        place += length
    return found


def is_eventstream(body: bytes) -> bool:
    """Whether a body starts with a message whose prelude holds; for answers whose content type is unknown."""
    if len(body) < _PRELUDE.size:
        return False
    _, _, checksum = _PRELUDE.unpack_from(body)
    return bool(crc32(body[:8]) == checksum)


def _length(body: bytes, place: int) -> int | None:
    """The length of the message at a place; None where none fits there."""
    if place + _PRELUDE.size > len(body):
        return None
    total, headers, _ = _PRELUDE.unpack_from(body, place)
    if headers + _PRELUDE.size + _TAIL > total or place + total > len(body):
        return None
    return int(total)


def _message(raw: bytes) -> EventMessage:
    _, length, prelude_sum = _PRELUDE.unpack_from(raw)
    (message_sum,) = struct.unpack_from("!I", raw, len(raw) - _TAIL)
    end = _PRELUDE.size + length
    return EventMessage(
        raw,
        _headers(raw[_PRELUDE.size : end]),
        raw[end:-_TAIL],
        intact=crc32(raw[:8]) == prelude_sum and crc32(raw[:-_TAIL]) == message_sum,
    )


def _headers(block: bytes) -> dict[str, str]:
    """The headers that hold text, as far as they can be read."""
    return {
        name: block[start:end].decode("utf-8", "replace")
        for name, kind, start, end in value_places(block)
        if kind == _TEXT
    }


def value_places(block: bytes) -> Iterator[tuple[str, int, int, int]]:
    """The headers whose values are bytes or text, as far as they can be read.

    Args:
        block: all headers of a message.

    Yields:
        Name, type (6 or 7), and where the value lies in the block; its length stands in the two bytes before.
    """
    place = 0
    while place < len(block):
        name_end = place + 1 + block[place]
        if name_end >= len(block):
            return
        kind, start = block[name_end], name_end + 1
        if kind in _FIXED:
            place = start + _FIXED[kind]
            continue
        if kind not in {_BYTES, _TEXT} or start + 2 > len(block):
            return
        end = start + 2 + int.from_bytes(block[start : start + 2], "big")
        if end > len(block):
            return
        yield block[place + 1 : name_end].decode("utf-8", "replace"), kind, start + 2, end
        place = end
