"""A stream of the responses API as the answer it amounts to."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from kit.wire.answer import sse_values
from kit.wire.dialect import ModelAnswer, WireCall
from kit.wire.openai_message import parse_arguments, read_error
from kit.wire.shape import as_object, objects, text_or_none

_LAST = frozenset({"response.completed", "response.incomplete", "response.failed", "response.cancelled"})
_PARTS = {
    "response.output_text.delta": ("message", "text"),
    "response.refusal.delta": ("message", "refusal"),
    "response.reasoning_text.delta": ("reasoning", "text"),
    "response.reasoning_summary_text.delta": ("reasoning", "text"),
}
"""Deltas that grow a part of an item's content, with the item's type and the part's field."""
_FIELDS = {
    "response.function_call_arguments.delta": ("function_call", "arguments"),
    "response.custom_tool_call_input.delta": ("custom_tool_call", "input"),
    "response.mcp_call_arguments.delta": ("mcp_call", "arguments"),
    "response.code_interpreter_call_code.delta": ("code_interpreter_call", "code"),
}
"""Deltas that grow a field of the item itself."""


@dataclass(slots=True)
class _Assembly:
    """The response so far: the server's own last word on each item, or what its deltas make of it."""

    response: dict[str, Any] = field(default_factory=dict)
    items: dict[int, dict[str, Any]] = field(default_factory=dict)
    finished: dict[int, dict[str, Any]] = field(default_factory=dict)
    parts: dict[tuple[int, str, str, int], list[str]] = field(default_factory=dict)
    fields: dict[tuple[int, str, str], list[str]] = field(default_factory=dict)
    is_done: bool = False
    is_empty: bool = True
    error: str | None = None

    def add(self, event: Any) -> None:
        """Take one event in."""
        event = as_object(event)
        kind = text_or_none(event.get("type")) or ""
        index = event["output_index"] if isinstance(event.get("output_index"), int) else 0
        if isinstance(event.get("response"), dict):
            self.response = event["response"]
            self.is_empty = False
            self.is_done = self.is_done or kind in _LAST
        elif kind == "response.output_item.added":
            self.items[index] = as_object(event.get("item"))
        elif kind == "response.output_item.done":
            self.finished[index] = as_object(event.get("item"))
            self.is_empty = False
        elif kind in _PARTS or kind in _FIELDS:
            self._grow(kind, index, event)
        elif kind == "error" or (not kind and event):
            self.error = self.error or read_error(event, answers=("choices",))

    def _grow(self, kind: str, index: int, event: dict[str, Any]) -> None:
        piece = event.get("delta")
        if not isinstance(piece, str):
            return
        self.is_empty = False
        if kind in _FIELDS:
            self.fields.setdefault((index, *_FIELDS[kind]), []).append(piece)
            return
        place = event.get("content_index", event.get("summary_index"))
        part = place if isinstance(place, int) else 0
        self.parts.setdefault((index, *_PARTS[kind], part), []).append(piece)

    def whole(self) -> dict[str, Any]:
        """The response as it would have come without streaming; some servers end with an empty output."""
        if objects(self.response.get("output")):
            return self.response
        grown = {index: dict(item) for index, item in self.items.items()}
        for (index, kind, name), pieces in self.fields.items():
            grown.setdefault(index, {"type": kind})[name] = "".join(pieces)
        for (index, kind, name, _), pieces in sorted(self.parts.items()):
            item = grown.setdefault(index, {"type": kind})
            item["content"] = [*objects(item.get("content")), {name: "".join(pieces)}]
        items = {**grown, **self.finished}
        return {**self.response, "output": [items[index] for index in sorted(items)]}

    def settled(self, calls: Iterable[WireCall]) -> tuple[WireCall, ...]:
        """The calls as far as they are known: of one whose end never came, only arguments that are whole."""
        if self.is_done or objects(self.response.get("output")):
            return tuple(calls)
        begun = {index: item for index, item in self.items.items() if index not in self.finished}
        kinds = {
            text_or_none(item.get("call_id")) or text_or_none(item.get("id")): item.get("type")
            for item in begun.values()
        }
        return tuple(
            call
            if call.id not in kinds
            else dataclasses.replace(call, arguments=_whole(call, kinds[call.id]))
            for call in calls
        )


def assemble(body: bytes, read: Callable[[Any], ModelAnswer]) -> ModelAnswer:
    """Read a whole `text/event-stream` body; `broken` where it ends before the response did.

    Args:
        body: of the stream.
        read: reads a `response` object.
    """
    assembly = _Assembly()
    for event in sse_values(body):
        assembly.add(event)
    answer = read(assembly.whole())
    return dataclasses.replace(
        answer,
        tool_calls=assembly.settled(answer.tool_calls),
        error=answer.error or assembly.error or ("stream holds no answer" if assembly.is_empty else None),
        finish_reason=answer.finish_reason if assembly.is_done else None,
        broken=not assembly.is_done,
        pending=answer.pending and assembly.response.get("background") is True,
    )


def _whole(call: WireCall, kind: Any) -> dict[str, Any] | None:
    """A function's arguments tell by themselves whether they are whole; a text or an action does not."""
    return parse_arguments(call.raw) if kind == "function_call" and call.raw else None
