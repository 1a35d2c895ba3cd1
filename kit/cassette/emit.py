"""A cassette as text of format v1; the writer reads back what it wrote before anybody sees it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from kit.cassette import layout, rows
from kit.cassette.cassette import Cassette
from kit.cassette.decode import Reader
from kit.cassette.encode import Node, Writer
from kit.cassette.fields import Section
from kit.cassette.header import Header
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest, ToolResponse
from kit.cassette.load import DIGEST_KEY, FIRST_LINE, HEADER_KEYS, content_digest, read_document
from kit.cassette.marks import UnwritableError
from kit.cassette.media import put_back, taken_out
from kit.cassette.readable import BYTES, Levels, parse_bodies
from kit.cassette.yamlevents import read_tree
from kit.errors import CassetteInvalid

_WRITTEN = "<written>"
_OF_THE_ANSWER = frozenset(
    {"result", "executed", "status", "answer-headers", "answer", "failure", "put", "stream", "chunks"}
)
"""Keys of calls and of rows that belong to the answering half of an interaction."""


def dumps(cassette: Cassette, media: dict[str, bytes] | None = None) -> str:
    """The text of a cassette.

    Each interaction is written as readable as it comes back byte for byte: folded, whole, as text, in base64.

    Args:
        cassette: what was recorded.
        media: gets the content of each file that has to stand beside the cassette, by its name; None writes
            all media into the text.

    Raises:
        ValueError: an interaction that no form can hold, or numbers that do not rise.
        TypeError: a tool's value is no JSON value.
    """
    numbers = [item.number for item in cassette.interactions]
    if any(number <= before for before, number in pairwise([0, *numbers])):
        raise ValueError("the interactions of a cassette must be in the order of their numbers")
    return _assemble(cassette.header, *_verified(cassette.interactions, media=media))


def levels_of(cassette: Cassette) -> list[Levels]:
    """How readable each interaction is written, to find out what falls back to raw text."""
    levels = [Levels() for _ in cassette.interactions]
    _verified(cassette.interactions, levels)
    return levels


def _verified(
    items: Sequence[Interaction],
    levels: list[Levels] | None = None,
    media: dict[str, bytes] | None = None,
) -> tuple[list[str], list[str], dict[str, str]]:
    bodies = parse_bodies(items)
    levels = levels if levels is not None else [Levels() for _ in items]
    for _ in range(2 * BYTES * len(items) + 1):
        writer = Writer(bodies)
        written = [writer.encode(index, item, levels[index]) for index, item in enumerate(items)]
        if media is not None:
            written = [(taken_out(call, media), row) for call, row in written]
        lowered = [_lower_unwritable(*nodes, level) for nodes, level in zip(written, levels, strict=True)]
        if any(lowered):
            continue
        calls = [_chunk(call) for call, _ in written]
        lines = [rows.line(str(item.number), row) for item, (_, row) in zip(items, written, strict=True)]
        ids = writer.ids.table()
        if not _step_down(items, (calls, lines, ids), levels, media):
            return calls, lines, ids
    raise ValueError("an interaction that no form of the cassette can hold")


def _lower_unwritable(call: Node, row: Node, level: Levels) -> bool:
    """Step down the half of an interaction that YAML cannot hold in its present form."""
    unwritable = [name for name, value in call.items() if not _is_writable(name, value, in_row=False)]
    unwritable += [name for name, value in row.items() if not _is_writable(name, value, in_row=True)]
    if not unwritable:
        return False
    if not _OF_THE_ANSWER.issuperset(unwritable):
        level.request += 1
    if not _OF_THE_ANSWER.isdisjoint(unwritable):
        level.response += 1
    if max(level.request, level.response) > BYTES:
        raise ValueError("an interaction that no form of the cassette can hold")
    return True


def _is_writable(name: str, value: Any, *, in_row: bool) -> bool:
    try:
        if in_row:
            rows.line("", {name: value})
        else:
            layout.entry([], "", value, 2)
    except UnwritableError:
        return False
    return True


def _chunk(call: Node) -> str:
    lines: list[str] = []
    layout.mapping(lines, call, 2, "- ")
    return "\n".join(lines)


def _step_down(
    items: Sequence[Interaction],
    written: tuple[list[str], list[str], dict[str, str]],
    levels: list[Levels],
    media: dict[str, bytes] | None,
) -> bool:
    """Compare what was written with what was meant; lower the levels of what differs."""
    calls, lines, ids = written
    tree = _read_both_ways(calls, lines, ids)
    if tree is None:
        return _lower_unreadable(calls, levels)
    if media:
        put_back(tree["calls"], media.__getitem__)
    reader = Reader(
        _WRITTEN, dict(tree["volatile"].get("ids", {})), Section(tree["volatile"], _WRITTEN, "volatile")
    )
    lowered = False
    for item, call, level in zip(items, tree["calls"], levels, strict=True):
        try:
            found: Interaction | None = reader.decode(call)
        except CassetteInvalid:
            found = None
        lowered |= _lower(item, found, level)
    return lowered


def _read_both_ways(calls: list[str], lines: list[str], ids: dict[str, str]) -> Any:
    """The tree as it will be loaded; None where that fails, or where another YAML reader sees another one."""
    text = _body_text(calls, lines, ids)
    try:
        by_lines = read_document(text, _WRITTEN, as_written=True)["calls"]
        by_yaml = read_tree("\n".join(["calls:", *calls, ""]), _WRITTEN)["calls"] if calls else []
        return read_document(text, _WRITTEN) if by_lines == by_yaml else None
    except CassetteInvalid:
        return None


def _lower_unreadable(calls: list[str], levels: list[Levels]) -> bool:
    for call, level in zip(calls, levels, strict=True):
        if _read_both_ways([call], [], {}) is None:
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


def _body_text(calls: list[str], lines: list[str], ids: dict[str, str]) -> str:
    table = [rows.line("ids", ids)] if ids else []
    return "\n".join(["calls:" if calls else "calls: []", *calls, "volatile:", *table, *lines, ""])


def _assemble(header: Header, calls: list[str], lines: list[str], ids: dict[str, str]) -> str:
    head = [FIRST_LINE, "header:"]
    layout.mapping(head, _header_tree(header), 2)
    text = "\n".join([*head, _body_text(calls, lines, ids)])
    return f"{text}  {DIGEST_KEY}: '{content_digest(text)}'\n"


def _header_tree(header: Header) -> Node:
    tree: Node = {}
    for key, field in HEADER_KEYS.items():
        value = getattr(header, field.name)
        default = field.default_factory() if callable(field.default_factory) else field.default
        if value != default or field.name in {"seed", "key_rule"}:
            tree[key] = value
    return tree
