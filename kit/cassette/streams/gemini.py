"""Events of Gemini: each is an answer of its own, with the next parts of the content."""

from __future__ import annotations

from typing import Any

from kit.cassette.assemble import Path
from kit.cassette.streams.assembled import Assembled, Place, Places, own, texts_below

_CANDIDATES = "candidates"
_SPOKEN = frozenset({"text", "thought"})


def recognises(events: list[Any]) -> bool:
    """Whether one of these has candidates."""
    return any(isinstance(event.get(_CANDIDATES), list) for event in events)


def assemble(events: list[Any]) -> Assembled:
    """One answer: parts of the same kind add up, of everything else the last stands."""
    message: dict[str, Any] = {}
    return Assembled(message, [_take(event, message) for event in events])


def _take(event: dict[str, Any], message: dict[str, Any]) -> Places:
    places: Places = {}
    for name, value in event.items():
        if name != _CANDIDATES:
            message[name] = own(value)
            places |= texts_below(value, (name,), (name,))
            continue
        candidates = message.setdefault(_CANDIDATES, [])
        for position, item in enumerate(value):
            index = item.get("index", position)
            while len(candidates) <= index:
                candidates.append({})
            places |= _candidate(item, candidates[index], (name, position), (name, index))
    return places


def _candidate(item: dict[str, Any], into: dict[str, Any], at: Path, to: Path) -> Places:
    places: Places = {}
    for name, value in item.items():
        if name != "content" or not isinstance(value, dict):
            into[name] = own(value)
            places |= texts_below(value, (*at, name), (*to, name))
            continue
        content = into.setdefault("content", {})
        for key, child in value.items():
            if key == "parts":
                parts = content.setdefault("parts", [])
                for position, part in enumerate(child):
                    places |= _part(part, parts, (*at, name, key, position), (*to, name, key))
            else:
                content[key] = own(child)
    return places


def _part(part: dict[str, Any], parts: list[Any], at: Path, to: Path) -> Places:
    last = parts[-1] if parts else {}
    is_spoken = "text" in part and part.keys() <= _SPOKEN
    is_more = is_spoken and "text" in last and last.keys() <= _SPOKEN
    if is_more and part.get("thought") == last.get("thought"):
        last["text"] += part["text"]
    else:
        parts.append(own(part))
    place: Path = (*to, len(parts) - 1)
    places = texts_below(part, at, place)
    if is_spoken:
        places[*at, "text"] = Place((*place, "text"), is_piece=True)
    return places
