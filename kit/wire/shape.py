"""JSON values of any shape, read as if they had the right one: what does not fit counts as missing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson

from kit.wire.json_text import excerpt, parse_json


def as_object(value: Any) -> dict[str, Any]:
    """The object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; whatever else it holds is passed over."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_or_none(value: Any) -> str | None:
    """A string that says something, else None."""
    return value if isinstance(value, str) and value else None


def read_count(usage: Any, name: str) -> int | None:
    """A token count; None where it is missing or is no count (X-05)."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None


def total(*counts: int | None) -> int | None:
    """The sum of the counts that are known; None where none is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def without(value: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """A request's parameters: all of it but what is read elsewhere."""
    return {key: item for key, item in value.items() if key not in names}


def prose(pieces: Iterable[str | None]) -> str | None:
    """Text of an answer's blocks: neighbours run on, what None (a tool, a thought) parts is a paragraph.

    Returns:
        None where nothing was said.
    """
    paragraphs = [""]
    for piece in pieces:
        if piece is not None:
            paragraphs[-1] += piece
        elif paragraphs[-1]:
            paragraphs.append("")
    return "\n\n".join(text for text in paragraphs if text) or None


def compact(value: Any) -> str:
    """A value as JSON without blanks; a text as it is."""
    if isinstance(value, str):
        return value
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # integers beyond 64 bits, lone surrogates, too deep
        return _spelled(value)


def request_object(body: bytes) -> tuple[dict[str, Any], str | None]:
    """The object that a request's body is, and why there is none where there is none."""
    try:
        value = parse_json(body)
    except ValueError:
        return {}, f"request is not JSON: {excerpt(body)}"
    if not isinstance(value, dict):
        return {}, f"request is not a JSON object: {excerpt(body)}"
    return value, None


def path_of(url: str) -> str:
    """The path of an address, percent signs resolved; empty where the address is none."""
    try:
        return unquote(urlsplit(url).path)
    except ValueError:
        return ""


def in_path(pattern: re.Pattern[str], url: str) -> str | None:
    """What the first group of a pattern finds in the path of an address: a model's name, mostly."""
    found = pattern.search(path_of(url)) if url else None
    return found.group(1) if found else None


def _spelled(value: Any) -> str:
    try:
        return json.dumps(value, separators=(",", ":"))
    except (RecursionError, ValueError, TypeError):
        return "(nested too deeply)"
