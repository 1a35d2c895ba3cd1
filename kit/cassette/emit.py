"""A cassette as text of format v1; the writer reads back what it wrote and compares before anybody sees it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kit.cassette import layout
from kit.cassette.cassette import Cassette
from kit.cassette.decode import Reader
from kit.cassette.encode import BYTES, Levels, Node, Writer, parse_bodies
from kit.cassette.fields import Section
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.cassette.load import DIGEST_KEY, FIRST_LINE, HEADER_KEYS, content_digest
from kit.cassette.marks import UnwritableError
from kit.cassette.yamlevents import read_tree
from kit.errors import CassetteInvalid

_ROW_WIDTH = 100_000


def dumps(cassette: Cassette) -> str:
    """The text of a cassette.

    Each interaction is written as readable as it comes back byte for byte: folded, whole, as text, in base64.

    Raises:
        ValueError: an interaction that no form can hold (a tool value that is not JSON).
    """
    return _assemble(cassette.header, *_verified(cassette.interactions))


def levels_of(cassette: Cassette) -> list[Levels]:
    """How readable each interaction is written, to find out what falls back to raw text."""
    levels = [Levels() for _ in cassette.interactions]
    _verified(cassette.interactions, levels)
    return levels


def _verified(
    items: Sequence[Interaction], levels: list[Levels] | None = None
) -> tuple[list[str], list[str], dict[str, str]]:
    bodies = parse_bodies(items)
    levels = levels if levels is not None else [Levels() for _ in items]
    for _ in range(2 * BYTES * len(items) + 1):
        writer = Writer(bodies)
        written = [_written(writer, index, item, levels[index]) for index, item in enumerate(items)]
        calls = [_chunk([call]) for call, _ in written]
        rows = [_row(item.number, row) for item, (_, row) in zip(items, written, strict=True)]
        ids = writer.ids.table()
        if not _step_down(items, calls, rows, ids, levels):
            return calls, rows, ids
    raise ValueError("an interaction that no form of the cassette can hold")


def _written(writer: Writer, index: int, item: Interaction, levels: Levels) -> tuple[Node, Node]:
    while True:
        try:
            call, row = writer.encode(index, item, levels)
            _chunk([call])
            _row(item.number, row)
        except UnwritableError:
            if levels.request == BYTES and levels.response == BYTES:
                raise
            levels.request = min(levels.request + 1, BYTES)
            levels.response = min(levels.response + 1, BYTES)
        else:
            return call, row


def _chunk(calls: list[Node]) -> str:
    lines: list[str] = []
    for call in calls:
        layout.mapping(lines, call, 2, "- ")
    return "\n".join(lines)


def _row(number: int, row: Node) -> str:
    """A row in one line, if it holds no stream: nobody reads it, and a diff of it is to be short."""
    short = None if "stream" in row else layout.flow(row, _ROW_WIDTH)
    if short is not None:
        return f"  {number}: {short}"
    lines: list[str] = []
    layout.entry(lines, f"  {number}:", row, 2)
    return "\n".join(lines)


def _step_down(
    items: Sequence[Interaction], calls: list[str], rows: list[str], ids: dict[str, str], levels: list[Levels]
) -> bool:
    """Compare what was written with what was meant; lower the levels of what differs."""
    try:
        tree = read_tree(_body_text(calls, rows, ids), "<written>")
        reader = Reader("<written>", dict(tree["volatile"].get("ids", {})), _section(tree["volatile"]))
        parsed = tree["calls"]
    except CassetteInvalid:
        return _lower_unreadable(calls, rows, levels)
    lowered = False
    for item, call, level in zip(items, parsed, levels, strict=True):
        try:
            found: Interaction | None = reader.decode(call, item.number)
        except CassetteInvalid:
            found = None
        lowered |= _lower(item, found, level)
    return lowered


def _section(content: Any) -> Section:
    return Section(content, "<written>", "volatile")


def _lower_unreadable(calls: list[str], rows: list[str], levels: list[Levels]) -> bool:
    for call, row, level in zip(calls, rows, levels, strict=True):
        try:
            read_tree(f"calls:\n{call}\nvolatile:\n{row}\n", "<written>")
        except CassetteInvalid:
            level.request = level.response = min(max(level.request, level.response) + 1, BYTES)
    return True


def _lower(item: Interaction, found: Interaction | None, level: Levels) -> bool:
    asked = found is not None and _same_request(item.request, found.request)
    answered = found is not None and _same_response(item.response, found.response)
    if asked and answered:
        return False
    if not asked:
        level.request += 1
    if not answered:
        level.response += 1
    return True


def _same_request(meant: Any, found: Any) -> bool:
    if isinstance(meant, HttpRequest) and isinstance(found, HttpRequest):
        try:
            return meant == found
        except (ValueError, KeyError):
            return False
    if not isinstance(meant, ToolRequest) or not isinstance(found, ToolRequest):
        return False
    return meant.name == found.name and _same_value(meant.arguments, found.arguments)


def _same_response(meant: Any, found: Any) -> bool:
    if isinstance(meant, HttpResponse):
        return bool(meant == found)
    if not isinstance(meant, ToolResponse) or not isinstance(found, ToolResponse):
        return False
    same = meant.failure == found.failure and meant.executed == found.executed
    return same and _same_value(meant.result, found.result)


def _same_value(meant: Any, found: Any) -> bool:
    """Equal as JSON text: Python takes 1, 1.0 and True for one, and NaN for two."""
    return json.dumps(meant) == json.dumps(found)


def _body_text(calls: list[str], rows: list[str], ids: dict[str, str]) -> str:
    lines = ["calls:" if calls else "calls: []", *calls]
    lines.append("volatile:")
    if ids:
        layout.entry(lines, "  ids:", ids, 2)
    return "\n".join([*lines, *rows, ""])


def _assemble(header: Header, calls: list[str], rows: list[str], ids: dict[str, str]) -> str:
    lines = [FIRST_LINE, "header:"]
    layout.mapping(lines, _header_tree(header), 2)
    text = "\n".join([*lines, _body_text(calls, rows, ids)])
    return f"{text}  {DIGEST_KEY}: '{content_digest(text)}'\n"


def _header_tree(header: Header) -> Node:
    tree: Node = {}
    for key, field in HEADER_KEYS.items():
        value = getattr(header, field.name)
        default = field.default_factory() if callable(field.default_factory) else field.default
        if value != default or field.name in {"seed", "key_rule"}:
            tree[key] = value
    return tree
