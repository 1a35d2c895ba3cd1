"""A stream of Anthropic events as the message it amounts to."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kit.wire.answer import sse_values
from kit.wire.anthropic_message import read_anthropic_message
from kit.wire.dialect import ModelAnswer, WireCall
from kit.wire.openai_message import read_error
from kit.wire.shape import as_object

_GROWING = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}


@dataclass(slots=True)
class _Assembly:
    """The message so far; blocks are joined by their index, since they may come interleaved."""

    message: dict[str, Any] = field(default_factory=dict)
    blocks: dict[int, dict[str, Any]] = field(default_factory=dict)
    pieces: dict[tuple[int, str], list[str]] = field(default_factory=dict)
    usage: dict[str, Any] = field(default_factory=dict)
    is_done: bool = False
    is_empty: bool = True
    error: str | None = None

    def add(self, event: Any) -> None:
        """Take one event in."""
        event = as_object(event)
        kind = event.get("type")
        index = event["index"] if isinstance(event.get("index"), int) else 0
        if kind == "message_start":
            self.message = dict(as_object(event.get("message")))
            self._count(self.message)
            self.is_empty = False
        elif kind == "content_block_start":
            self.blocks[index] = dict(as_object(event.get("content_block")))
            self.is_empty = False
        elif kind == "content_block_delta":
            self._grow(index, as_object(event.get("delta")))
        elif kind == "message_delta":
            self.message.update(as_object(event.get("delta")))
            self._count(event)
        elif kind == "message_stop":
            self.is_done = True
        else:
            self.error = self.error or read_error(event, answers=("type",))

    def _grow(self, index: int, delta: dict[str, Any]) -> None:
        name = _GROWING.get(delta.get("type", ""), "") if isinstance(delta.get("type"), str) else ""
        piece = delta.get(name)
        if isinstance(piece, str):
            self.blocks.setdefault(index, {"type": name})
            self.pieces.setdefault((index, name), []).append(piece)
            self.is_empty = False

    def _count(self, holder: dict[str, Any]) -> None:
        """The last word counts; what a later count leaves out or empties stays."""
        known = {key: value for key, value in as_object(holder.get("usage")).items() if value is not None}
        self.usage.update(known)

    def whole(self) -> dict[str, Any]:
        """The message as it would have come without streaming."""
        for (index, name), pieces in self.pieces.items():
            block, text = self.blocks[index], "".join(pieces)
            if name == "partial_json":
                # Nothing streamed is a tool without parameters, not a broken one.
                block["input"] = text if text.strip() else block.get("input", {})
            else:
                block[name] = (block[name] if isinstance(block.get(name), str) else "") + text
        content = [self.blocks[index] for index in sorted(self.blocks)]
        return {**self.message, "content": content, "usage": self.usage}


def assemble(body: bytes) -> ModelAnswer:
    """Read a whole `text/event-stream` body; `broken` where it ends before the model did."""
    return assemble_events(sse_values(body))


def assemble_events(events: Iterable[Any]) -> ModelAnswer:
    """The answer that some events amount to, whatever framed them (Bedrock frames them in binary)."""
    assembly = _Assembly()
    for event in events:
        assembly.add(event)
    answer = read_anthropic_message(assembly.whole())
    is_whole = assembly.is_done or answer.finish_reason is not None
    return dataclasses.replace(
        answer,
        tool_calls=answer.tool_calls if is_whole else tuple(_cut(call) for call in answer.tool_calls),
        error=assembly.error or ("stream holds no answer" if assembly.is_empty else None),
        broken=not is_whole,
    )


def _cut(call: WireCall) -> WireCall:
    """Of a call that was cut before any argument came, they are unknown, not empty."""
    return dataclasses.replace(call, arguments=None, raw="") if call.raw == "{}" else call
