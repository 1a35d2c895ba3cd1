"""Events of Anthropic's messages API, also inside the frames of Bedrock."""

from __future__ import annotations

from typing import Any

from kit.cassette.assemble import Path
from kit.cassette.streams.assembled import Assembled, Place, Places, add_text, own, texts_below

_CONTENT = "content"
_INNER = "bytes"
_ARGUMENTS = "partial_json"


def _inner(event: dict[str, Any]) -> tuple[dict[str, Any], Path]:
    """The event, and where it stands: Bedrock wraps it."""
    inside = event.get(_INNER)
    return (inside, (_INNER,)) if isinstance(inside, dict) else (event, ())


def recognises(events: list[Any]) -> bool:
    """Whether a message starts among these."""
    return any(_inner(event)[0].get("type") == "message_start" for event in events)


def assemble(events: list[Any]) -> Assembled:
    """The message as it would have been answered in one piece; arguments of tools stay the text they are."""
    building = _Building()
    return Assembled(building.message, [building.take(*_inner(event)) for event in events])


class _Building:
    """The message so far."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {}
        self.positions: dict[int, int] = {}

    def take(self, event: dict[str, Any], at: Path) -> Places:
        kind = event.get("type")
        if kind == "message_start":
            self.message.update(own(event["message"]))
            return texts_below(event["message"], (*at, "message"), ())
        if kind == "content_block_start":
            blocks = self.message.setdefault(_CONTENT, [])
            position = self.positions[event["index"]] = len(blocks)
            blocks.append(own(event["content_block"]))
            return texts_below(event["content_block"], (*at, "content_block"), (_CONTENT, position))
        if kind == "content_block_delta":
            return self._delta(self.positions[event["index"]], event["delta"], (*at, "delta"))
        if kind == "message_delta":
            self._end(event)
        elif kind == "error":
            self.message["error"] = own(event.get("error"))
        return {}

    def _delta(self, position: int, delta: dict[str, Any], at: Path) -> Places:
        block = self.message[_CONTENT][position]
        places: Places = {}
        for name, value in delta.items():
            to: Path = (_CONTENT, position)
            if name == "type":
                continue
            if name == _ARGUMENTS:
                if value or isinstance(block.get("input"), str):
                    add_text(block, "input", value)
                places[*at, name] = Place((*to, "input"), is_piece=True)
            elif name == "citation":
                citations = block.get("citations") or []
                block["citations"] = [*citations, own(value)]
                places |= texts_below(value, (*at, name), (*to, "citations", len(citations)))
            elif isinstance(value, str):
                add_text(block, name, value)
                places[*at, name] = Place((*to, name), is_piece=True)
            else:
                block[name] = own(value)
        return places

    def _end(self, event: dict[str, Any]) -> None:
        for name, value in event.items():
            if name == "delta":
                self.message.update(own(value))
            elif name == "usage":
                self.message["usage"] = {**self.message.get("usage", {}), **own(value)}
            elif name != "type":
                self.message[name] = own(value)
