"""Breaks a model's answer on purpose: torn in the middle, or tool-call arguments that are no JSON.

Plain functions on what was answered, so that a live run and each replay break it alike.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import replace

from kit.cassette.interaction import HttpResponse

TORN = (
    "RemoteProtocolError: peer closed connection without sending complete message body "
    "(incomplete chunked read)"
)

_ARGUMENTS = re.compile(rb'"arguments"\s*:\s*("(?:[^"\\]|\\.)*")')
"""The arguments of a tool call, or a piece of them: in a whole answer and in the events of a stream alike.

Inside any other text of the answer the quotes around the name are escaped, so that this does not match.
"""
_Edit = tuple[int, int, bytes]


def cut(response: HttpResponse, at: int | None) -> HttpResponse | None:
    """The answer as far as it got before the connection broke.

    Args:
        response: the whole answer.
        at: number of bytes that arrive; None is the middle of the tool-call arguments.

    Returns:
        None where there is no such place.
    """
    place = _middle(response.body) if at is None else at
    if place is None or place >= len(response.body) or not _is_whole(response):
        return None
    bounds = [min(bound, place) for bound in _bounds(response.chunks)]
    return replace(response, body=response.body[:place], chunks=_lengths(bounds), failure=TORN)


def garble(response: HttpResponse) -> HttpResponse | None:
    """The answer with tool-call arguments as small models write them, without the quotes.

    Returns:
        None where it holds no arguments that could be broken.
    """
    edits = _without(response.body, '"') or _without(response.body, "}")
    if not edits or not _is_whole(response):
        return None
    bounds = [_moved(bound, edits) for bound in _bounds(response.chunks)]
    return replace(response, body=_edited(response.body, edits), chunks=_lengths(bounds))


def _is_whole(response: HttpResponse) -> bool:
    return response.status == 200 and response.failure is None


def _middle(body: bytes) -> int | None:
    """The middle of all pieces of arguments, a place inside the text of one of them."""
    spans = [found.span(1) for found in _ARGUMENTS.finditer(body) if found[1] != b'""']
    left = sum(end - start - 2 for start, end in spans) // 2
    for start, end in spans:
        inside = end - start - 2
        if left < inside:
            return start + 1 + left
        left -= inside
    return None


def _without(body: bytes, sign: str) -> list[_Edit]:
    """What has to be replaced to take a sign out of all arguments."""
    edits = []
    for found in _ARGUMENTS.finditer(body):
        text = json.loads(found[1])
        if sign in text:
            edits.append((*found.span(1), json.dumps(text.replace(sign, "")).encode()))
    return edits


def _edited(body: bytes, edits: Sequence[_Edit]) -> bytes:
    pieces, at = [], 0
    for start, end, new in edits:
        pieces += [body[at:start], new]
        at = end
    return b"".join([*pieces, body[at:]])


def _moved(bound: int, edits: Sequence[_Edit]) -> int:
    """Where a place of the old body lies in the new one."""
    shift = 0
    for start, end, new in edits:
        if bound <= start:
            break
        shift += len(new) - (end - start) if bound >= end else min(len(new) - (bound - start), 0)
    return bound + shift


def _bounds(chunks: Sequence[int]) -> list[int]:
    """Where each piece of a streamed body ends."""
    return list(itertools.accumulate(chunks))


def _lengths(bounds: Sequence[int]) -> tuple[int, ...]:
    """The inverse of `_bounds`, without pieces that have become empty."""
    pairs = zip([0, *bounds], bounds, strict=False)
    return tuple(end - start for start, end in pairs if end > start)
