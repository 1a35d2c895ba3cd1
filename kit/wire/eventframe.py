"""Frames of AWS event streams opened for a change of their texts, closed with right lengths and checksums.

A frame that was broken stays as broken as it was: a checksum that was wrong is wrong by the same bits, and as
many bytes are missing of a frame that the stream cut off.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from kit.wire.eventstream import messages, value_places

_LENGTHS = struct.Struct("!II")
_SUM = struct.Struct("!I")
_HEAD = 12
_TAIL = 4
_LONGEST_VALUE = 0xFFFF
_MOST = 1 << 31
_INNER = re.compile(r'"bytes"\s*:\s*"([A-Za-z0-9+/]{4,}={0,2})(?:"|\Z)')


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame, or the tail of a stream that broke off.

    Attributes:
        raw: its bytes.
        names: of the headers that hold text or bytes, in order.
        values: of these headers.
        pieces: the payload, cut where base64 of a text was taken out of a field `bytes`; joined they are JSON
            with an empty string in each such place. Of a tail that cannot be read: all that can be changed.
        inner: the texts taken out, one between two pieces.
    """

    raw: bytes
    names: tuple[str, ...]
    values: tuple[str, ...]
    pieces: tuple[str, ...]
    inner: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """All that can be changed: the values, the pieces, what was inside."""
        return (*self.values, *self.pieces, *self.inner)

    @property
    def payloads(self) -> tuple[str, ...]:
        """What it carries: the payload, and the texts that were inside it in base64."""
        return ("".join(self.pieces), *self.inner)


def opened(body: bytes) -> list[Frame]:
    """The frames of a body. Total: what is no frame is the last one."""
    return [_frame(message.raw) for message in messages(body)]


def closed(frames: Sequence[Frame], texts: Sequence[str]) -> bytes:
    """The body with other texts; a frame whose texts are the same keeps its bytes.

    Args:
        frames: as `opened` gave them.
        texts: as many as `Frame.texts` of all frames together, in order.
    """
    rest = iter(texts)
    return b"".join(_closed(frame, tuple(next(rest) for _ in frame.texts)) for frame in frames)


def _frame(raw: bytes) -> Frame:
    head, payload, _ = _parts(raw)
    if head is None:
        return Frame(raw, (), (), (_text(payload),))
    places = list(value_places(head))
    values = tuple(_text(head[start:end]) for _, _, start, end in places)
    pieces, inner = _split(_text(payload))
    return Frame(raw, tuple(name for name, *_ in places), values, pieces, inner)


def _parts(raw: bytes) -> tuple[bytes | None, bytes, int]:
    """Headers, payload and where the payload begins; None for headers that a tail does not hold whole."""
    if len(raw) < _HEAD:
        return None, raw, 0
    total, length = _LENGTHS.unpack_from(raw)
    start = _HEAD + length
    if start + _TAIL > total or not len(raw) <= total <= _MOST:
        return None, raw, 0
    if total > len(raw) and crc32(raw[:8]) != _SUM.unpack_from(raw, 8)[0]:
        return None, raw, 0
    if start > len(raw):
        return None, raw[_HEAD:], _HEAD
    return raw[_HEAD:start], raw[start : total - _TAIL], start


def _split(payload: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pieces: list[str] = []
    inner: list[str] = []
    done = 0
    for match in _INNER.finditer(payload):
        # A tail may end in the middle of four signs: what is left of them says nothing.
        end = match.start(1) + len(match[1]) // 4 * 4
        text = _decoded(payload[match.start(1) : end])
        if text is not None:
            pieces.append(payload[done : match.start(1)])
            inner.append(text)
            done = match.end(1) if match.end() == match.end(1) else end
    return (*pieces, payload[done:]), tuple(inner)


def _decoded(encoded: str) -> str | None:
    """The text that base64 holds; None where it is none."""
    try:
        text = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    return None if "\0" in text else text


def _closed(frame: Frame, texts: tuple[str, ...]) -> bytes:
    if texts == frame.texts:
        return frame.raw
    values = texts[: len(frame.values)]
    pieces = texts[len(values) : len(values) + len(frame.pieces)]
    payload = _octets("".join(_joined(pieces, texts[len(values) + len(pieces) :])))
    head, old, start = _parts(frame.raw)
    if head is None and not start:
        return payload
    total, length = _LENGTHS.unpack_from(frame.raw)
    new_head = b"" if head is None else _with_values(head, values)
    grown = len(payload) - len(old)
    # Where not all headers arrived, what changed are headers.
    grown_head = grown if head is None else len(new_head) - len(head)
    prelude = _LENGTHS.pack(total + grown + (0 if head is None else grown_head), length + grown_head)
    prelude += _summed(prelude, frame.raw, 8)
    message = prelude + new_head + payload
    if total > len(frame.raw):
        return message + frame.raw[start + len(old) :]
    return message + _summed(message, frame.raw, total - _TAIL)


def _joined(pieces: Sequence[str], inner: Sequence[str]) -> Iterator[str]:
    for piece, text in zip(pieces, (*inner, ""), strict=True):
        yield piece
        yield base64.b64encode(_octets(text)).decode()


def _with_values(head: bytes, values: Sequence[str]) -> bytes:
    made = b""
    done = 0
    for (_, _, start, end), value in zip(value_places(head), values, strict=True):
        octets = _octets(value)[:_LONGEST_VALUE]
        made += head[done : start - 2] + len(octets).to_bytes(2, "big") + octets
        done = end
    return made + head[done:]


def _summed(octets: bytes, raw: bytes, at: int) -> bytes:
    """The checksum of new bytes, wrong by the same bits as the one that stood at a place of the old."""
    flaw = _SUM.unpack_from(raw, at)[0] ^ crc32(raw[:at])
    return _SUM.pack(crc32(octets) ^ flaw)


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
