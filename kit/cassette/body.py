"""JSON bodies as values plus a hint, so that the very same bytes can be written again.

A value here is what `json` gives, with `JsonNumber` where a number's text is not what Python would write.
A hint names spacing and escaping (`compact`, `spaced ascii`); the empty hint is compact UTF-8, which most
clients send.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import orjson

from kit.cassette.marks import JsonNumber

SPACINGS: dict[str, tuple[str, str, int | str | None]] = {
    "compact": (",", ":", None),
    "spaced": (", ", ": ", None),
    "colon-spaced": (",", ": ", None),
    "comma-spaced": (", ", ":", None),
    "indent1": (",", ": ", 1),
    "indent2": (",", ": ", 2),
    "indent4": (",", ": ", 4),
    "tab": (",", ": ", "\t"),
}
ESCAPINGS = ("utf8", "ascii", "go", "php")
MAX_DEPTH = 40
"""Deeper values are shown as text: nobody reads them, and YAML readers refuse some."""

_OUTER = "\ufeff \t\r\n"
_SURROGATES = re.compile("[\ud800-\udfff]")
_STAND_IN = re.compile(r'"\\u0000([^"\\]*)\\u0000"')
_GO = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_GO_CHARS = re.compile("[<>&\u2028\u2029]")
_MAX_INT_TEXT = 4000
_MAY_BE_FLOAT = re.compile(rb"[\[:,]-?[0-9]+[.e]")
"""A float in compact JSON, or text that looks like one."""
_NO_MARKS = orjson.OPT_PASSTHROUGH_DATACLASS
"""Else it would write a mark as the object it is."""


class _OddNumberError(Exception):
    """A number that needs more than Python's own writer."""


