"""Streams: the assembled message for the reviewer, the exact events as templates and columns for replay.

The text of each kind of event stands once, as a template with slots; what varies is a column over the whole
stream. The pieces of a text that the assembled message shows are only lengths. So no dialect is needed for
exactness.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kit.cassette import body
from kit.cassette.assemble import Path, assemble, find, is_piece, leaves, place_of
from kit.cassette.runlength import pack, pack_numbers, unpack, unpack_numbers

_SSE = re.compile(r"^data:", re.MULTILINE)
_BLOCK = re.compile(r"(?:.|\n)*?(?:\r\n\r\n|\n\n|\r\r)|(?:.|\n)+\Z")
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_PAYLOAD = re.compile(r"^(?:data: ?)?(\{[^\r\n]*\})", re.MULTILINE)
_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?|(-?[0-9][-+0-9.eE]*)')
_PIECE_OF_CHAT = ("data: ", "\n\n")
_MARKS = ("«»", "⟦⟧", "‹›")
_LETTERS = "abcdefghijklmnopqrstuvwyz"
_INLINE = 12
_PATH = re.compile(r"\[(\d+)\]|([^.\[\]]+)")

Part = str | tuple[Path]
"""A piece of a template: text, or the path of a slot."""


@dataclass(slots=True)
class _Event:
    """One event: its template, the tokens for its slots, and its JSON value if it has one."""

    parts: tuple[Part, ...]
    tokens: list[str]
    value: Any = None


def read(content: bytes) -> tuple[Any, dict[str, Any]] | None:
    """The assembled answer of a stream, and its exact events.

    Args:
        content: the body of an answer that is no JSON.

    Returns:
        The merged value and the row for the volatile block; None where this is no stream of JSON events, or
        one that would not come back byte for byte.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    events = [_event(block) for block in _split(text)]
    values = [event.value for event in events if event.value is not None]
    if not values:
        return None
    merged = assemble(values)
    if body.is_deep(merged):
        return None
    row = _Encoder(events).row(merged)
    return (merged, row) if row is not None and _is_exact(merged, row, content) else None


def _is_exact(merged: Any, row: dict[str, Any], content: bytes) -> bool:
    try:
        return write(merged, row) == content
    except (ValueError, LookupError):
        return False


def _split(text: str) -> list[str]:
    if _SSE.search(text):
        return _BLOCK.findall(text)
    lines = _LINE.findall(text)
    return lines if len(lines) > 1 and all(line.startswith("{") for line in lines) else []


def _event(block: str) -> _Event:
    found = _PAYLOAD.search(block)
    if found is None:
        return _Event((block,), [])
    try:
        value = body.parse(found.group(1))
        slots = list(leaves(value, place_of(value)))
    except (ValueError, RecursionError):
        return _Event((block,), [])
    tokens = [
        match for match in _TOKEN.finditer(block, found.start(1), found.end(1)) if match.group(2) is None
    ]
    if len(tokens) != len(slots):
        return _Event((block,), [])
    parts: list[Part] = []
    at = 0
    for match, (path, _) in zip(tokens, slots, strict=True):
        parts += [block[at : match.start()], (path,)]
        at = match.end()
    return _Event((*parts, block[at:]), [match.group() for match in tokens], value)


class _Encoder:
    """Templates and columns of one stream."""

    def __init__(self, events: list[_Event]) -> None:
        self.events = events
        self.columns: dict[Path, list[str]] = {}
        users: dict[Path, dict[tuple[Part, ...], set[str]]] = {}
        for event in events:
            paths = [part[0] for part in event.parts if isinstance(part, tuple)]
            for path, token in zip(paths, event.tokens, strict=True):
                self.columns.setdefault(path, []).append(token)
                users.setdefault(path, {}).setdefault(event.parts, set()).add(token)
        self.inline = {
            (shape, path): next(iter(tokens))
            for path, shapes in users.items()
            if _stands_in_templates(path, list(shapes.values()))
            for shape, tokens in shapes.items()
        }
        inlined = {path for _, path in self.inline}
        self.slots = [path for path in self.columns if path not in inlined]

    def row(self, merged: dict[str, Any]) -> dict[str, Any] | None:
        names = _names(self.slots)
        shapes = {event.parts: self._filled(event.parts) for event in self.events}
        plain = "".join(part for parts in shapes.values() for part in parts if isinstance(part, str))
        marks = next((pair for pair in _MARKS if pair[0] not in plain and pair[1] not in plain), None)
        if marks is None:
            return None
        letters: dict[str, str] = {}
        texts = [_template(shapes[event.parts], names, marks) for event in self.events]
        order = [letters.setdefault(text, _letter(len(letters))) for text in texts]
        row: dict[str, Any] = {"order": pack(order)}
        if marks != _MARKS[0]:
            row["marks"] = marks
        row["events"] = {letter: _short(text) for text, letter in letters.items()}
        for path, name in names.items():
            kind, column = self._column(path, merged)
            row.setdefault(kind, {})[name] = column
        return row

    def _filled(self, parts: tuple[Part, ...]) -> list[Part]:
        return [
            self.inline.get((parts, part[0]), part) if isinstance(part, tuple) else part for part in parts
        ]

    def _column(self, path: Path, merged: dict[str, Any]) -> tuple[str, Any]:
        tokens = self.columns[path]
        texts = all(token.startswith('"') for token in tokens)
        cut = _cut(path, tokens, merged) if texts else None
        if cut is not None:
            return "texts", cut
        if all(token == tokens[0] for token in tokens):
            return "columns", [tokens[0]]
        return "columns", tokens if texts else pack(tokens)


