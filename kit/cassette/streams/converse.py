"""Events of Bedrock's converse stream: blocks of content by number, then the reason and the usage."""

from __future__ import annotations

from typing import Any

from kit.cassette.assemble import Path
from kit.cassette.streams.assembled import Assembled, Place, Places, add_text, own, texts_below

_INDEX = "contentBlockIndex"
_PADDING = "p"
_REASONING = "reasoningContent"


def recognises(events: list[Any]) -> bool:
    """Whether one of these numbers a block of content."""
    return any(isinstance(event.get(_INDEX), int) for event in events)


def assemble(events: list[Any]) -> Assembled:
    """The answer as `converse` gives it in one piece; arguments of tools stay the text they are."""
    message: dict[str, Any] = {"output": {"message": {"role": None, "content": []}}}
    positions: dict[int, int] = {}
    return Assembled(message, [_take(event, message, positions) for event in events])


def _take(event: dict[str, Any], message: dict[str, Any], positions: dict[int, int]) -> Places:
    told = message["output"]["message"]
    if _INDEX not in event:
        for name, value in event.items():
            if name != _PADDING:
                (told if name == "role" else message)[name] = own(value)
        return {}
    if event[_INDEX] not in positions:
        positions[event[_INDEX]] = len(told["content"])
        told["content"].append({})
    position = positions[event[_INDEX]]
    block = told["content"][position]
    to: Path = ("output", "message", "content", position)
    places: Places = {}
    for name, value in event.get("start", {}).items():
        block[name] = own(value)
        places |= texts_below(value, ("start", name), (*to, name))
    for name, value in event.get("delta", {}).items():
        places |= _delta(block, name, value, ("delta", name), (*to, name))
    return places


def _delta(block: dict[str, Any], name: str, value: Any, at: Path, to: Path) -> Places:
    if isinstance(value, str):
        add_text(block, name, value)
        return {at: Place(to, is_piece=True)}
    if isinstance(value, list):
        before = block.get(name)
        items = before if isinstance(before, list) else []
        if isinstance(before, dict):  # a result: `start` told whose it is
            items = before.setdefault("content", [])
            to = (*to, "content")
        else:
            block[name] = items
        items.extend(own(value))
        return texts_below(value, at, to) if len(items) == len(value) else {}
    if not isinstance(value, dict):
        block[name] = value
        return {}
    holder = block.setdefault(name, {})
    places: Places = {}
    for key, piece in value.items():
        inner, place = holder, to
        if name == _REASONING and key in {"text", "signature"}:
            inner, place = holder.setdefault("reasoningText", {}), (*to, "reasoningText")
        if isinstance(piece, str):
            add_text(inner, key, piece)
            places[*at, key] = Place((*place, key), is_piece=True)
        else:
            inner[key] = own(piece)
    return places
