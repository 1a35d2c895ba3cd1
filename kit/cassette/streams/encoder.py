"""The exact events of a stream as templates and columns."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from kit.cassette import body
from kit.cassette.assemble import Path, find, is_piece
from kit.cassette.runlength import pack, pack_numbers, pack_ranges
from kit.cassette.stream import EVENT_PIECE, MARKS, WHOLE, parse_path, path_text
from kit.cassette.streams.assembled import Assembled, Place, leaves_of
from kit.cassette.streams.events import Event
from kit.cassette.streams.sharing import Part, Sharing

_LETTERS = "abcdefghijklmnopqrstuvwyz"
_INLINE = 12
_REPEATED = 40
"""Shorter values that the message shows whole are said again: naming their place takes as long."""

_PADDED = re.compile(r" {2,}\}\s*\Z")
_PADDING = re.compile(r" *(?=\}\s*\Z)")
_BLANKS = ("~",)
_VALUE = "{}"

_OF_EVENTS = ""
"""Before the path of a value that the message does not show: such paths are those of the events."""


def encode(events: list[Event], read: Assembled, shown: Any) -> dict[str, Any] | None:
    """The row of a stream; None where its text uses up all the marks.

    Args:
        events: in order.
        read: what they add up to.
        shown: the message as the reviewed part has it: without what changes on every call.
    """
    return _Encoder(events, read, shown).row()


class _Encoder:
    """Templates and columns of one stream."""

    def __init__(self, events: list[Event], read: Assembled, shown: Any) -> None:
        self.shown = shown
        self.is_shaped = read.places is not None
        self.in_message: set[Path] = set()
        self.styles: dict[Path, str] = {}
        paths = [event.paths for event in events] if read.places is None else self._placed(events, read)
        if self.is_shaped and any(_PADDED.search(event.block) for event in events):
            for event, own in zip(events, paths, strict=True):
                _pad(event, own)
        self.parts = [_parts(event, own) for event, own in zip(events, paths, strict=True)]
        self.columns: dict[Path, list[str]] = {}
        users: dict[Path, dict[tuple[Part, ...], set[str]]] = {}
        for event, own, parts in zip(events, paths, self.parts, strict=True):
            for path, (start, end) in zip(own, event.tokens, strict=True):
                token = event.block[start:end]
                self.columns.setdefault(path, []).append(token)
                users.setdefault(path, {}).setdefault(parts, set()).add(token)
        self.inline = {
            (parts, path): next(iter(tokens))
            for path, shapes in users.items()
            if self._stands_in_templates(path, list(shapes.values()))
            for parts, tokens in shapes.items()
        }
        inlined = {path for _, path in self.inline}
        self.slots = [path for path in self.columns if path not in inlined]

    def _placed(self, events: list[Event], read: Assembled) -> list[list[Path]]:
        """The path of each token: in the message where that shows it, else in the event."""
        places = iter(read.places or ())
        found: list[list[Path]] = []
        for event in events:
            if event.value is None:
                found.append([])
                continue
            here = next(places)
            if () in here and self._is_written_whole(event, here[()].path):
                found.append([(_VALUE, *here[()].path)])
                continue
            own: list[Path] = []
            for (path, leaf), (start, end) in zip(leaves_of(event.value), event.tokens, strict=True):
                place = here.get(path)
                if place is None or not self._is_said(place, leaf, is_short=end - start <= _REPEATED):
                    own.append((_OF_EVENTS, *path))
                else:
                    self.in_message.add(place.path)
                    own.append(place.path)
            found.append(own)
        return found

    def _is_said(self, place: Place, leaf: Any, *, is_short: bool) -> bool:
        """Whether a row says where the message shows a value, instead of the value."""
        if not place.is_piece and (is_short or find(self.shown, place.path) != leaf):
            return False
        return parse_path(path_text(place.path)) == place.path  # else a key holds a dot or a bracket

    def _is_written_whole(self, event: Event, place: Path) -> bool:
        """Whether the event is nothing but the JSON text of a value of the message; then it is one token."""
        start, end = event.span
        text = event.block[start:end]
        value = find(self.shown, place)
        style = body.find_style(text, value) if isinstance(value, dict) else None
        if style is None or self.styles.setdefault((_VALUE, *place), style) != style:
            return False
        event.tokens = [event.span]
        return True

    def _stands_in_templates(self, path: Path, by_parts: list[set[str]]) -> bool:
        """Whether a value is text of the templates: it never varies in one, and saying it again is short."""
        if path == _BLANKS or path in self.styles:
            return False
        token = next(iter(by_parts[0]))
        is_of_message = path in self.in_message if self.is_shaped else is_piece(path)
        if (is_of_message and token.startswith('"')) or any(len(tokens) > 1 for tokens in by_parts):
            return False
        is_short = len(by_parts) == 1 or len(token) <= _INLINE
        return is_short or any(tokens != by_parts[0] for tokens in by_parts)

    def row(self) -> dict[str, Any] | None:
        names = _names(self.slots)
        shapes = {parts: self._filled(parts) for parts in self.parts}
        constants = self._share(shapes) if self.is_shaped else {}
        names |= {path: str(path[0]) for path in constants}
        plain = "".join(part for parts in shapes.values() for part in parts if isinstance(part, str))
        marks = next((pair for pair in MARKS if pair[0] not in plain and pair[1] not in plain), None)
        if marks is None:
            return None
        letters: dict[str, str] = {}
        texts = [_template(shapes[parts], names, marks) for parts in self.parts]
        order = [letters.setdefault(text, _letter(len(letters))) for text in texts]
        row: dict[str, Any] = {"order": pack(order)}
        if marks != MARKS[0]:
            row["marks"] = marks
        row["events"] = {letter: _short(text) for text, letter in letters.items()}
        for path, name in names.items():
            if path in constants:
                row.setdefault("columns", {})[name] = [constants[path]]
            else:
                kind, column = self._column(path)
                row.setdefault(kind, {})[name] = column
        return row

    def _share(self, shapes: dict[tuple[Part, ...], list[Part]]) -> dict[Path, str]:
        joined = {parts: _joined(filled) for parts, filled in shapes.items()}
        sharing = Sharing(joined.values())
        for parts, filled in joined.items():
            shapes[parts] = sharing.shared(filled)
        return sharing.constants

    def _filled(self, parts: tuple[Part, ...]) -> list[Part]:
        return [
            self.inline.get((parts, part[0]), part) if isinstance(part, tuple) else part for part in parts
        ]

    def _column(self, path: Path) -> tuple[str, Any]:
        tokens = self.columns[path]
        if path == _BLANKS:
            return "blanks", pack_numbers(map(len, tokens))
        if path in self.styles:
            return "values", [path_text(path[1:]), self.styles[path]]
        texts = all(token.startswith('"') for token in tokens)
        cut = self._cut(path, tokens) if texts else None
        if cut is not None:
            return "texts", cut
        if all(token == tokens[0] for token in tokens):
            return "columns", [tokens[0]]
        if not self.is_shaped:
            return "columns", tokens if texts else pack(tokens)
        if any(token.startswith('"') for token in tokens):
            runs = [(token, sum(1 for _ in group)) for token, group in groupby(tokens)]
            return "columns", [token if count == 1 else [token, count] for token, count in runs]
        return "columns", pack_ranges(tokens)

    def _cut(self, path: Path, tokens: list[str]) -> list[str] | None:
        """Where the message shows the text of a column, and the lengths of its pieces."""
        pieces = [body.parse(token) for token in tokens]
        lengths = _lengths(pieces, find(self.shown, path), may_repeat=path in self.in_message)
        if lengths is None:
            return None
        for style in ("", *body.ESCAPINGS[1:]):
            if all(body.encode(piece, style) == token for piece, token in zip(pieces, tokens, strict=True)):
                where = [path_text(path), lengths]
                return [*where, style] if style else where
        return None


def _parts(event: Event, paths: list[Path]) -> tuple[Part, ...]:
    parts: list[Part] = []
    at = 0
    for (start, end), path in zip(event.tokens, paths, strict=True):
        parts += [event.block[at:start], (path,)]
        at = end
    return (*parts, event.block[at:])


def _joined(parts: list[Part]) -> list[Part]:
    joined: list[Part] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, str) and isinstance(last, str):
            joined[-1] = last + part
        else:
            joined.append(part)
    return joined


def _pad(event: Event, paths: list[Path]) -> None:
    """Blanks before the last brace: a server that pads its events would else need a template for each."""
    found = _PADDING.search(event.block)
    if found is not None and (not event.tokens or event.tokens[-1][1] <= found.start()):
        event.tokens.append(found.span())
        paths.append(_BLANKS)


def _lengths(pieces: list[str], text: Any, *, may_repeat: bool) -> str | None:
    """The pieces as lengths; a text that events repeat whole is `*`. None where they are not this text."""
    if not isinstance(text, str):
        return None
    words: list[str] = []
    at = 0
    for piece in pieces:
        if text.startswith(piece, at) and (at < len(text) or not piece):
            words.append(str(len(piece)))
            at += len(piece)
        elif may_repeat and piece == text:
            words.append(WHOLE)
        else:
            return None
    return pack(words) if at == len(text) else None


def _names(paths: list[Path]) -> dict[Path, str]:
    """A short name for each column: the last key where that tells them apart, else the whole path."""
    last = [str(path[-1]) for path in paths]
    return {
        path: name if last.count(name) == 1 and name.isidentifier() else path_text(path)
        for path, name in zip(paths, last, strict=True)
    }


def _template(parts: list[Part], names: dict[Path, str], marks: str) -> str:
    return "".join(
        part if isinstance(part, str) else f"{marks[0]}{names[part[0]]}{marks[1]}" for part in parts
    )


def _letter(count: int) -> str:
    round_, place = divmod(count, len(_LETTERS))
    return _LETTERS[place] + (str(round_) if round_ else "")


def _short(text: str) -> str | list[str]:
    head, tail = EVENT_PIECE
    if text.startswith(head) and text.endswith(tail) and len(text) >= len(head) + len(tail):
        return text[len(head) : -len(tail)]
    return [text]
