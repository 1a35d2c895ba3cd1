"""An OpenAI chat stream as the message it amounts to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kit.wire.dialect import ModelAnswer, WireCall
from kit.wire.json_text import parse_json
from kit.wire.openai_message import parse_arguments, read_count, read_error, read_text, text_or_none
from kit.wire.sse import SseEvent, events


@dataclass(slots=True)
class _OpenCall:
    """A tool call that still grows."""

    id: str | None = None
    name: str = ""
    arguments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Assembly:
    """What the chunks so far amount to; only the first choice counts."""

    model: str | None = None
    text: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
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
        if isinstance(chunk.get("usage"), dict):
            self.usage = chunk["usage"]
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else []:
            if isinstance(choice, dict) and choice.get("index") in (0, None):
                self._add_choice(choice)

    def _add_choice(self, choice: dict[str, Any]) -> None:
        self.finish_reason = text_or_none(choice.get("finish_reason")) or self.finish_reason
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            return
        self.text.append(read_text(delta.get("content")) or "")
        self.refusal.append(text_or_none(delta.get("refusal")) or "")
        pieces = delta.get("tool_calls")
        for piece in pieces if isinstance(pieces, list) else []:
            if isinstance(piece, dict):
                self._add_call(piece)

    def _add_call(self, piece: dict[str, Any]) -> None:
        call_id = text_or_none(piece.get("id"))
        call = self.calls.setdefault(self._place(piece.get("index"), call_id), _OpenCall())
        call.id = call.id or call_id
        function = piece.get("function")
        if isinstance(function, dict):
            call.name = call.name or text_or_none(function.get("name")) or ""
            call.arguments.append(text_or_none(function.get("arguments")) or "")

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
        )


def assemble(body: bytes) -> ModelAnswer:
    """Read a whole `text/event-stream` body; `broken` where it ends before the model did."""
    assembly = _Assembly()
    for event in events(body):
        if event.is_done:
            assembly.is_done = True
            break
        for chunk in _chunks(event):
            assembly.add(chunk)
    return assembly.answer()


def _chunks(event: SseEvent) -> Iterator[Any]:
    """The JSON of an event; line by line where a server forgot the blank line between two."""
    if event.data is None:
        return
    for text in (event.data, *event.data.split(b"\n")) if b"\n" in event.data else (event.data,):
        try:
            yield parse_json(text)
        except ValueError:
            continue
        if text is event.data:
            return


def _close(call: _OpenCall, *, cut: bool) -> WireCall:
    """The finished call; where the stream was cut before any argument came, they are unknown, not empty."""
    raw = "".join(call.arguments)
    return WireCall(call.id, call.name, None if cut and not raw else parse_arguments(raw), raw)
