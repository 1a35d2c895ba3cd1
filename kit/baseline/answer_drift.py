"""How a model answers a recorded request today: in shape, in behaviour, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.wire.dialect import ModelAnswer
from kit.wire.json_text import parse_json
from kit.wire.registry import recognise

_SHOWN = 60
_CHANGES_EVERY_TIME = frozenset({"timings", "logprobs", "usage"})
"""Fields whose inside is the server's own affair: their names count, what is in them does not."""


@dataclass(frozen=True, slots=True)
class AnswerDrift:
    """What differs between a recorded answer and one of today; all empty where nothing does.

    Attributes:
        shape: status, kind of content, fields that came, went or changed their type.
        behaviour: finish reason, tools asked for and with what, refusals, errors, the answering model.
        words: the text, where it differs.
    """

    shape: tuple[str, ...] = ()
    behaviour: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether nothing at all differs."""
        return not (self.shape or self.behaviour or self.words)


def answer_drift(request: HttpRequest, recorded: HttpResponse, today: HttpResponse) -> AnswerDrift:
    """Compare two answers to one request.

    Args:
        request: what was asked, which tells the dialect.
        recorded: as the cassette has it.
        today: as it came now.
    """
    shape = list(_shape_changes(recorded, today))
    before, now = _read(request, recorded), _read(request, today)
    if before is None or now is None:
        words = () if recorded.body == today.body else ("the body differs; no dialect reads it",)
        return AnswerDrift(tuple(shape), (), words)
    return AnswerDrift(tuple(shape), tuple(_behaviour(before, now)), tuple(_words(before, now)))


def _read(request: HttpRequest, response: HttpResponse) -> ModelAnswer | None:
    dialect = recognise(request.method, request.url, request.body)
    if dialect is None:
        return None
    return dialect.read_response(response.body, response.content_type, streamed=bool(response.chunks))


def _type_of(response: HttpResponse) -> str:
    return response.content_type.partition(";")[0]


def _shape_changes(recorded: HttpResponse, today: HttpResponse) -> Iterator[str]:
    if recorded.status != today.status:
        yield f"status {recorded.status} -> {today.status}"
    if _type_of(recorded) != _type_of(today):
        yield f"content type {_type_of(recorded) or 'none'} -> {_type_of(today) or 'none'}"
        return
    before, now = _fields(recorded), _fields(today)
    for path in sorted(before.keys() | now.keys()):
        if path not in now:
            yield f"{path} is gone"
        elif path not in before:
            yield f"{path} is new"
        elif before[path].isdisjoint(now[path]) and "null" not in before[path] | now[path]:
            yield f"{path} was {' or '.join(sorted(before[path]))}, is {' or '.join(sorted(now[path]))}"


def _fields(response: HttpResponse) -> dict[str, set[str]]:
    """The fields of an answer by path, items of lists under one, with the types they have."""
    found: dict[str, set[str]] = {}
    for value in _values(response):
        for path, kind in _walk(value, ""):
            found.setdefault(path, set()).add(kind)
    return found


def _values(response: HttpResponse) -> Iterator[Any]:
    """The JSON values of an answer: one, or one an event of a stream."""
    from kit.wire.sse import events

    if "event-stream" in _type_of(response):
        for event in events(response.body):
            try:
                yield parse_json(event.data or b"")
            except ValueError:
                continue
        return
    try:
        yield parse_json(response.body)
    except ValueError:
        return


def _walk(value: Any, path: str) -> Iterator[tuple[str, str]]:
    yield path or "the body", _kind(value)
    if isinstance(value, dict):
        for name, child in value.items():
            below = f"{path}.{name}" if path else name
            if name in _CHANGES_EVERY_TIME:
                yield below, _kind(child)
            else:
                yield from _walk(child, below)
    elif isinstance(value, list):
        for child in value:
            yield from _walk(child, f"{path}[]")


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "boolean", int: "number", float: "number", str: "text", list: "list", dict: "object"}
    return names.get(type(value), "value")


def _behaviour(before: ModelAnswer, now: ModelAnswer) -> Iterator[str]:
    told: tuple[tuple[str, Any, Any], ...] = (
        ("model", before.model, now.model),
        ("finish reason", before.finish_reason, now.finish_reason),
        ("error", before.error, now.error),
        ("refusal", before.refusal is not None, now.refusal is not None),
    )
    for name, was, is_ in told:
        if was != is_:
            yield f"{name} {_told(was)} -> {_told(is_)}"
    asked = [
        (call.name, call.arguments if call.arguments is not None else call.raw) for call in before.tool_calls
    ]
    asks = [
        (call.name, call.arguments if call.arguments is not None else call.raw) for call in now.tool_calls
    ]
    if [name for name, _ in asked] != [name for name, _ in asks]:
        yield f"tools asked for: {_names(asked)} -> {_names(asks)}"
    else:
        for (name, was), (_, is_) in zip(asked, asks, strict=True):
            if was != is_:
                yield f"{name} is asked for with {_told(is_)}, was with {_told(was)}"
    if bool(before.text) != bool(now.text):
        yield f"text {'gone' if before.text else 'where there was none'}"


def _names(calls: list[tuple[str, Any]]) -> str:
    return ", ".join(name for name, _ in calls) or "none"


def _words(before: ModelAnswer, now: ModelAnswer) -> Iterator[str]:
    if before.text != now.text and before.text and now.text:
        yield f"«{_excerpt(before.text)}» -> «{_excerpt(now.text)}»"


def _told(value: Any) -> str:
    return "none" if value is None else _excerpt(str(value))


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
