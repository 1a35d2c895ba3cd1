"""JSON out of bytes that anybody may have sent."""

from __future__ import annotations

import json
import re
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


def excerpt(body: bytes, limit: int = 80) -> str:
    """The beginning of a body on one line, for an error message."""
    text = " ".join(body[: limit * 4].decode("utf-8", "replace").split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
