"""Secrets in the frames of an AWS event stream, where one may lie in pieces as in any stream."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from kit.redaction.search import Search
from kit.redaction.span import Span, moved
from kit.redaction.stream import find_in_events
from kit.wire.eventframe import Frame, opened

Found = list[list[Span]]
"""The secrets of each text, in the order of the texts."""


def find_in_frames(frames: Sequence[Frame], texts: Sequence[str], search: Search) -> Found:
    """The secrets of opened frames.

    Args:
        frames: what tells the texts apart.
        texts: of all frames in order, as they are by now.
        search: knows the rules.
    """
    starts = [0, *accumulate(map(len, texts))]
    whole = "".join(texts)
    spans: list[Span] = []
    events: list[tuple[str, int]] = []
    at = 0
    for frame in frames:
        for name in frame.names:
            spans.extend(moved(search.named(name.lstrip(":"), texts[at]), starts[at], None))
            at += 1
        for first, end in _payloads(frame, at):
            event = whole[starts[first] : starts[end]]
            if "\0" not in event:
                events.append((event, starts[first]))
            at = end
    return _by_text([*spans, *find_in_events(events, search)], starts)


def readable(body: bytes) -> str:
    """All that a body's frames say, also what stands in them in base64."""
    return "\n".join(text for frame in opened(body) for text in frame.texts)


def _payloads(frame: Frame, at: int) -> Iterator[tuple[int, int]]:
    """Where the texts of each event of a frame begin and end, among all texts."""
    middle = at + len(frame.pieces)
    yield at, middle
    for place in range(middle, middle + len(frame.inner)):
        yield place, place + 1


def _by_text(spans: list[Span], starts: Sequence[int]) -> Found:
    """Spans of the joined texts as those of each text; what lies in two is a secret in pieces."""
    found: Found = [[] for _ in starts[1:]]
    for span in spans:
        at = bisect_right(starts, span.start) - 1
        while at < len(found) and starts[at] < span.end:
            start, end = max(span.start, starts[at]), min(span.end, starts[at + 1])
            if start < end:
                is_rest = span.is_rest or start > span.start
                found[at].append(
                    replace(span, start=start - starts[at], end=end - starts[at], is_rest=is_rest)
                )
            at += 1
    return found