def _stands_in_templates(path: Path, by_shape: list[set[str]]) -> bool:
    """Whether a value is text of the templates: it never varies within one, and saying it again is short."""
    token = next(iter(by_shape[0]))
    if (is_piece(path) and token.startswith('"')) or any(len(tokens) > 1 for tokens in by_shape):
        return False
    return len(by_shape) == 1 or len(token) <= _INLINE or any(tokens != by_shape[0] for tokens in by_shape)


def _cut(path: Path, tokens: list[str], merged: dict[str, Any]) -> list[str] | None:
    """Where the message shows the text of a column, and the lengths of its pieces."""
    pieces = [body.parse(token) for token in tokens]
    if "".join(pieces) != find(merged, path):
        return None
    for style in ("", *body.ESCAPINGS[1:]):
        if all(body.encode(piece, style) == token for piece, token in zip(pieces, tokens, strict=True)):
            where = [_path_text(path), pack_numbers(map(len, pieces))]
            return [*where, style] if style else where
    return None


def _names(paths: list[Path]) -> dict[Path, str]:
    """A short name for each column: the last key where that tells them apart, else the whole path."""
    last = [str(path[-1]) for path in paths]
    return {
        path: name if last.count(name) == 1 and name.isidentifier() else _path_text(path)
        for path, name in zip(paths, last, strict=True)
    }


def _path_text(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def _parse_path(text: str) -> Path:
    return tuple(int(number) if number else key for number, key in _PATH.findall(text))


def _template(parts: list[Part], names: dict[Path, str], marks: str) -> str:
    return "".join(
        part if isinstance(part, str) else f"{marks[0]}{names[part[0]]}{marks[1]}" for part in parts
    )


def _letter(count: int) -> str:
    round_, place = divmod(count, len(_LETTERS))
    return _LETTERS[place] + (str(round_) if round_ else "")


def _short(text: str) -> str | list[str]:
    head, tail = _PIECE_OF_CHAT
    if text.startswith(head) and text.endswith(tail) and len(text) >= len(head) + len(tail):
        return text[len(head) : -len(tail)]
    return [text]


def write(merged: Any, row: dict[str, Any]) -> bytes:
    """The inverse of `read`.

    Args:
        merged: the assembled answer, as a reviewer may have edited it.
        row: the exact events.

    Raises:
        ValueError: a row that does not fit together.
        KeyError: an unknown event or column.
    """
    marks = row.get("marks", _MARKS[0])
    columns = {name: _column_values(column) for name, column in row.get("columns", {}).items()}
    for name, text in row.get("texts", {}).items():
        columns[name] = _pieces(merged, *text)
    slot = re.compile(f"{re.escape(marks[0])}([^{re.escape(marks)}]*){re.escape(marks[1])}")
    templates = {letter: slot.split(_long(text)) for letter, text in row["events"].items()}
    out: list[str] = []
    try:
        for letter in unpack(row["order"]):
            for place, part in enumerate(templates[letter]):
                out.append(next(columns[part]) if place % 2 else part)
    except StopIteration:
        raise ValueError("a column of the stream is too short") from None
    return "".join(out).encode("utf-8")


def _long(text: str | list[str]) -> str:
    return text[0] if isinstance(text, list) else text.join(_PIECE_OF_CHAT)


def _column_values(column: str | list[str]) -> Iterator[str]:
    if isinstance(column, str):
        return iter(unpack(column))
    if len(column) == 1:
        return _for_ever(column[0])
    return iter(column)


def _for_ever(token: str) -> Iterator[str]:
    while True:
        yield token


def _pieces(merged: Any, where: str, lengths: str, style: str = "") -> Iterator[str]:
    """The pieces of a text; where somebody made it longer, the last piece takes the rest."""
    text = find(merged, _parse_path(where))
    if not isinstance(text, str):
        raise ValueError(f"the streamed answer has no text at {where}")  # noqa: TRY004 - the file is wrong
    at = 0
    cuts = unpack_numbers(lengths)
    for number, length in enumerate(cuts, 1):
        end = len(text) if number == len(cuts) else at + length
        yield body.encode(text[at:end], style)
        at = end
