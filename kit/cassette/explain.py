"""Why a request was not found in the recording (decision 5); computed only on a miss."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from kit.cassette.conversation import MESSAGE_LISTS
from kit.cassette.differences import (
    Difference,
    brief,
    common_ends,
    differences,
    exact_text,
    one_line,
    same,
    shortened,
    spoken,
)
from kit.cassette.exact_json import NotJsonError, loads_exact
from kit.cassette.interaction import HttpRequest, Interaction, Lane, ToolRequest
from kit.cassette.match import Playlist
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
class MissReport:
    """All that is known about a miss.

    Attributes:
        lane: lane of the request that was not found.
        step: number of this request in the run, 1-based, over all lanes.
        recorded: how many interactions the cassette holds.
        call: what was called, `POST /v1/chat/completions` or the tool's name.
        model: model that was asked, where the body says it.
        asked: what was asked last, on one line.
        nearest: number of the most similar recorded interaction; None where nothing is comparable.
        is_nearest_played: True if that one was handed out already.
        times: how often exactly this request was recorded; above 0 it was asked once too often.
        changes: classes of the change, the likeliest cause first; never empty.
        differences: the places that differ between the nearest and this request, likeliest cause first.
        upcoming: the next recorded interaction of this lane, on one line; None where all were played.
    """

    lane: Lane
    step: int
    recorded: int
    call: str
    model: str | None
    asked: str
    nearest: int | None
    is_nearest_played: bool
    times: int
    changes: tuple[Change, ...]
    differences: tuple[Difference, ...]
    upcoming: str | None = None

    @property
    def change(self) -> Change:
        """The class of the change that most likely caused the miss."""
        return self.changes[0]


def explain(
    request: Request, playlist: Playlist, key: bytes, *, lane: Lane = "model", step: int | None = None
) -> MissReport:
    """Compares a request that missed with what was recorded.

    Args:
        request: the request, scrubbed and with its paths mapped like a recorded one.
        playlist: what this run plays.
        key: the request's key, which found nothing.
        lane: lane of the request.
        step: number of the request in the run; None takes the number of those played so far plus one.
    """
    asked = _Outline.of(request)
    same_key = playlist.recorded(key)
    upcoming = playlist.next_unplayed(lane)
    left = {item.number for item in playlist.leftovers()}
    nearest = same_key[-1] if same_key else _nearest(asked, playlist.interactions, left)
    found: list[Difference] = []
    changes: tuple[Change, ...] = ("extra call",)
    if nearest is not None and not same_key:
        recorded = _Outline.of(nearest.request)
        found = list(recorded.differences(asked))
        if recorded.call == asked.call:
            found.sort(key=lambda difference: CHANGES.index(_class_of(difference.path, recorded, asked)))
            classes = (_class_of(difference.path, recorded, asked) for difference in found)
            changes = (
                changes
                if not left and _continues(recorded, asked)
                else tuple(dict.fromkeys(classes)) or changes
            )
    return MissReport(
        lane=lane,
        step=playlist.played() + 1 if step is None else step,
        recorded=len(playlist.interactions),
        call=asked.call,
        model=asked.model,
        asked=asked.last,
        nearest=nearest.number if nearest else None,
        is_nearest_played=nearest is not None and nearest.number not in left,
        times=len(same_key),
        changes=changes,
        differences=tuple(found),
        upcoming=_Outline.of(upcoming.request).told(upcoming.number) if upcoming else None,
    )


@dataclass(frozen=True, slots=True)
class _Outline:
    """A request taken apart for comparison, volatile ids by their ordinals."""

    kind: Literal["chat", "http", "tool"]
    call: str
    query: str
    list_name: str
    messages: list[Any]
    rest: Any
    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: Request) -> _Outline:
        if isinstance(request, ToolRequest):
            return cls("tool", request.name, "", "", [], request.arguments)
        parts = urlsplit(request.url)
        call = f"{request.method.upper()} {parts.path or '/'}"
        try:
            body = loads_exact(request.body)
        except NotJsonError:
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
        model = self.rest.get("model") if isinstance(self.rest, dict) and self.kind != "tool" else None
        return model if isinstance(model, str) else None

    @property
    def last(self) -> str:
        """What is asked, on one line."""
        if self.messages:
            return shortened(spoken(self.messages[-1]) or brief(self.messages[-1]))
        return shortened(one_line(json.dumps(self.rest, ensure_ascii=False))) if self.rest else ""

    def told(self, number: int) -> str:
        """The request on one line."""
        return shortened(f"call {number}: {self.call}  {self.last}".rstrip())

    def likeness(self, other: _Outline) -> tuple[int, ...]:
        """How near another request comes: greater is nearer."""
        start, end = common_ends(self.texts, other.texts)
        shared = 0
        if isinstance(self.rest, dict) and isinstance(other.rest, dict):
            shared = sum(
                name in other.rest and same(item, other.rest[name]) for name, item in self.rest.items()
            )
        return (start + end, -abs(len(self.messages) - len(other.messages)), shared)

    def differences(self, new: _Outline) -> Iterable[Difference]:
        """What differs in a newer request, conversation first."""
        if self.call != new.call:
            yield Difference("name" if self.kind == new.kind == "tool" else "request", self.call, new.call)
            return
        yield from differences(self.query, new.query, "query")
        yield from differences(self.messages, new.messages, new.list_name or self.list_name)
        root = "arguments" if new.kind == "tool" else "" if isinstance(new.rest, dict) else "body"
        yield from differences(self.rest, new.rest, root)


def _nearest(asked: _Outline, interactions: Sequence[Interaction], left: set[int]) -> Interaction | None:
    """The most similar recorded interaction; among equals the next one that was not played."""
    best: tuple[tuple[int, ...], Interaction] | None = None
    for item in interactions:
        other = _Outline.of(item.request)
        if (other.kind == "tool") != (asked.kind == "tool"):
            continue
        is_left = item.number in left
        score = (1, *asked.likeness(other), is_left) if other.call == asked.call else (0, is_left)
        if best is None or score > best[0]:
            best = (score, item)
    return best[1] if best else None


def _continues(recorded: _Outline, asked: _Outline) -> bool:
    """True if the request only says more than the recorded one did."""
    start, _ = common_ends(recorded.texts, asked.texts)
    return start == len(recorded.messages) < len(asked.messages) and same(recorded.rest, asked.rest)


def _class_of(path: str, recorded: _Outline, asked: _Outline) -> Change:
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
    if any(isinstance(side, dict) and side.get("role") in ("system", "developer") for side in sides):
        return "system prompt"
    return (
        "tool result" if len(sides) == 2 and all(_is_tool_result(side) for side in sides) else "conversation"
    )


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
