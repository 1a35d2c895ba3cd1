"""Reads the arguments of a tool call as models really write them; says what it cannot read, never guesses."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

_FENCE = re.compile(r"\A```[a-zA-Z]*\s*\n(.*?)\n?```\s*\Z", re.DOTALL)


class ArgumentsError(ValueError):
    """The arguments are no JSON object, and no safe repair makes one of them; the text is for the model."""


def read_arguments(raw: str, *, is_cut: bool) -> dict[str, Any]:
    """The arguments as an object, repaired where only one reading is possible.

    Args:
        raw: as the model wrote them.
        is_cut: the answer ended at the token limit. Then nothing is repaired: half a text to write would
            pass for the whole.

    Raises:
        ArgumentsError: they cannot be read.
    """
    if is_cut:
        value = _json(raw)
        if value is None:
            raise ArgumentsError("the arguments were cut off at the token limit; make the call shorter")
        return value
    for candidate in _candidates(raw.strip()):
        value = _json(candidate)
        if value is not None:
            return value
    raise ArgumentsError("the arguments are no valid JSON object; call again with a JSON object")


def _candidates(raw: str) -> Iterator[str]:
    """Ever looser readings; none closes an open string or adds a value."""
    yield raw or "{}"
    fenced = _FENCE.match(raw)
    text = fenced[1].strip() if fenced else raw
    yield text
    yield from _from(_without_wrapping_quotes, text)
    yield from _from(_without_tail, text)
    yield from _from(_with_closing_braces, text)
    yield from _from(_from_python_literal, text)


def _from(repair: Callable[[str], str | None], text: str) -> Iterator[str]:
    repaired = repair(text)
    if repaired is not None:
        yield repaired


def _json(text: str) -> dict[str, Any] | None:
    """The object that `text` is, where it can be sent back as JSON: no NaN, no half of a surrogate pair."""
    try:
        value = json.loads(text, parse_constant=_refuse)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _without_wrapping_quotes(text: str) -> str | None:
    """JSON inside a JSON string: the arguments were encoded twice."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _without_tail(text: str) -> str | None:
    """The first complete object of a text that goes on with prose."""
    if not text.startswith("{"):
        return None
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return text[:end]


def _with_closing_braces(text: str) -> str | None:
    """The text with the brackets closed that are open at its end, unless a string is open there."""
    expected: list[str] = []
    is_string = is_escaped = False
    for char in text:
        if is_escaped:
            is_escaped = False
        elif is_string:
            is_escaped = char == "\\"
            is_string = char != '"'
        elif char == '"':
            is_string = True
        elif char in "{[":
            expected.append("}" if char == "{" else "]")
        elif char in "}]" and (not expected or expected.pop() != char):
            return None
    return text + "".join(reversed(expected)) if expected and not is_string else None


def _from_python_literal(text: str) -> str | None:
    """A Python dict: single quotes, True, None."""
    try:
        value = ast.literal_eval(text)
        return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
