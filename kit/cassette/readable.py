"""How readable the halves of an interaction can be written, and what of their bodies is JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kit.cassette import body
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction

FOLDED, WHOLE, TEXT, BYTES = range(4)
"""How readable a half of an interaction is: the writer steps down until it reads back (decision 8)."""


@dataclass(slots=True)
class Levels:
    """How readable the two halves of one interaction may be."""

    request: int = FOLDED
    response: int = FOLDED


@dataclass(frozen=True, slots=True)
class Parsed:
    """A body that is JSON, with the hint under which it is written again."""

    value: Any
    hint: dict[str, Any]


def parse_bodies(interactions: Sequence[Interaction]) -> list[tuple[Parsed | None, Parsed | None]]:
    """Request and response of each interaction where they are JSON; done once, used by every attempt."""
    return [(_parsed(_body(item.request)), _parsed(_body(item.response))) for item in interactions]


def _body(half: Any) -> bytes:
    return half.body if isinstance(half, (HttpRequest, HttpResponse)) else b""


def _parsed(content: bytes) -> Parsed | None:
    try:
        found = body.read(content.decode("utf-8")) if content else None
    except UnicodeDecodeError:
        return None
    return None if found is None else Parsed(*found)
