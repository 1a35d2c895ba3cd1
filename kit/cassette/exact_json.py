"""JSON read without the lies of a fast parser: no duplicate key dropped, no number rounded.

orjson turns integers beyond 64 bit into floats, keeps the last of two equal keys, and refuses NaN, a byte
order mark and lone surrogates. Two different requests must never get one key (decision 4), so the rare bodies
that hold such things are read here, at a tenth of the speed.
"""

from __future__ import annotations

import json
import math
from typing import Any

BIG = 2.0**53
"""From here on a float no longer tells neighbouring integers apart: its text decides."""

MAX_DEPTH = 120
"""Who walks through a value that is deeper may run out of stack, sooner the deeper an agent's own is."""

_MAX_DIGITS = 300
_NUMBER = "\ud800number"
_DUPLICATES = "\ud800duplicates"


class NotJsonError(ValueError):
    """The bytes are no JSON text, or one too deep to read."""


def loads_exact(body: bytes) -> Any:
    """A JSON value in which everything that Python values cannot hold is tagged and so stays distinct.

    Numbers that a float would round, NaN and infinities become `{tag: text}`; an object with duplicate keys
    becomes `{tag: [[key, value], …]}`. The tags hold a lone surrogate, which no sane text contains.

    Raises:
        NotJsonError: the bytes are no JSON text, or one too deep to read.
    """
    try:
        return json.loads(
            body, parse_int=_integer, parse_float=_real, parse_constant=_tagged, object_pairs_hook=_object
        )
    except (ValueError, RecursionError) as error:
        raise NotJsonError(str(error)) from error


def dumps_exact(value: Any) -> bytes:
    """Canonical text of what `loads_exact` read: sorted keys, compact, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def has_big_float(value: Any) -> bool:
    """True if a float stands inside that may be a rounded integer."""
    if isinstance(value, float):
        return not -BIG < value < BIG
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in items:  # noqa: SIM110 - a generator costs more than most values have items
        # Most are texts, passed by without a call.
        if type(item) is not str and has_big_float(item):
            return True
    return False


def _tagged(text: str) -> dict[str, str]:
    return {_NUMBER: text}


def _integer(text: str) -> Any:
    return _tagged(text) if len(text) > _MAX_DIGITS else int(text)


def _real(text: str) -> Any:
    number = float(text)
    return number if math.isfinite(number) and abs(number) < BIG else _tagged(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    return value if len(value) == len(pairs) else {_DUPLICATES: [list(pair) for pair in pairs]}
