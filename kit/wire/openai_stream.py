"""An OpenAI chat stream as the message it amounts to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kit.wire.answer import event_values
from kit.wire.dialect import ModelAnswer, WireCall
from kit.wire.openai_message import (
    parse_arguments,
    read_error,
    read_server_calls,
    read_text,
    read_thinking,
)
from kit.wire.shape import as_object, compact, objects, read_count, text_or_none
from kit.wire.sse import events


@dataclass(slots=True)
class _OpenCall:
    """A tool call that still grows."""

    id: str | None = None
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    is_free_text: bool = False


@dataclass(slots=True)
class _Assembly:
    """What the chunks so far amount to; only the first choice counts."""

    model: str | None = None
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    executed: dict[int, dict[str, Any]] = field(default_factory=dict)
    calls: dict[int, _OpenCall] = field(default_factory=dict)
    finish_reason: str | None = None
    usage: Any = None
    is_done: bool = False
    is_empty: bool = True
    error: str | None = None

    def add(self, chunk: Any) -> None:
        """Take one chunk in."""
        self.error = self.error or read_error(chunk)
        if not isinstance(chunk, dict):
            return
        self.is_empty = False
        self.model = self.model or text_or_none(chunk.get("model"))
        self._count(chunk)
        for choice in objects(chunk.get("choices")):
            if choice.get("index") in (0, None):
                self._add_choice(choice)

    def _count(self, holder: dict[str, Any]) -> None:
        for place in (holder, as_object(holder.get("x_groq"))):
            if isinstance(place.get("usage"), dict):
                self.usage = place["usage"]

    def _add_choice(self, choice: dict[str, Any]) -> None:
        self.finish_reason = text_or_none(choice.get("finish_reason")) or self.finish_reason
        self._count(choice)  # Moonshot's place
        self.error = self.error or read_error({"error": choice.get("error"), "choices": ()})  # OpenRouter's
        # A server that falls back to one piece sends a whole message.
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, dict):
            return
        spoken = as_object(delta.get("audio")).get("transcript")
        self.text.append(read_text(delta.get("content")) or text_or_none(spoken) or "")
        self.thinking.append(read_thinking(delta) or "")
        self.refusal.append(text_or_none(delta.get("refusal")) or "")
        for tool in objects(delta.get("executed_tools")):
            self._add_executed(tool)
        for piece in objects(delta.get("tool_calls")):
            self._add_call(piece)
        legacy = delta.get("function_call")
        if isinstance(legacy, dict) and (legacy.get("name") or legacy.get("arguments")):
            self._add_call({"index": 0, "function": legacy})

    def _add_executed(self, tool: dict[str, Any]) -> None:
        """Groq tells a tool that it ran twice: when it asks, and again with what the tool gave."""
        index = tool.get("index")
        place = index if isinstance(index, int) else max(self.executed, default=-1) + 1
        told = {name: value for name, value in tool.items() if value not in (None, "")}
        self.executed[place] = {**self.executed.get(place, {}), **told}

    def _add_call(self, piece: dict[str, Any]) -> None:
        call_id = text_or_none(piece.get("id"))
        call = self.calls.setdefault(self._place(piece.get("index"), call_id), _OpenCall())
        call.id = call.id or call_id
        custom, function = as_object(piece.get("custom")), as_object(piece.get("function"))
        call.is_free_text = call.is_free_text or (bool(custom.get("name")) and not function.get("name"))
        call.name = call.name or text_or_none(function.get("name")) or text_or_none(custom.get("name")) or ""
        arguments = custom.get("input") if call.is_free_text else function.get("arguments")
        call.arguments.append(compact(arguments) if arguments else "")

    def _place(self, index: Any, call_id: str | None) -> int:
        """Which call a piece belongs to; some servers send no index, then a new id starts a new call."""
        if isinstance(index, int):
            return index
        last = max(self.calls, default=-1)
        if last < 0 or (call_id is not None and self.calls[last].id not in {None, call_id}):
            return last + 1
        return last

    def _is_whole(self) -> bool:
        """By the model's reason or by the end mark: some servers send only one of the two."""
        return self.finish_reason is not None or (self.is_done and not self.is_empty)

    def answer(self) -> ModelAnswer:
        """The assembled message."""
        return ModelAnswer(
            model=self.model,
            text="".join(self.text) or None,
            tool_calls=tuple(_close(call, cut=not self._is_whole()) for call in self.calls.values()),
            finish_reason=self.finish_reason,
            prompt_tokens=read_count(self.usage, "prompt_tokens"),
            completion_tokens=read_count(self.usage, "completion_tokens"),
            refusal="".join(self.refusal) or None,
            error=self.error or ("stream holds no answer" if self.is_empty else None),
            broken=not self._is_whole(),
            server_calls=read_server_calls({"executed_tools": list(self.executed.values())}),
            thinking="".join(self.thinking) or None,
        )


def join_chunks(chunks: Iterable[Any]) -> ModelAnswer:
    """The answer that some chunks amount to, whatever framed them."""
    assembly = _Assembly()
    for chunk in chunks:
        assembly.add(chunk)
    return assembly.answer()


def assemble(body: bytes) -> ModelAnswer:
    """Read a whole `text/event-stream` body; `broken` where it ends before the model did."""
    assembly = _Assembly()
    for event in events(body):
        if event.is_done:
            assembly.is_done = True
            break
        for chunk in event_values(event):
            assembly.add(chunk)
    return assembly.answer()


def _close(call: _OpenCall, *, cut: bool) -> WireCall:
    """The finished call; where the stream was cut before any argument came, they are unknown, not empty."""
    raw = "".join(call.arguments)
    if call.is_free_text:
        return WireCall(call.id, call.name, None if cut else {"input": raw}, raw)
    return WireCall(call.id, call.name, None if cut and not raw else parse_arguments(raw), raw)
