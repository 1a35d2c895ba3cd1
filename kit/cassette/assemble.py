"""The message that a stream adds up to, whatever the dialect: deltas merged by key and index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

Step = str | int
Path = tuple[Step, ...]

BLOCKS = "blocks"
"""Where events go that say their own `index` (content blocks)."""

_PIECES = frozenset({"delta", "message", "parts", "content_block"})
_WHOLE = frozenset(
    {
        "role",
        "type",
        "id",
        "name",
        "object",
        "model",
        "index",
        "call_id",
        "finish_reason",
        "stop_reason",
        "status",
    }
)


def assemble(events: Iterable[Any]) -> dict[str, Any]:
    """Merge the values of a stream's events.

    Below a `delta` (or `message`, `parts`) texts are pieces and add up, but for names and roles; elsewhere
    the last value that is not null stands. Items of lists belong together by their `index`, else by position.

    Args:
        events: JSON value of each event; what is no mapping is skipped.
    """
    merged: dict[str, Any] = {}
    for event in events:
        if isinstance(event, dict):
            _merge_mapping(merged, wrapped(event), in_pieces=False)
    message: dict[str, Any] = _without_index(merged, in_pieces=False)
    return message


def wrapped(event: dict[str, Any]) -> dict[str, Any]:
    """An event at the place it has in the merged value."""
    return {BLOCKS: [event]} if type(event.get("index")) is int else event


def _merge_mapping(into: dict[str, Any], new: dict[str, Any], *, in_pieces: bool) -> None:
    for name, value in new.items():
        into[name] = _merged(into.get(name), value, name, in_pieces=in_pieces)


def _merged(old: Any, new: Any, name: str, *, in_pieces: bool) -> Any:
    inside = in_pieces or name in _PIECES
    if isinstance(new, dict):
        mapping: dict[str, Any] = old if isinstance(old, dict) else {}
        _merge_mapping(mapping, new, in_pieces=inside)
        return mapping
    if isinstance(new, list):
        items: list[Any] = old if isinstance(old, list) else []
        _merge_list(items, new, in_pieces=inside)
        return items
    if new is None:
        return old
    if isinstance(new, str) and isinstance(old, str) and inside and name not in _WHOLE:
        return old + new
    return new


def _merge_list(into: list[Any], new: list[Any], *, in_pieces: bool) -> None:
    for position, item in enumerate(new):
        place = _place(into, _index(item, position), indexed=_has_index(item))
        if place is None:
            into.append(_merged(None, item, "", in_pieces=in_pieces))
        else:
            into[place] = _merged(into[place], item, "", in_pieces=in_pieces)


def _has_index(item: Any) -> bool:
    return isinstance(item, dict) and type(item.get("index")) is int


def _index(item: Any, position: int) -> int:
    return item["index"] if _has_index(item) else position


def _place(items: list[Any], index: int, *, indexed: bool) -> int | None:
    if indexed:
        return next((at for at, item in enumerate(items) if _index(item, -1) == index), None)
    return index if index < len(items) else None


def _without_index(tree: Any, *, in_pieces: bool) -> Any:
    """Inside a message an index that only counts is the wire's: agents send the message back without."""
    if isinstance(tree, dict):
        return {
            name: _without_index(child, in_pieces=in_pieces or name in _PIECES)
            for name, child in tree.items()
        }
    if not isinstance(tree, list):
        return tree
    items = [_without_index(item, in_pieces=in_pieces) for item in tree]
    if in_pieces and all(_index(item, -1) == position for position, item in enumerate(items)):
        return [{name: child for name, child in item.items() if name != "index"} for item in items]
    return items


def leaves(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Texts and numbers of an event in the order of its text, each with its place in the merged value."""
    if isinstance(tree, dict):
        for name, child in tree.items():
            yield from leaves(child, (*path, name))
    elif isinstance(tree, list):
        for position, item in enumerate(tree):
            yield from leaves(item, (*path, _index(item, position)))
    elif tree is not None and not isinstance(tree, bool):
        yield path, tree


def place_of(event: Any) -> Path:
    """The beginning of the paths of an event's leaves in the merged value."""
    return (BLOCKS, event["index"]) if _has_index(event) else ()


def is_piece(path: Path) -> bool:
    """Whether texts at this path of a merged value add up."""
    return not _PIECES.isdisjoint(path) and path[-1] not in _WHOLE


def find(tree: Any, path: Path) -> Any:
    """The value at a path of `leaves` in a merged value; None where there is none."""
    for step in path:
        if isinstance(step, str):
            tree = tree.get(step) if isinstance(tree, dict) else None
        elif isinstance(tree, list):
            indexed = any(_has_index(item) for item in tree)
            place = _place(tree, step, indexed=indexed)
            tree = None if place is None else tree[place]
        else:
            return None
    return tree
