"""One text for one value: canonical JSON, and digests of bytes and files."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import orjson

DIGEST_BYTES = 16
_BLOCK = 1 << 20


def canonical_json(value: Any) -> bytes:
    """The JSON text by which two values are compared or digested: sorted keys, compact, UTF-8.

    orjson writes it where it can be trusted. It refuses integers beyond 64 bit and lone surrogates and turns
    NaN and infinity into `null` without a word; those go the slower way of the standard library, which keeps
    them apart.

    Args:
        value: a JSON value; tuples count as lists.

    Raises:
        TypeError: the value is no JSON value.
    """
    try:
        text = orjson.dumps(
            value, option=orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS | _PASSTHROUGH
        )
    except orjson.JSONEncodeError:
        return _standard(value)
    return _standard(value) if b"null" in text and _holds_no_number(value) else text


def digest(content: bytes) -> str:
    """blake2b of 16 bytes, as 32 hex digits: short enough to read, long enough never to meet its double."""
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).hexdigest()


def digest_file(path: Path) -> str:
    """`digest` of a file's content, read in blocks, so that large media need no memory.

    Raises:
        OSError: the file cannot be read.
    """
    state = hashlib.blake2b(digest_size=DIGEST_BYTES)
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            state.update(block)
    return state.hexdigest()


_PASSTHROUGH = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME


def _standard(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _holds_no_number(value: Any) -> bool:
    """True if NaN or an infinity stands anywhere inside."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list | tuple):
            pending.extend(item)
        elif isinstance(item, float) and not math.isfinite(item):
            return True
    return False
