"""Lines of Ollama's own API: pieces of a message (`/api/chat`) or of a text (`/api/generate`)."""

from __future__ import annotations

from typing import Any

from kit.cassette.streams.assembled import Assembled, Place, Places, add_text, own, texts_below

_CALLS = "tool_calls"
_PIECES = frozenset({"response", "thinking", "content"})


def recognises(events: list[Any]) -> bool:
    """Whether each of these says if it is the last."""
    return all(isinstance(event.get("done"), bool) for event in events)


def assemble(events: list[Any]) -> Assembled:
    """The answer as it would have come in one piece."""
    message: dict[str, Any] = {}
    return Assembled(message, [_take(event, message) for event in events])


def _take(event: dict[str, Any], message: dict[str, Any]) -> Places:
    places: Places = {}
    for name, value in event.items():
        if name == "message" and isinstance(value, dict):
            told = message.setdefault(name, {})
            for key, child in value.items():
                if key == _CALLS and isinstance(child, list):
                    calls = told.setdefault(_CALLS, [])
                    for position, call in enumerate(child):
                        calls.append(own(call))
                        places |= texts_below(call, (name, key, position), (name, key, len(calls) - 1))
                elif isinstance(child, str) and key in _PIECES:
                    add_text(told, key, child)
                    places[name, key] = Place((name, key), is_piece=True)
                else:
                    told[key] = own(child)
        elif isinstance(value, str) and name in _PIECES:
            add_text(message, name, value)
            places[name,] = Place((name,), is_piece=True)
        else:
            message[name] = own(value)
    return places
