"""A request taken apart for comparison, and the class of each place that differs (decisions 5 and 6)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from kit.cassette.body import is_deep
from kit.cassette.conversation import MESSAGE_LISTS
from kit.cassette.differences import (
    Difference,
    brief,
    differences,
    exact_text,
    one_line,
    same,
    shared_ends,
    shortened,
    spoken,
)
from kit.cassette.exact_json import MAX_DEPTH, NotJsonError, loads_exact
from kit.cassette.interaction import HttpRequest, ToolRequest
from kit.cassette.normal import FREE_JSON, VOLATILE_IDS

Change = Literal[
    "system prompt",
    "tool schema",
    "conversation",
    "tool result",
    "tool arguments",
    "parameters",
    "extra call",
]
Request = HttpRequest | ToolRequest

CHANGES: tuple[Change, ...] = (
    "extra call", "system prompt", "tool schema", "conversation",
    "tool arguments", "tool result", "parameters",
)  # fmt: skip
"""In the order in which they are told: what most likely caused the rest comes first."""

_SYSTEM_FIELDS = ("system", "instructions", "system_instruction", "systemInstruction")
_TOOL_FIELDS = ("tools", "functions")
_ARGUMENTS = re.compile(r"\.(?:arguments|input|args)(?:[.\[]|\Z)")


@dataclass(frozen=True, slots=True)
class Outline:
    """A request taken apart for comparison, volatile ids by their ordinals."""

    kind: Literal["chat", "http", "tool"]
    call: str
    query: str
    list_name: str
    messages: list[Any]
    rest: Any
    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: Request) -> Outline:
        """Takes a request apart, scrubbed and with its paths mapped like a recorded one."""
        if isinstance(request, ToolRequest):
            return cls("tool", request.name, "", "", [], request.arguments)
        parts = urlsplit(request.url)
        call = f"{request.method.upper()} {parts.path or '/'}"
        try:
            body = loads_exact(request.body)
        except NotJsonError:
            body = None
        if body is None or is_deep(body, MAX_DEPTH):
            return cls("http", call, parts.query, "", [], request.body.decode("utf-8", "replace"))
        if isinstance(body, dict):
            for name in MESSAGE_LISTS:
                if isinstance(body.get(name), list):
                    messages = _numbered(body.pop(name), {})
                    return cls(
                        "chat", call, parts.query, name, messages, body, tuple(map(exact_text, messages))
                    )
        return cls("http", call, parts.query, "", [], body)

    @property
    def model(self) -> str | None:
        """The model that is asked, where the body says it."""
        model = self.rest.get("model") if isinstance(self.rest, dict) and self.kind != "tool" else None
        return model if isinstance(model, str) else None

    @property
    def is_streamed(self) -> bool:
        """Whether the answer is wanted in pieces: then it is written otherwise."""
        return isinstance(self.rest, dict) and bool(self.rest.get("stream"))

    @property
    def said(self) -> list[Any]:
        """The messages behind the system prompt that the conversation opens with."""
        opening = next(
            (index for index, message in enumerate(self.messages) if not _is_of_system(message)),
            len(self.messages),
        )
        return self.messages[opening:]

    @property
    def last(self) -> str:
        """What is asked, on one line."""
        if self.messages:
            return shortened(spoken(self.messages[-1]) or brief(self.messages[-1]))
        return shortened(one_line(json.dumps(self.rest, ensure_ascii=False))) if self.rest else ""

    def told(self, number: int) -> str:
        """The request on one line."""
        return shortened(f"call {number}: {self.call}  {self.last}".rstrip())

    def likeness(self, other: Outline) -> tuple[int, ...]:
        """How near another request comes: greater is nearer."""
        start, end = shared_ends(self.texts, other.texts)
        shared = 0
        if isinstance(self.rest, dict) and isinstance(other.rest, dict):
            shared = sum(
                name in other.rest and same(item, other.rest[name]) for name, item in self.rest.items()
            )
        return (start + end, -abs(len(self.messages) - len(other.messages)), shared)

    def differences(self, new: Outline) -> Iterable[Difference]:
        """What differs in a newer request, conversation first."""
        if self.call != new.call:
            yield Difference("name" if self.kind == new.kind == "tool" else "request", self.call, new.call)
            return
        yield from differences(self.query, new.query, "query")
        yield from differences(self.messages, new.messages, new.list_name or self.list_name)
        root = "arguments" if new.kind == "tool" else "" if isinstance(new.rest, dict) else "body"
        yield from differences(self.rest, new.rest, root)


def class_of(path: str, recorded: Outline, asked: Outline) -> Change:
    """What kind of change a place is, of those that differ between two outlines of one call."""
    if asked.kind == "tool":
        return "tool arguments"
    name = path.partition("[")[0].partition(".")[0]
    if asked.list_name and name == asked.list_name:
        index = int(path.partition("[")[2].partition("]")[0] or 0)
        sides = [outline.messages[index] for outline in (recorded, asked) if index < len(outline.messages)]
        return "tool arguments" if _ARGUMENTS.search(path) else _class_of_message(sides)
    if name in _SYSTEM_FIELDS:
        return "system prompt"
    return "tool schema" if name in _TOOL_FIELDS else "parameters"


def _class_of_message(sides: Sequence[Any]) -> Change:
    if any(_is_of_system(side) for side in sides):
        return "system prompt"
    return (
        "tool result" if len(sides) == 2 and all(_is_tool_result(side) for side in sides) else "conversation"
    )


def _is_of_system(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") in ("system", "developer")


def _is_tool_result(message: Any) -> bool:
    if not isinstance(message, dict):
        return False
    if message.get("role") in ("tool", "function") or str(message.get("type", "")).endswith("_output"):
        return True
    parts = message.get("content") or message.get("parts")
    return isinstance(parts, list) and any(
        isinstance(part, dict) and (part.get("type") == "tool_result" or "functionResponse" in part)
        for part in parts
    )


def _numbered(value: Any, ordinals: dict[str, str]) -> Any:
    """The value with volatile ids as `id-1`, `id-2`, … in the order of conversation."""
    if isinstance(value, list):
        return [_numbered(item, ordinals) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: ordinals.setdefault(item, f"id-{len(ordinals) + 1}")
        if name in VOLATILE_IDS and isinstance(item, str)
        else item
        if name in FREE_JSON
        else _numbered(item, ordinals)
        for name, item in value.items()
    }
