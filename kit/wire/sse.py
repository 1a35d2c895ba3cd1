"""Framing of server-sent events: any bytes in, events out, each byte of the body in exactly one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One block of an event stream, up to and with the blank line that ends it.

    Attributes:
        raw: the block's bytes; the `raw` of all events joined are the body.
        data: the `data` lines joined by a newline; None where the block has none (comments, keep-alives).
        event: the event's type, None where not named.
        id: the event's id, None where not sent.
        comments: texts of the comment lines.
        finished: False for a tail that the stream broke off.
    """

    raw: bytes
    data: bytes | None = None
    event: str | None = None
    id: str | None = None
    comments: tuple[str, ...] = ()
    finished: bool = True

    @property
    def is_done(self) -> bool:
        """Whether this is OpenAI's end mark, `[DONE]`."""
        return self.data is not None and self.data.strip() == b"[DONE]"


def events(body: bytes) -> list[SseEvent]:
    """Split a body into its events. Total: no bytes make it raise.

    Line ends may be LF, CRLF or CR, mixed; a byte order mark at the start is in the first event's `raw` only.
    """
    found: list[SseEvent] = []
    lines: list[bytes] = []
    block_start = line_start = 0
    for end in _LINE_END.finditer(body):
        line = body[line_start : end.start()]
        if line_start == 0:
            line = line.removeprefix(_BOM)
        line_start = end.end()
        if line:
            lines.append(line)
            continue
        found.append(_event(body[block_start:line_start], lines, finished=True))
        lines, block_start = [], line_start
    if block_start < len(body):
        tail = body[line_start:]
        if line_start == 0:
            tail = tail.removeprefix(_BOM)
        found.append(_event(body[block_start:], [*lines, tail], finished=False))
    return found


def _event(raw: bytes, lines: list[bytes], *, finished: bool) -> SseEvent:
    """Read the fields of one block; unknown fields are ignored, as the standard asks."""
    data: list[bytes] = []
    comments: list[str] = []
    named: dict[bytes, str] = {}
    for line in lines:
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            data.append(value)
        elif field in {b"event", b"id"}:
            named[field] = value.decode("utf-8", "replace")
        elif line.startswith(b":"):
            comments.append(value.decode("utf-8", "replace"))
    return SseEvent(
        raw=raw,
        data=b"\n".join(data) if data else None,
        event=named.get(b"event"),
        id=named.get(b"id"),
        comments=tuple(comments),
        finished=finished,
    )
