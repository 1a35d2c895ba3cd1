"""The order of a recording: by where an interaction came from and its start, never by what arrived first.

Two sub-agents at once interleave as their answers happen to come. In the file each has its own stretch,
behind what both came from, so that the next recording of the same run reads the same (decision 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kit.canonical import canonical_json, digest
from kit.cassette.fold import list_name
from kit.cassette.interaction import HttpRequest, HttpResponse, Interaction, ToolRequest


@dataclass(frozen=True, slots=True)
class Ordered:
    """A recording in its order.

    Attributes:
        interactions: numbered anew, ascending; the numbers are the same ones, dealt out otherwise.
        numbers: the number that each had before → its number now; empty where all were counted anew.
    """

    interactions: tuple[Interaction, ...]
    numbers: Mapping[int, int]

    def number(self, before: int) -> int:
        """The number now of what had number `before`."""
        return self.numbers.get(before, before)


def in_order(interactions: Iterable[Interaction]) -> Ordered:
    """Put what was recorded in the order of the file.

    Each comes behind what it came from, those that came from the same in order of start: the whole line of
    the first, then the line of the second. A run without anything at once stays as it is. Where a number
    stands twice, since a forked process counted for itself, all are counted anew in order of start, and what
    came from what is forgotten.

    Args:
        interactions: in any order, with their numbers by start and `under` as the recording saw it.
    """
    started = sorted(interactions, key=lambda one: one.number)
    if len({one.number for one in started}) < len(started):
        started.sort(key=lambda one: (one.started_ms, one.number))
        counted = (replace(one, number=number, under=None) for number, one in enumerate(started, start=1))
        return Ordered(tuple(counted), {})
    if not _is_branched(started):
        return Ordered(tuple(started), {one.number: one.number for one in started})
    parents = _parents(started)
    walked = list(_walk(started, parents))
    dealt = [one.number for one in started]
    numbers = dict(zip((one.number for one in walked), dealt, strict=True))
    moved = tuple(
        replace(one, number=numbers[one.number], under=numbers.get(one.under or 0, 0)) for one in walked
    )
    return Ordered(moved, numbers)


def _is_branched(started: Sequence[Interaction]) -> bool:
    """Whether any interaction came from another than the one that started before it."""
    before = 0
    for one in started:
        if one.under is not None and one.under != before:
            return True
        before = one.number
    return False


def _siblings(own: Sequence[Interaction]) -> list[Interaction]:
    """In order of start; tasks and threads as they were started, since they race to ask."""
    jobs = sorted((one for one in own if one.job), key=lambda one: (one.job, one.number))
    waiting = iter(jobs)
    return [next(waiting) if one.job else one for one in own]


def _walk(started: Sequence[Interaction], parents: Mapping[int, int]) -> Iterator[Interaction]:
    """Each interaction before its children, the children in order of start."""
    children: dict[int, list[Interaction]] = {}
    for one in started:
        children.setdefault(parents[one.number], []).append(one)
    waiting = list(reversed(_siblings(children.get(0, []))))
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(_siblings(children.get(one.number, []))))


def _parents(started: Sequence[Interaction]) -> dict[int, int]:
    """What each came from: the request it continues, the answer that asked for it, else its task's last.

    A client called through a thread of its own leaves no trace in its task; the conversation still tells.
    """
    lines = _Lines()
    parents: dict[int, int] = {}
    for one in started:
        told = one.under if one.under is not None and one.under in parents else 0
        found = lines.origins(one)
        # The task knows best where it saw something later in the same line: a tool between two calls.
        knows = not found or not found.isdisjoint(_ancestry(told, parents))
        parents[one.number] = told if knows else min(found)
        lines.add(one)
    return parents


def _ancestry(number: int, parents: Mapping[int, int]) -> Iterator[int]:
    while number:
        yield number
        number = parents[number]


@dataclass(slots=True)
class _Lines:
    """What was said so far, to find what a request continues and which answer asked for a tool."""

    whole: dict[bytes, set[int]] = field(default_factory=dict)
    calls: dict[bytes, list[tuple[int, int]]] = field(default_factory=dict)

    def origins(self, one: Interaction) -> set[int]:
        """Numbers of those that it may have come from; equal requests cannot be told apart."""
        if isinstance(one.request, ToolRequest):
            asked = self.calls.get(_call_key(one.request.name, one.request.arguments), [])
            return {number for number, ended_ms in asked if ended_ms <= one.started_ms}
        return next((self.whole[key] for key in _beginnings(one.request) if key in self.whole), set())

    def add(self, one: Interaction) -> None:
        if not isinstance(one.request, HttpRequest) or not isinstance(one.response, HttpResponse):
            return
        own = next(_beginnings(one.request, whole=True), None)
        if own is not None:
            self.whole.setdefault(own, set()).add(one.number)
        for name, arguments in _asked_calls(one.request, one.response):
            self.calls.setdefault(_call_key(name, arguments), []).append((one.number, one.ended_ms))


def _beginnings(request: HttpRequest | ToolRequest, *, whole: bool = False) -> Iterator[bytes]:
    """Digests of a conversation and of each shorter beginning, the longest first.

    Args:
        request: whose.
        whole: only that of the whole conversation, under which later requests find it.
    """
    from kit.wire.json_text import parse_json

    if not isinstance(request, HttpRequest) or not request.body:
        return
    try:
        value = parse_json(request.body)
    except ValueError:
        return
    name = list_name(value)
    if name is None:
        return
    running = [f"{request.method} {request.url} {name}".encode()]
    for message in value[name]:
        running.append(digest(running[-1] + canonical_json(message)).encode())
    yield from [running[-1]] if whole else reversed(running[1:-1])


def _asked_calls(request: HttpRequest, response: HttpResponse) -> Iterator[tuple[str, Any]]:
    from kit.wire.registry import recognise

    dialect = recognise(request.method, request.url, request.body)
    if dialect is None:
        return
    answer = dialect.read_response(response.body, response.content_type, streamed=bool(response.chunks))
    for call in answer.tool_calls:
        yield call.name, call.arguments


def _call_key(name: str, arguments: Any) -> bytes:
    return name.encode("utf-8", "replace") + b"\n" + canonical_json(arguments)
