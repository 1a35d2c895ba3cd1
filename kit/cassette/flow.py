"""Quoted scalars, and mappings and lists in one line, as `cassette.layout` writes them: quick and narrow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kit.cassette import body, tags
from kit.cassette.marks import Args

OPENINGS = "{["
LONGEST_KEY = 1000
"""YAML finds the end of no longer one."""

_MOST_LEVELS = 60
_WORD = r"(?:[A-Za-z0-9_/($<]|-[0-9])(?:[^\[\]{},:#?\"\t]*[^\[\]{},:#?\"\t ])?"
_PART = re.compile(rf"({_WORD})|'((?:[^']|'')*)'|\"((?:[^\"\\]|\\.)*)\"|(![a-z0-9.]+) |([\[{{])")
_PAIR = re.compile(rf"({_WORD}): ({_WORD})(?=[,}}])")
_ESCAPED = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SHORT = {"\\": "\\", '"': '"', "t": "\t", "n": "\n", "r": "\r", "0": "\0", " ": " "}


class UnusualError(Exception):
    """It is not as kit writes it: the YAML parser has to read it."""


def may_begin(text: str) -> bool:
    """Whether a plain scalar may begin so without meaning anything else."""
    first = text[0]
    return first.isalnum() or first in "_/($<" or (first == "-" and text[1:2].isdigit())


def single_quoted(text: str) -> str:
    """The content of `'…'`.

    Raises:
        UnusualError: it is not one such text to its end.
    """
    inner = text[1:-1]
    if len(text) < 2 or text[-1] != "'":
        raise UnusualError
    if "'" in inner:
        if "'" in inner.replace("''", ""):
            raise UnusualError
        return inner.replace("''", "'")
    return inner


def double_quoted(text: str) -> str:
    r"""The content of `"…"` with the escapes that kit writes.

    Raises:
        UnusualError: it is not one such text to its end.
    """
    found = _PART.match(text)
    if found is None or found[3] is None or found.end() != len(text) or "\t" in text:
        raise UnusualError
    return _unescaped(found[3])


def _unescaped(inner: str) -> str:
    return _ESCAPED.sub(_char, inner) if "\\" in inner else inner


def _char(found: re.Match[str]) -> str:
    digits = found[1] or found[2]
    if digits is None:
        if found[3] not in _SHORT:
            raise UnusualError
        return _SHORT[found[3]]
    code = int(digits, 16)
    if 0xD800 <= code < 0xE000:
        raise UnusualError
    return chr(code)


def read(text: str, level: int, ids: Mapping[str, str] | None = None) -> Any:
    """The mapping or list that a line holds.

    Args:
        text: from the opening bracket.
        level: how deep it stands.
        ids: by name; where they are known, ids and arguments are put in their places.

    Raises:
        UnusualError: it is not one to its end, or not as kit writes it.
    """
    value, end = _collection(text, 0, level, ids)
    if end != len(text):
        raise UnusualError
    return value


def _collection(text: str, at: int, level: int, ids: Mapping[str, str] | None) -> tuple[Any, int]:
    if level > _MOST_LEVELS:
        raise UnusualError
    return (_mapping if text[at] == "{" else _list)(text, at + 1, level, ids)


def _mapping(text: str, at: int, level: int, ids: Mapping[str, str] | None) -> tuple[Any, int]:
    tree: dict[str, Any] = {}
    if text[at] == "}":
        return tree, at + 1
    while True:
        pair = _PAIR.match(text, at)
        if pair is not None and pair.end(1) - at <= LONGEST_KEY:
            key, word = pair.groups()
            value, at = tags.plain(word), pair.end()
        else:
            key, at = _key(text, at)
            value, at = _part(text, at, level, ids)
        if key in tree:
            raise UnusualError
        tree[key] = value
        if text[at] == "}":
            return tree, at + 1
        if not text.startswith(", ", at):
            raise UnusualError
        at += 2


def _list(text: str, at: int, level: int, ids: Mapping[str, str] | None) -> tuple[Any, int]:
    items: list[Any] = []
    if text[at] == "]":
        return items, at + 1
    while True:
        item, at = _part(text, at, level, ids)
        items.append(item)
        if text[at] == "]":
            return items, at + 1
        if not text.startswith(", ", at):
            raise UnusualError
        at += 2


def _key(text: str, at: int) -> tuple[str, int]:
    found = _PART.match(text, at)
    if found is None or found.lastindex not in {1, 2, 3} or found.end() - at > LONGEST_KEY:
        raise UnusualError
    if not text.startswith(": ", found.end()):
        raise UnusualError
    return _text(found), found.end() + 2


def _text(found: re.Match[str]) -> str:
    if found[1] is not None:
        return found[1]
    return _unescaped(found[3]) if found[2] is None else found[2].replace("''", "'")


def _part(text: str, at: int, level: int, ids: Mapping[str, str] | None) -> tuple[Any, int]:
    found = _PART.match(text, at)
    if found is None:
        raise UnusualError
    kind = found.lastindex
    if kind == 1:
        return tags.plain(found[1]), found.end()
    if kind == 5:
        return _collection(text, at, level + 1, ids)
    if kind != 4:
        return _text(found), found.end()
    tag = found[4]
    if text[found.end()] in OPENINGS:
        if tag != tags.ARGS and not tag.startswith(f"{tags.ARGS}."):
            raise UnusualError
        value, end = _collection(text, found.end(), level + 1, ids)
        return arguments(tag, value, ids), end
    inner = _PART.match(text, found.end())
    if inner is None or inner.lastindex not in {1, 2, 3}:
        raise UnusualError
    if ids is not None and tag == "!id":
        return known(_text(inner), ids), inner.end()
    return tags.tagged(tag, _text(inner)), inner.end()


def known(name: str, ids: Mapping[str, str]) -> str:
    """The id of a name.

    Raises:
        UnusualError: there is none.
    """
    if name not in ids:
        raise UnusualError
    return ids[name]


def arguments(tag: str, value: Any, ids: Mapping[str, str] | None) -> Any:
    """What `!args` stands for: the JSON text of the value; the mark where ids are not known."""
    style = tags.style_of(tag)
    return Args(style, value) if ids is None else body.encode(value, style)
