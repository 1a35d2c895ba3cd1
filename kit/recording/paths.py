"""Keeps paths of this machine out of what is recorded, and puts them back into what is replayed."""

from __future__ import annotations

import functools
import re
from typing import Any

from kit.wire.eventframe import closed, opened
from kit.wire.eventstream import is_eventstream, messages

_MASK = rb"<secret-\d+>"


class PathMap:
    """Replaces real paths by their aliases and back, in bytes and in JSON values.

    Args:
        pairs: `(real, alias)`; the longest real path wins where one lies below another.
    """

    def __init__(self, pairs: tuple[tuple[str, str], ...]) -> None:
        self._hide = _Replacement(dict(pairs))
        self._show = _Replacement({alias: real for real, alias in pairs})

    def hide(self, body: bytes) -> bytes:
        """Real paths become aliases."""
        return self._hide.in_bytes(body)

    def show(self, body: bytes) -> bytes:
        """Aliases become real paths."""
        return self._show.in_bytes(body)

    def hide_value(self, value: Any) -> Any:
        """Real paths in the strings of a JSON value become aliases."""
        return self._hide.in_value(value)

    def show_value(self, value: Any) -> Any:
        """Aliases in the strings of a JSON value become real paths."""
        return self._show.in_value(value)

    def realign(self, before: bytes, after: bytes, lengths: tuple[int, ...]) -> tuple[int, ...]:
        """Moves the chunk boundaries of `before` to `after`, which differs by paths and masks only.

        A boundary that lay inside a replaced piece moves behind it.
        """
        if before == after or not lengths:
            return lengths
        if is_eventstream(before) and is_eventstream(after):
            anchors = _frames(before, after)
        else:
            pieces = [_MASK, *self._hide.results(), *self._show.results()]
            anchors = _anchors(before, after, re.compile(b"|".join(pieces)))
        ends: list[int] = []
        position = 0
        for length in lengths[:-1]:
            position += length
            ends.append(_moved(position, anchors))
        ends.append(len(after))
        return tuple(end - start for start, end in zip([0, *ends], ends, strict=False) if end > start)


class _Replacement:
    def __init__(self, table: dict[str, str]) -> None:
        self._texts = {old: new for old, new in table.items() if old}
        self._bytes = {old.encode(): new.encode() for old, new in self._texts.items()}
        # `\/` is how some JSON writers spell a slash.
        self._bytes |= {
            old.replace(b"/", b"\\/"): new.replace(b"/", b"\\/") for old, new in self._bytes.items()
        }

    # Most runs name no path of the machine, and looking for one is quicker than compiling what replaces it.
    @functools.cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self._texts, key=len, reverse=True))))

    @functools.cached_property
    def _octets(self) -> re.Pattern[bytes]:
        return re.compile(b"|".join(map(re.escape, sorted(self._bytes, key=len, reverse=True))))

    def results(self) -> list[bytes]:
        return [re.escape(new) for new in self._bytes.values()]

    def in_bytes(self, body: bytes) -> bytes:
        # Older recordings have paths replaced without regard to frames; they come back in the same way.
        if self._bytes and is_eventstream(body) and _is_sound(body):
            frames = opened(body)
            return closed(frames, [self._in_text(text) for frame in frames for text in frame.texts])
        return self._in_octets(body)

    def _in_text(self, text: str) -> str:
        octets = text.encode("utf-8", "surrogateescape")
        return self._in_octets(octets).decode("utf-8", "surrogateescape")

    def _in_octets(self, body: bytes) -> bytes:
        if not any(old in body for old in self._bytes):
            return body
        return self._octets.sub(lambda found: self._bytes[found.group()], body)

    def in_value(self, value: Any) -> Any:
        if not self._texts:
            return value
        if isinstance(value, str):
            if not any(old in value for old in self._texts):
                return value
            return self._pattern.sub(lambda found: self._texts[found.group()], value)
        if isinstance(value, list):
            return [self.in_value(item) for item in value]
        if isinstance(value, dict):
            return {self.in_value(name): self.in_value(item) for name, item in value.items()}
        return value


def _anchors(before: bytes, after: bytes, replaced: re.Pattern[bytes]) -> list[tuple[int, int, int]]:
    """Literal stretches that both share, as `(start in before, start in after, length)`."""
    anchors: list[tuple[int, int, int]] = []
    cursor = 0
    position = 0
    for found in [*replaced.finditer(after), None]:
        literal = after[position : found.start() if found else len(after)]
        at = before.find(literal, cursor) if found else len(before) - len(literal)
        if at >= 0:
            anchors.append((at, position, len(literal)))
            cursor = at + len(literal)
        position = found.end() if found else position
    return anchors


def _is_sound(body: bytes) -> bool:
    return all(one.intact or not one.finished for one in messages(body))


def _frames(before: bytes, after: bytes) -> list[tuple[int, int, int]]:
    """The same of two event streams, frame by frame: what changed in one changed its length and checksums."""
    anchors: list[tuple[int, int, int]] = []
    at = position = 0
    for old, new in zip(messages(before), messages(after), strict=False):
        anchors.append((at, position, len(old.raw) if old.raw == new.raw else 0))
        at, position = at + len(old.raw), position + len(new.raw)
    return [*anchors, (len(before), len(after), 0)]


def _moved(position: int, anchors: list[tuple[int, int, int]]) -> int:
    for start, moved, length in anchors:
        if position < start:
            return moved
        if position <= start + length:
            return moved + position - start
    return anchors[-1][1] + anchors[-1][2]
