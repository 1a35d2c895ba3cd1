"""Tool calls seen only through the model's eyes: asked for in one answer, their result in a later request.

For agents whose tools are plain functions that nobody wrapped with `kit.tool`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kit.canonical import canonical_json
from kit.trace.event import Event
from kit.trace.model_call import ModelCall
from kit.wire.dialect import WireCall, WireMessage

Place = tuple[int, int]
"""Which answer (position among the model calls), and which of its tool calls."""


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """A tool call that got a result.

    Attributes:
        call: as the model asked for it.
        result: the text that went back to the model; None where it was empty.
        number: interaction of the answer that asked.
        started_ms: end of that answer, since nobody saw the tool start.
        ended_ms: start of the next model call after it.
    """

    call: WireCall
    result: str | None
    number: int
    started_ms: int
    ended_ms: int


def answered_calls(calls: Sequence[ModelCall], events: Iterable[Event] = ()) -> tuple[AnsweredCall, ...]:
    """The requested calls that got a result in a later request, in the order in which they were asked for.

    A call that the agent reports as denied or blocked got an answer but was not made, so it is left out.
    """
    refused = _refused(calls, events)
    results = _results(calls)
    found = []
    for place, result in sorted(results.items()):
        if place in refused:
            continue
        asked = calls[place[0]]
        later = (call.started_ms for call in calls[place[0] + 1 :] if call.started_ms >= asked.ended_ms)
        found.append(
            AnsweredCall(
                call=asked.answer.tool_calls[place[1]],
                result=result,
                number=asked.number,
                started_ms=asked.ended_ms,
                ended_ms=next(later, asked.ended_ms),
            )
        )
    return tuple(found)


def _results(calls: Sequence[ModelCall]) -> dict[Place, str | None]:
    """Results by place, read from the last request backwards: it usually holds all, so one body is built.

    Some servers give every call the same id, so calls of one key are paired from their ends.
    """
    asked: dict[bytes, list[Place]] = defaultdict(list)
    for position, call in enumerate(calls):
        for index, requested in enumerate(call.answer.tool_calls):
            asked[_key(requested)].append((position, index))
    found: dict[Place, str | None] = {}
    for position in range(len(calls) - 1, 0, -1):
        earlier = [place for places in asked.values() for place in places if place[0] < position]
        if all(place in found for place in earlier):
            break
        for key, texts in _carried(calls[position].read_request().messages).items():
            open_places = [place for place in asked.get(key, ()) if place[0] < position]
            for place, text in zip(reversed(open_places), reversed(texts), strict=False):
                found.setdefault(place, text)
    return found


def _carried(messages: Iterable[WireMessage]) -> dict[bytes, list[str | None]]:
    """Results in one request, by each key under which its call may have been asked for."""
    waiting: list[WireCall] = []
    found: dict[bytes, list[str | None]] = defaultdict(list)
    for message in messages:
        waiting.extend(message.calls)
        if message.role not in {"tool", "function"}:
            continue
        call = next((call for call in waiting if _answers(message, call)), None)
        if call is None:
            continue
        waiting.remove(call)
        found[_key(call)].append(message.text)
        if call.id is not None:
            # Agents make up ids for calls that came without one.
            found[_key(WireCall(None, call.name, call.arguments, call.raw))].append(message.text)
    return found


def _answers(message: WireMessage, call: WireCall) -> bool:
    if message.call_id is not None:
        return message.call_id == call.id
    return message.name is None or message.name == call.name


def _key(call: WireCall) -> bytes:
    if call.id is not None:
        return b"id " + call.id.encode("utf-8", "surrogatepass")
    arguments = call.raw.encode("utf-8", "surrogatepass")
    if call.arguments is not None:
        arguments = canonical_json(call.arguments)
    return b"call " + call.name.encode("utf-8", "surrogatepass") + b" " + arguments


def _refused(calls: Sequence[ModelCall], events: Iterable[Event]) -> set[Place]:
    """Calls that were denied or blocked: each such event speaks of one call of the answer before it."""
    refused: set[Place] = set()
    for event in events:
        name = _refused_tool(event)
        before = [position for position, call in enumerate(calls) if call.number <= event.after]
        if name is None or not before:
            continue
        asked = calls[before[-1]].answer.tool_calls
        places = [(before[-1], index) for index, call in enumerate(asked) if call.name == name]
        refused.update([place for place in places if place not in refused][:1])
    return refused


def _refused_tool(event: Event) -> str | None:
    """The tool that an event says was not called; None for any other event."""
    if event.kind == "policy_violation":
        name = event.detail.get("tool")
    elif event.kind == "approval_decided" and event.detail.get("approved") is False:
        name = event.detail.get("action")
    else:
        return None
    return name if isinstance(name, str) else None
