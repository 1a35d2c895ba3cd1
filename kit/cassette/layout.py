"""Trees as YAML text: the fixed layout of a cassette, by hand, because no library's emitter writes it.

libyaml refuses literal blocks for tabs, trailing blanks and emoji, and folds lines as it likes; here a form
depends on nothing but the value and its place, so that equal values give equal lines.
"""

from __future__ import annotations

import base64
from typing import Any

from kit.cassette import body, scalar
from kit.cassette.marks import (
    AnswerRef,
    Args,
    IdRef,
    JsonNumber,
    JsonText,
    Media,
    RawBytes,
    RawText,
    ResultRef,
    UnwritableError,
)

FLOW_WIDTH = 100
"""Small structures stand in one line up to this many characters."""

_OPEN_KEYS = frozenset({"role", "content", "message", "function", "delta"})
"""A mapping with one of these is what a reviewer came to read: always one line per key."""

_MANY_NUMBERS = 16
_SIMPLE = (str, int, float, JsonNumber, JsonText, IdRef, AnswerRef, ResultRef, Media)
Lines = list[str]


def mapping(lines: Lines, tree: dict[str, Any], indent: int, first: str | None = None) -> None:
    """Append a mapping, one entry a line or more.

    Args:
        lines: what is written so far.
        tree: the mapping, not empty.
        indent: the column of its keys.
        first: what stands before the first key instead of blanks (`- `).

    Raises:
        UnwritableError: YAML cannot hold a key or value.
    """
    pad = " " * indent
    start = pad if first is None else first
    for name, value in tree.items():
        entry(lines, f"{start}{scalar.key(name)}:", value, indent)
        start = pad


def sequence(lines: Lines, items: list[Any], indent: int) -> None:
    """Append a sequence whose dashes stand in column `indent`.

    Raises:
        UnwritableError: YAML cannot hold a value.
    """
    pad = " " * indent
    for item in items:
        if isinstance(item, dict) and item and flow(item, FLOW_WIDTH - indent) is None:
            mapping(lines, item, indent + 2, f"{pad}- ")
        elif isinstance(item, list):
            entry(lines, f"{pad}-", item, indent + 2)
        else:
            entry(lines, f"{pad}-", item, indent)


def entry(lines: Lines, prefix: str, value: Any, indent: int) -> None:
    """Append one value behind its key or dash.

    Args:
        lines: what is written so far.
        prefix: blanks and `key:` or `-`.
        value: any JSON value or tag.
        indent: the column of the key or dash.

    Raises:
        UnwritableError: YAML cannot hold the value.
    """
    if indent > 4 * body.MAX_DEPTH:
        raise UnwritableError("nested too deep")
    if isinstance(value, (Args, RawText, RawBytes)):
        prefix, value = f"{prefix} {_tag(value)}", _content(value)
    if isinstance(value, str):
        lines.append(f"{prefix} {_text(value, indent + 2)}")
        return
    short = flow(value, FLOW_WIDTH - indent)
    if short is not None:
        lines.append(f"{prefix} {short}")
    elif isinstance(value, dict):
        lines.append(prefix)
        mapping(lines, value, indent + 2)
    else:
        lines.append(prefix)
        sequence(lines, value, indent)


def _text(text: str, indent: int) -> str:
    if "\n" in text:
        return scalar.block(text, indent)
    return scalar.line(text)


def _tag(value: Args | RawText | RawBytes) -> str:
    if isinstance(value, Args):
        return f"!args{_style_words(value.style)}"
    return "!text" if isinstance(value, RawText) else "!base64"


def _style_words(style: str) -> str:
    return "".join(f".{word}" for word in style.split())


def _content(value: Args | RawText | RawBytes) -> Any:
    if isinstance(value, Args):
        return value.value
    return value.text if isinstance(value, RawText) else base64.b64encode(value.content).decode("ascii")


def flow(value: Any, width: int) -> str | None:
    """A value in one line, or None where it is too long or holds text that deserves lines of its own.

    Scalars are never too long: a line is not broken, so that a change of one word is a change of one line.
    """
    if value is None:
        return "null"
    if isinstance(value, _SIMPLE):
        return _simple(value)
    if isinstance(value, (Args, RawText, RawBytes)):
        inner = flow(_content(value), width)
        return None if inner is None else f"{_tag(value)} {inner}"
    if isinstance(value, list) and len(value) >= _MANY_NUMBERS and all(map(_is_number, value)):
        return _simple(JsonText(body.encode(value)))
    if isinstance(value, dict):
        return _flow_mapping(value, width)
    return _flow_sequence(value, width)


def _flow_mapping(tree: dict[str, Any], width: int) -> str | None:
    if not _OPEN_KEYS.isdisjoint(tree):
        return None
    parts = []
    for name, child in tree.items():
        head = scalar.key(name)
        text = _flow_child(child, width - len(head) - 4)
        if text is None:
            return None
        parts.append(f"{head}: {text}")
        width -= len(parts[-1]) + 2
        if width < 0:
            return None
    return "{" + ", ".join(parts) + "}"


def _flow_sequence(items: list[Any], width: int) -> str | None:
    parts = []
    for child in items:
        text = _flow_child(child, width - 2)
        if text is None:
            return None
        parts.append(text)
        width -= len(text) + 2
        if width < 0:
            return None
    return "[" + ", ".join(parts) + "]"


def _flow_child(child: Any, width: int) -> str | None:
    if isinstance(child, str):
        return None if len(child) > width or "\n" in child else scalar.line(child, flow=True)
    return flow(child, width)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, JsonNumber)) and not isinstance(value, bool)


def _simple(value: Any) -> str:
    if isinstance(value, str):
        return scalar.line(value)
    if isinstance(value, (int, float)):
        return _number(body.encode(value))
    if isinstance(value, (JsonNumber, JsonText)):
        return f"!json {scalar.line(value.text, flow=True)}"
    if isinstance(value, IdRef):
        return f"!id {value.name}"
    if isinstance(value, Media):
        style = f".{value.style}" if value.style else ""
        return f"!media{style} {scalar.line(value.prefix + value.name, flow=True)}"
    if isinstance(value, AnswerRef):
        return f"!answer {value.call}" + (f".{value.item}" if value.item else "")
    return f"!result{_style_words(value.style)} {value.call}"


def _number(text: str) -> str:
    """`true` and `false` too; `1e+16` and NaN are tagged, since readers of YAML differ about them."""
    return f"!json {scalar.line(text)}" if "e+" in text or "e-" in text or text[-1] in "Ny" else text
