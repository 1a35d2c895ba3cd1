"""A stream of converse events as the answer it amounts to."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kit.wire.converse_message import read_converse
from kit.wire.dialect import ModelAnswer
from kit.wire.shape import as_object, objects, text_or_none

Event = tuple[str, dict[str, Any]]
"""An event's type (`contentBlockDelta`, …) and what it carries."""


@dataclass(slots=True)
class _Assembly:
    """The message so far; blocks are joined by their index."""

    blocks: dict[int, dict[str, Any]] = field(default_factory=dict)
    pieces: dict[tuple[int, str], list[str]] = field(default_factory=dict)
    usage: Any = None
    stop_reason: str | None = None
    is_empty: bool = True

    def add(self, kind: str, event: dict[str, Any]) -> None:
        """Take one event in."""
        index = event["contentBlockIndex"] if isinstance(event.get("contentBlockIndex"), int) else 0
        if kind == "messageStart":
            self.is_empty = False
        elif kind == "contentBlockStart":
            self.blocks[index] = dict(as_object(event.get("start")))
        elif kind == "contentBlockDelta":
            self._grow(index, as_object(event.get("delta")))
        elif kind == "messageStop":
            self.stop_reason = text_or_none(event.get("stopReason")) or self.stop_reason
        elif kind == "metadata":
            self.usage = event.get("usage") or self.usage

    def _grow(self, index: int, delta: dict[str, Any]) -> None:
        self.is_empty = False
        block = self.blocks.setdefault(index, {})
        thought = as_object(delta.get("reasoningContent"))
        for name, piece in (
            ("text", delta.get("text")),
            ("input", as_object(delta.get("toolUse")).get("input")),
            ("thought", thought.get("text")),
        ):
            if isinstance(piece, str):
                self.pieces.setdefault((index, name), []).append(piece)
        result = delta.get("toolResult")
        if isinstance(result, list):
            told = dict(as_object(block.get("toolResult")))
            told["content"] = [*objects(told.get("content")), *objects(result)]
            block["toolResult"] = told

    def whole(self) -> dict[str, Any]:
        """The response as it would have come without streaming."""
        for (index, name), pieces in self.pieces.items():
            block, text = self.blocks[index], "".join(pieces)
            if name == "text":
                block["text"] = text
            elif name == "thought":
                block["reasoningContent"] = {"reasoningText": {"text": text}}
            else:
                use = as_object(block.get("toolUse"))
                block["toolUse"] = {**use, "input": text if text.strip() else use.get("input", {})}
        content = [self.blocks[index] for index in sorted(self.blocks)]
        return {
            "output": {"message": {"content": content}},
            "stopReason": self.stop_reason,
            "usage": self.usage,
        }


def assemble_events(events: Iterable[Event], error: str | None = None) -> ModelAnswer:
    """The answer that some events amount to; `broken` where they end before the model did.

    Args:
        events: in order.
        error: an exception that the stream carried.
    """
    assembly = _Assembly()
    for kind, event in events:
        assembly.add(kind, event)
    answer = read_converse(assembly.whole())
    is_whole = assembly.stop_reason is not None
    return dataclasses.replace(
        answer,
        error=error or answer.error or ("stream holds no answer" if assembly.is_empty else None),
        broken=not is_whole,
    )
