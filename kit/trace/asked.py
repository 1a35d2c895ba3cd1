"""What each model call was asked with, read from as few bodies as can be."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kit.trace.model_call import ModelCall
from kit.trace.trace import Asked
from kit.wire.dialect import ModelRequest, WireMessage

_SYSTEM = frozenset({"system", "developer"})


def asked_of(calls: Sequence[ModelCall], turns: Collection[str] = ()) -> tuple[Asked | None, ...]:
    """What each call was asked with; None where no dialect knows it.

    A request that only adds messages to an earlier one was asked with the same, so its body stays unbuilt:
    building all of a long conversation is quadratic.

    Args:
        calls: in order of conversation.
        turns: what the user said; the prompt is what the agent said of its own.
    """
    read: dict[int, Asked | None] = {}
    distinct: list[Asked] = []
    found = []
    for call in calls:
        like = call.request.like
        if like is not None and id(like) in read:
            found.append(read[id(like)])
            continue
        request = call.read_request()
        asked = None
        if call.dialect is not None and request.error is None:
            asked = _shared(Asked(_prompt(request, turns), request.tools, request.parameters), distinct)
        if any(message.role not in _SYSTEM for message in request.messages):
            # Else the next message could still be one of the prompt.
            read[id(call.request)] = asked
        found.append(asked)
    return tuple(found)


def _prompt(request: ModelRequest, turns: Collection[str]) -> tuple[tuple[str, str], ...]:
    """The system prompt and the first message behind it: what follows is conversation."""
    parts: list[WireMessage] = []
    for message in request.messages:
        parts.append(message)
        if message.role not in _SYSTEM:
            break
    return tuple(
        (part.role, part.text)
        for part in parts
        if part.text and (part.role in _SYSTEM or (part.role == "user" and part.text not in turns))
    )


def _shared(asked: Asked, distinct: list[Asked]) -> Asked:
    for known in distinct:
        if known == asked:
            return known
    distinct.append(asked)
    return asked
