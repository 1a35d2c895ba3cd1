"""A stream of Cohere's events, of either version, as the answer it amounts to."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kit.wire.cohere_message import read_cohere
from kit.wire.dialect import ModelAnswer
from kit.wire.openai_message import read_error
from kit.wire.shape import as_object, objects, text_or_none


@dataclass(slots=True)
class _Assembly:
    """The answer so far, in the form of version 2 (`message`) or 1 (`text`, `calls`, `response`)."""

    texts: dict[int, list[str]] = field(default_factory=dict)
    thoughts: list[str] = field(default_factory=list)
    plan: list[str] = field(default_factory=list)
    calls: dict[int, dict[str, Any]] = field(default_factory=dict)
    pieces: dict[int, list[str]] = field(default_factory=dict)
    end: dict[str, Any] = field(default_factory=dict)
    response: dict[str, Any] = field(default_factory=dict)
    is_empty: bool = True
    error: str | None = None

    def add(self, event: Any) -> None:
        """Take one event in."""
        event = as_object(event)
        kind = text_or_none(event.get("type")) or text_or_none(event.get("event_type"))
        if kind is None:
            self.error = self.error or read_error(event, answers=())
            return
        self.is_empty = False
        delta = as_object(event.get("delta"))
        index = event["index"] if isinstance(event.get("index"), int) else 0
        if kind == "message-end":
            self.end = delta
            self.error = self.error or text_or_none(delta.get("error"))
        elif kind == "stream-end":
            self.end = event
            self.response = as_object(event.get("response"))
        elif kind == "text-generation":
            self.texts.setdefault(0, []).append(text_or_none(event.get("text")) or "")
        elif kind == "tool-calls-generation":
            self.response = {"tool_calls": event.get("tool_calls")}
        else:
            self._grow(index, as_object(delta.get("message")))

    def _grow(self, index: int, message: dict[str, Any]) -> None:
        content = as_object(message.get("content"))
        if isinstance(content.get("text"), str):
            self.texts.setdefault(index, []).append(content["text"])
        self.thoughts.append(text_or_none(content.get("thinking")) or "")
        self.plan.append(text_or_none(message.get("tool_plan")) or "")
        call = message.get("tool_calls")
        call = next(iter(objects(call)), None) if isinstance(call, list) else call
        if not isinstance(call, dict):
            return
        if call.get("id") is not None or index not in self.calls:
            self.calls[index] = call
        arguments = as_object(call.get("function")).get("arguments")
        if isinstance(arguments, str):
            self.pieces.setdefault(index, []).append(arguments)

    def whole(self) -> dict[str, Any]:
        """The answer as it would have come without streaming."""
        said = ["".join(self.texts[index]) for index in sorted(self.texts)]
        if "event_type" in self.end or self.response:
            return {"text": "".join(said), "finish_reason": self.end.get("finish_reason"), **self.response}
        calls = [
            {
                **call,
                "function": {**as_object(call.get("function")), "arguments": "".join(self.pieces[index])},
            }
            if index in self.pieces
            else call
            for index, call in sorted(self.calls.items())
        ]
        thoughts = "".join(self.thoughts)
        message = {
            "content": [
                *([{"type": "thinking", "thinking": thoughts}] if thoughts else []),
                *({"type": "text", "text": text} for text in said),
            ],
            "tool_calls": calls,
            "tool_plan": "".join(self.plan),
        }
        return {"message": message, **self.end}


def join_cohere(events: Iterable[Any]) -> ModelAnswer:
    """The answer that some events amount to; `broken` where they end before the model did."""
    assembly = _Assembly()
    for event in events:
        assembly.add(event)
    answer = read_cohere(assembly.whole())
    nothing = "stream holds no answer" if assembly.is_empty else None
    return dataclasses.replace(
        answer, error=assembly.error or nothing, broken=answer.finish_reason is None and not assembly.end
    )
