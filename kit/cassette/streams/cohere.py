"""Events of Cohere's chat, version 2: starts, deltas and ends of contents and calls."""

from __future__ import annotations

from typing import Any

from kit.cassette.assemble import Path
from kit.cassette.streams.assembled import Assembled, Place, Places, add_text, own, texts_below

_LISTS = {"content": "content", "tool-call": "tool_calls", "citation": "citations"}
"""Name of the events → the list of the message that they fill, item by `index`."""


def recognises(events: list[Any]) -> bool:
    """Whether a message starts among these."""
    return any(event.get("type") == "message-start" for event in events)


def assemble(events: list[Any]) -> Assembled:
    """The answer as it would have come in one piece."""
    message: dict[str, Any] = {"message": {}}
    positions: dict[tuple[str, int], int] = {}
    return Assembled(message, [_take(event, message, positions) for event in events])


def _take(event: dict[str, Any], message: dict[str, Any], positions: dict[tuple[str, int], int]) -> Places:
    name, _, step = str(event.get("type", "")).rpartition("-")
    delta = event.get("delta")
    if name == "message":
        for key, value in (delta if step == "end" and isinstance(delta, dict) else event).items():
            if key not in {"type", "delta"}:
                message[key] = own(value)
        if step == "start" and isinstance(delta, dict):
            message["message"].update(own(delta["message"]))
        return {}
    if not isinstance(delta, dict) or step == "end":
        return {}
    told = message["message"]
    if name not in _LISTS:
        return _grown(told, delta["message"], ("delta", "message"), ("message",))
    kind = _LISTS[name]
    items = told.get(kind) or []
    told[kind] = items
    key = (kind, event["index"])
    if step == "start" and key not in positions:
        positions[key] = len(items)
        items.append(own(delta["message"][kind]))
        return texts_below(
            delta["message"][kind], ("delta", "message", kind), ("message", kind, positions[key])
        )
    place: Path = ("message", kind, positions[key])
    return _grown(items[positions[key]], delta["message"][kind], ("delta", "message", kind), place)


def _grown(holder: dict[str, Any], delta: dict[str, Any], at: Path, to: Path) -> Places:
    places: Places = {}
    for name, value in delta.items():
        if isinstance(value, dict):
            places |= _grown(holder.setdefault(name, {}), value, (*at, name), (*to, name))
        elif isinstance(value, str):
            add_text(holder, name, value)
            places[*at, name] = Place((*to, name), is_piece=True)
        else:
            holder[name] = own(value)
    return places
