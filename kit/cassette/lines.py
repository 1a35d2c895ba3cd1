"""The YAML that kit writes, read line by line: several times quicker than any YAML parser.

It knows the layout of `cassette.layout` and nothing else. Whatever looks otherwise, such as a comment, a
blank line, another indentation or an alias, is left to `yamlevents`, which reads all YAML and says what is
wrong. What is read here is what it would read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kit.cassette import flow, tags
from kit.cassette.flow import LONGEST_KEY, UnusualError
from kit.cassette.marks import IdRef, Restored, RestoredList
from kit.cassette.yamlevents import LINED_DEPTH, Fields

_ODD_OCTETS = bytes({*range(0x20), 0x7F} - {0x09, 0x0A})
_ODD = re.compile("[\x80-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_MOST_LEVELS = 60
_HEAD = re.compile(
    r"( *)(- )?(?:([A-Za-z_/($<](?:[^\[\]{},:#?\"\t]*[^\[\]{},:#?\"\t ])?)|'((?:[^']|'')*)')\Z"
)
_LITERAL = re.compile(r"\|(2?)([-+]?)\Z")
_TAG = re.compile(r"(![a-z0-9.]+)(?: (?! )|\Z)")
_WORD_SIZE = max(map(len, tags.CONSTANTS))
_FIXED = frozenset({str, int, bool, type(None)})
_ID = re.compile(r"!id ([a-z]+-[0-9]+)\Z")
_OTHER_TAG = re.compile(r"!(?!(?:id|args(?:\.[a-z0-9.]+)?|json) )")
"""What may be a tag beside those that the reader puts in their places itself."""
_SHORT = 60
"""Lines of up to so many characters are remembered: most of a file are repeated in it."""


def read(text: str, ids: Mapping[str, str] | None = None) -> Fields | None:
    """The mapping that a text holds, its upper levels with their lines; None where it is not as kit writes.

    Args:
        text: whole lines.
        ids: by name; where they are known, ids and arguments are put in their places (`ids.restore`).
    """
    if not text.endswith("\n") or _is_odd(text):
        return None
    reader = _Lines(text[:-1].split("\n"), ids, has_tabs="\t" in text)
    try:
        tree = reader.mapping(0, 1)
    except (UnusualError, IndexError, ValueError, LookupError, TypeError):
        return None
    return tree if reader.is_over and isinstance(tree, Fields) else None


def _is_odd(text: str) -> bool:
    """Whether it holds what YAML refuses or takes for the end of a line."""
    octets = text.encode("utf-8", "replace")
    if len(octets.translate(None, _ODD_OCTETS)) != len(octets):
        return True
    return not text.isascii() and _ODD.search(text) is not None


class _Lines:
    """One pass over the lines; `_at` is the first that is not read yet."""

    def __init__(self, lines: list[str], ids: Mapping[str, str] | None, *, has_tabs: bool) -> None:
        self._lines = lines
        self._ids = ids
        self._new: type[dict[str, Any]] = dict if ids is None else Restored
        self._tags = 0  # so far, but for those that are put in their places
        self._count = len(lines)
        self._has_tabs = has_tabs
        self._at = 0
        self._heads: dict[str, tuple[int, str]] = {}
        self._entries: dict[str, tuple[int, str, Any]] = {}

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self._at == self._count

    def mapping(self, column: int, level: int) -> dict[str, Any]:
        """The mapping whose keys begin in `column`; a dash may stand before the first."""
        if level > _MOST_LEVELS:
            raise UnusualError
        lines, count, entries, seen = self._lines, self._count, self._entries, self._tags
        tree: dict[str, Any] = Fields(self._at + 1) if level <= LINED_DEPTH else self._new()
        pad = " " * column
        at = self._at
        line = lines[at]
        while True:
            known = entries.get(line)
            if known is None:
                place, key, value = self._entry(line, level)
            else:
                place, key, value = known
                self._at += 1
            if place != column or key in tree:
                raise UnusualError
            tree[key] = value
            if level <= LINED_DEPTH:
                tree.lines[key] = at + 1  # type: ignore[attr-defined]
            at = self._at
            if at == count:
                break
            line = lines[at]
            if not line.startswith(pad) or line.startswith("- ", column):
                break
        return tree if seen == self._tags or level <= LINED_DEPTH else dict(tree)

    def _entry(self, line: str, level: int) -> tuple[int, str, Any]:
        """Column, key and value of an entry that begins in this line; goes behind it."""
        head, colon, rest = line.partition(": ")
        found = self._heads.get(head) or self._head(head, line)
        if found is None:
            raise UnusualError
        column, key = found
        self._at += 1
        if not colon:
            return column, key, self._nested(column, level)
        if rest[0].isalpha():
            value = self._plain(rest)
        else:
            value = self._value(rest, column, level)
            if rest[0] in '|"!{[':
                return column, key, value
        entry = column, key, value
        if len(line) <= _SHORT and type(value) in _FIXED:
            self._entries[line] = entry
        return entry

    def _head(self, head: str, line: str) -> tuple[int, str] | None:
        """Column and name of the key that a line begins with."""
        # Without a value the colon is the end of the line.
        if head == line and line[-1:] != ":":
            return None
        found = _HEAD.match(head[:-1] if head == line else head)
        if found is None or len(head) > LONGEST_KEY:
            return None
        known = len(found[1]) + len(found[2] or ""), found[3] or found[4].replace("''", "'")
        self._heads[head] = known
        return known

    def _nested(self, column: int, level: int) -> Any:
        """What stands below a key: a sequence in the same column, or a mapping further in."""
        line = self._lines[self._at]
        if not line.startswith(" " * column):
            raise UnusualError
        begin = line[column : column + 3]
        if begin[:2] == "  " and begin[2:] not in {"", " ", "-"}:
            return self.mapping(column + 2, level + 1)
        if begin[:2] == "- " or begin == "-":
            return self._sequence(column, level + 1)
        raise UnusualError

    def _sequence(self, column: int, level: int) -> list[Any]:
        if level > _MOST_LEVELS:
            raise UnusualError
        lines, heads, seen = self._lines, self._heads, self._tags
        items: list[Any] = []
        dash = " " * column + "- "
        while self._at < self._count:
            line = lines[self._at]
            if not line.startswith(dash):
                if line != dash[:-1]:
                    break
                self._at += 1
                items.append(self._list_of_list(column + 2, level))
                continue
            head = line.partition(": ")[0]
            if heads.get(head) or self._head(head, line):
                items.append(self.mapping(column + 2, level + 1))
            else:
                self._at += 1
                items.append(self._value(line[column + 2 :], column, level))
        return items if self._ids is None or seen != self._tags else RestoredList(items)

    def _list_of_list(self, column: int, level: int) -> list[Any]:
        if not self._lines[self._at].startswith(" " * column + "-"):
            raise UnusualError
        return self._sequence(column, level + 1)

    def _value(self, text: str, column: int, level: int) -> Any:
        """What stands behind a key or dash in `column`; the next line is the one after it."""
        first = text[0]
        if first.isalpha():
            return self._plain(text)
        if first == "'":
            return flow.single_quoted(text)
        if first in flow.OPENINGS:
            return self._flow(text, level)
        if first == "!":
            return self._tagged(text, column, level)
        if first == "|":
            return self._literal(text, column + 2)
        if first == '"':
            return self._double_quoted(text, column + 2)
        if not flow.may_begin(text):
            raise UnusualError
        return self._plain(text)

    def _plain(self, text: str) -> Any:
        # One character is found much quicker than two.
        if (":" in text and ": " in text) or ("#" in text and " #" in text) or text[-1] in " :":
            raise UnusualError
        if self._has_tabs and "\t" in text:
            raise UnusualError
        return text if len(text) > _WORD_SIZE and text[0].isalpha() else tags.plain(text)

    def _flow(self, text: str, level: int) -> Any:
        """A collection in one line; on the upper levels it knows that line."""
        tree = flow.read(text, level, self._ids)
        if self._ids is not None and "!" in text and _OTHER_TAG.search(text) is not None:
            self._tags += 1
        if level >= LINED_DEPTH or (text[0] == "[" and not tree):
            return tree
        if level < LINED_DEPTH - 1 or text[0] == "[":
            raise UnusualError
        lined = Fields(self._at)
        lined.update(tree)
        lined.lines = dict.fromkeys(tree, self._at)
        return lined

    def _tagged(self, text: str, column: int, level: int) -> Any:
        found = _ID.match(text)
        if found is not None:
            return IdRef(found[1]) if self._ids is None else flow.known(found[1], self._ids)
        found = _TAG.match(text)
        if found is None:
            raise UnusualError
        tag, rest = found[1], text[found.end() :]
        if (tag == tags.ARGS or tag.startswith(f"{tags.ARGS}.")) and (not rest or rest[0] in flow.OPENINGS):
            if level < LINED_DEPTH:
                raise UnusualError
            value = flow.read(rest, level, self._ids) if rest else self._nested(column, level)
            return flow.arguments(tag, value, self._ids)
        self._tags += 1
        return tags.tagged(tag, self._text(rest, column))

    def _text(self, text: str, column: int) -> str:
        """A scalar behind a tag, which is a text whatever it looks like."""
        if text[0] == "|":
            return self._literal(text, column + 2)
        if text[0] == '"':
            return self._double_quoted(text, column + 2)
        if text[0] == "'":
            return flow.single_quoted(text)
        if not flow.may_begin(text):
            raise UnusualError
        self._plain(text)
        return text

    def _literal(self, header: str, indent: int) -> str:
        """The lines of a block with real line breaks; the first text of a line tells its indentation."""
        found = _LITERAL.match(header)
        if found is None:
            raise UnusualError
        lines, count, at = self._lines, self._count, self._at
        pad = " " * indent
        first = lines[at]
        if not found[1] and (not first.startswith(pad) or first[indent : indent + 1] in {"", " ", "\t"}):
            raise UnusualError
        while at < count and (not lines[at] or lines[at].startswith(pad)):
            at += 1
        content = [line[indent:] for line in lines[self._at : at]]
        if not content:
            raise UnusualError
        self._at = at
        text = "\n".join(content) + "\n"
        if found[2] == "+":
            return text
        body = text.rstrip("\n")
        if not body:
            raise UnusualError
        return body if found[2] else f"{body}\n"

    def _double_quoted(self, text: str, indent: int) -> str:
        """A text in one line, or in several that end with a backslash."""
        pad = " " * indent
        parts = []
        while text[-1] == "\\":
            following = self._lines[self._at]
            if not following.startswith(pad) or following[indent : indent + 1] in {"", " ", "\t"}:
                raise UnusualError
            parts.append(text[:-1])
            text = following[indent:]
            self._at += 1
        return flow.double_quoted("".join([*parts, text]))
