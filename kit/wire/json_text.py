"""JSON out of bytes that anybody may have sent."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import orjson

_BIG = re.compile(rb"[0-9]{19}")


def parse_json(text: bytes | str) -> Any:
    """The JSON value in `text`; stdlib reads what orjson refuses (big integers, NaN, lone surrogates).

    Raises:
        ValueError: the text is no JSON, or is nested too deeply.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    # orjson reads integers beyond 64 bits as floats, silently.
    if not _BIG.search(data):
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError:
            pass
    try:
        return json.loads(text)
    except RecursionError as error:
        msg = "JSON nested too deeply"
        raise ValueError(msg) from error


def without_twins(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, as `object_pairs_hook`: a key that stands there twice is no fact but a mistake.

    Raises:
        ValueError: one does.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twin} stands there twice")
    return found


def excerpt(body: bytes, limit: int = 80) -> str:
    """The beginning of a body on one line, for an error message."""
    text = " ".join(body[: limit * 4].decode("utf-8", "replace").split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