def parse(text: str) -> Any:
    """The value of a JSON text, exactly enough to write it again.

    Raises:
        ValueError: no JSON, a key given twice, or nested too deep.
    """
    try:
        return _decoder().decode(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


@cache
def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_unique, parse_float=_float, parse_int=_int, parse_constant=JsonNumber, strict=True
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError("a key is given twice")
    return mapping


def _float(text: str) -> float | JsonNumber:
    number = float(text)
    return number if repr(number) == text else JsonNumber(text)


def _int(text: str) -> int | JsonNumber:
    if len(text) > _MAX_INT_TEXT or text == "-0":
        return JsonNumber(text)
    return int(text)


def encode(value: Any, style: str = "") -> str:
    """The JSON text of a value in a style (`""` is `compact utf8`).

    Raises:
        ValueError: nested too deep.
        TypeError: a value that JSON does not know.
        KeyError: no such style.
    """
    spacing, escaping = split_style(style)
    ascii_only = escaping in {"ascii", "php"}
    try:
        try:
            text = _encoder(spacing, ascii_only, _refuse).encode(value)
        except _OddNumberError:
            text = _STAND_IN.sub(r"\1", _encoder(spacing, ascii_only, _stand_in).encode(value))
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not text.isascii():
        text = _SURROGATES.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
    if escaping == "go":
        return _GO_CHARS.sub(lambda match: _GO[match.group()], text)
    return text.replace("/", "\\/") if escaping == "php" else text


@cache
def _encoder(spacing: str, ascii_only: bool, odd: Callable[[object], str]) -> json.JSONEncoder:
    item, colon, indent = SPACINGS[spacing]
    return json.JSONEncoder(ensure_ascii=ascii_only, separators=(item, colon), indent=indent, default=odd)


def _stand_in(odd: object) -> str:
    """A text that no JSON text holds otherwise: a NUL is escaped."""
    if not isinstance(odd, JsonNumber):
        raise TypeError(f"{type(odd).__name__} is no JSON value")
    return f"\0{odd.text}\0"


def _refuse(odd: object) -> str:
    """Most values hold no odd number, and are not searched for one."""
    if isinstance(odd, JsonNumber):
        raise _OddNumberError
    raise TypeError(f"{type(odd).__name__} is no JSON value")


@cache
def split_style(style: str) -> tuple[str, str]:
    """Spacing and escaping of a hint, with the usual ones where it does not say.

    Raises:
        KeyError: no such style.
    """
    spacing, escaping = "compact", "utf8"
    for word in style.split():
        if word in SPACINGS:
            spacing = word
        elif word in ESCAPINGS:
            escaping = word
        else:
            raise KeyError(word)
    return spacing, escaping


def find_style(text: str, value: Any) -> str | None:
    """The shortest hint under which `value` is written as exactly `text`; None where there is none."""
    for spacing in _likely_spacings(text):
        for escaping in _likely_escapings(text):
            words = (spacing if spacing != "compact" else "", escaping if escaping != "utf8" else "")
            style = " ".join(word for word in words if word)
            if encode(value, style) == text:
                return style
    return None


def _likely_spacings(text: str) -> list[str]:
    if text[1:2] != "\n":
        return [name for name, (_, _, indent) in SPACINGS.items() if indent is None]
    return [name for name, (_, _, indent) in SPACINGS.items() if indent is not None]


def _likely_escapings(text: str) -> list[str]:
    if "\\" not in text:
        return ["utf8"]
    marks = {
        "utf8": True,
        "ascii": "\\u" in text,
        "go": "\\u00" in text or "\\u202" in text,
        "php": "\\/" in text,
    }
    return [name for name, likely in marks.items() if likely]


def read(text: str) -> tuple[Any, dict[str, Any]] | None:
    """A body's value and its hint (`{style, before, after}`, each only where unusual).

    None where it is not JSON, or where no hint gives the same text back.
    """
    inner = text.strip(_OUTER)
    if not inner:
        return None
    try:
        value = parse(inner)
        style = find_style(inner, value)
    except ValueError:
        return None
    if style is None or is_deep(value):
        return None
    start = text.index(inner)
    hint = {"style": style, "before": text[:start], "after": text[start + len(inner) :]}
    return value, {name: content for name, content in hint.items() if content}


def write(value: Any, hint: dict[str, Any]) -> bytes:
    """The inverse of `read`, as the octets of a body."""
    if not hint and (octets := _compact(value)) is not None:
        return octets
    text = f"{hint.get('before', '')}{encode(value, hint.get('style', ''))}{hint.get('after', '')}"
    return text.encode("utf-8")


def _compact(value: Any) -> bytes | None:
    """The same as `encode` writes, by the quicker orjson; None where it may write it otherwise."""
    if not isinstance(value, (dict, list)):
        return None
    try:
        text = orjson.dumps(value, option=_NO_MARKS)
    except orjson.JSONEncodeError:
        return None
    # It spells floats in a way of its own (`1e16`); none that `parse` gives is infinite or no number.
    return None if _MAY_BE_FLOAT.search(text) else text


def checked_hint(hint: dict[str, Any]) -> dict[str, Any]:
    """The hint, if `write` can use it.

    Raises:
        ValueError: an unknown word in it, or something that is no text.
    """
    if not hint:
        return hint
    known = hint.keys() <= {"style", "before", "after"} and all(
        isinstance(word, str) for word in hint.values()
    )
    try:
        split_style(hint.get("style", "") if known else " ?")
    except KeyError:
        raise ValueError(f"{hint} is no style of JSON") from None
    return hint


def is_deep(value: Any, limit: int = MAX_DEPTH) -> bool:
    """Whether a value is nested deeper than a cassette shows."""
    level = [value]
    for _ in range(limit):
        level = [child for node in level for child in _children(node)]
        if not level:
            return False
    return True


def _children(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return [child for child in node.values() if isinstance(child, (dict, list))]
    if isinstance(node, list):
        return [child for child in node if isinstance(child, (dict, list))]
    return []


def plain(value: Any) -> Any:
    """A value for Python code: `JsonNumber` becomes the number it says."""
    if isinstance(value, JsonNumber):
        return float(value.text) if not value.text.lstrip("-").isdigit() else _big(value.text)
    if isinstance(value, dict):
        return {name: plain(child) for name, child in value.items()}
    return [plain(child) for child in value] if isinstance(value, list) else value


def plain_deep(value: Any) -> Any:
    """`plain` for a value too deep for recursion; changes it in place."""
    root = [value]
    waiting: list[Any] = [root]
    while waiting:
        node = waiting.pop()
        for place, child in list(node.items() if isinstance(node, dict) else enumerate(node)):
            if isinstance(child, JsonNumber):
                node[place] = plain(child)
            elif isinstance(child, (dict, list)):
                waiting.append(child)
    return root[0]


def _big(text: str) -> int | float:
    return int(text) if len(text) <= _MAX_INT_TEXT and text != "-0" else float(text)
