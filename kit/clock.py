"""The only door to the real time and to real chance; what a run sees of both is `recording`'s business."""

from __future__ import annotations

import datetime as dt
import time
import uuid


def now() -> dt.datetime:
    """The real time, aware, UTC."""
    return dt.datetime.now(dt.UTC)  # noqa: TID251 - this is the door


def monotonic_ms() -> int:
    """Real monotonic time in integer milliseconds."""
    return time.monotonic_ns() // 1_000_000


def iso(moment: dt.datetime) -> str:
    """`2026-11-29T21:59:34Z`: UTC, whole seconds."""
    return moment.astimezone(dt.UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")


def parse_iso(text: str) -> dt.datetime:
    """The inverse of `iso`.

    Raises:
        ValueError: the text is no ISO 8601 instant with a zone.
    """
    moment = dt.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        msg = f"{text!r} has no time zone"
        raise ValueError(msg)
    return moment.astimezone(dt.UTC)


def fresh_id() -> str:
    """A random id of 12 hex digits for things that never reach a cassette (journal names, temp files)."""
    return uuid.uuid4().hex[:12]  # noqa: TID251 - this is the door
