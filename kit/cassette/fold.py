"""Conversations: a request that continues an earlier one says which, what changed and what is new.

So a file grows with the news of each turn instead of the square of the turns, and a reviewer reads the news.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from kit.cassette.conversation import MESSAGE_LISTS

PREVIOUS = "previous_response_id"
"""Body field by which a request continues an answer that the server kept."""

_MOST_REWRITTEN = 2


def list_name(value: Any) -> str | None:
    """The field of a request body that holds its conversation, if it has one."""
    if not isinstance(value, dict):
        return None
    return next((name for name in MESSAGE_LISTS if isinstance(value.get(name), list) and value[name]), None)


@dataclass(slots=True)
class Turn:
    """One request of a conversation, as far as it says something new.

    Attributes:
        number: of the call.
        name: field that holds the messages.
        fields: the other fields in the order of the body, with None in the place of the messages.
        own: messages that the parent does not have.
        parent: the request it continues.
        keep: how many of the parent's messages it repeats.
    """

    number: int
    name: str
    fields: dict[str, Any]
    own: list[Any]
    parent: Turn | None = None
    keep: int = 0
    count: int = field(init=False)

    def __post_init__(self) -> None:
        self.count = self.keep + len(self.own)

    def value(self) -> dict[str, Any]:
        """The whole body; costs the length of the conversation."""
        return {**self.fields, self.name: self._messages()}

    def _messages(self) -> list[Any]:
        parts: list[list[Any]] = []
        turn: Turn | None = self
        limit = self.count
        while turn is not None and limit > 0:
            if limit > turn.keep:
                parts.append(turn.own[: limit - turn.keep])
                limit = turn.keep
            turn = turn.parent
        return [message for part in reversed(parts) for message in part]


@dataclass(frozen=True, slots=True)
class Known:
    """What the writer remembers of a request that others may continue."""

    number: int
    fields: dict[str, str]
    count: int


class Conversations:
    """All requests so far by the digests of their beginnings, to find the one that a new one continues."""

    def __init__(self) -> None:
        self._whole: dict[bytes, Known] = {}
        self._begun: dict[bytes, Known] = {}
        self._asked: dict[int, tuple[str, Known]] = {}
        self._answered: dict[tuple[str, str], Known] = {}

    def parent(self, head: str, texts: list[str]) -> tuple[Known, int] | None:
        """The earlier request with the longest common beginning, and how many messages that is.

        Args:
            head: what must be equal besides: method, address, field of the messages.
            texts: JSON text of each message.

        Only a request that is repeated wholly counts, or but for its last two messages (a last message that
        was rewritten, a cache marker that moved): others would read as changes that nobody made.
        """
        digests = _chain(head, texts)
        for count in range(len(digests), 0, -1):
            known = self._whole.get(digests[count - 1])
            if known is not None:
                return known, count
            begun = self._begun.get(digests[count - 1])
            if begun is not None and count >= max(2, begun.count - _MOST_REWRITTEN):
                return begun, count
        return None

    def parent_by_id(self, head: str, previous: Any) -> tuple[Known, int] | None:
        """The request whose answer a new one names; it repeats no message, the server knows them.

        Args:
            head: as in `parent`.
            previous: what the request says under `PREVIOUS`.
        """
        known = self._answered.get((head, previous)) if isinstance(previous, str) else None
        return None if known is None else (known, 0)

    def answered(self, number: int, answer: Any) -> None:
        """Remember the id under which a server keeps an answer with all that led to it."""
        answer_id = answer.get("id") if isinstance(answer, dict) else None
        if number in self._asked and isinstance(answer_id, str):
            head, known = self._asked[number]
            self._answered[head, answer_id] = known

    def add(self, number: int, head: str, texts: list[str], fields: dict[str, str]) -> None:
        """Remember a request."""
        known = Known(number, fields, len(texts))
        self._asked[number] = (head, known)
        digests = _chain(head, texts)
        self._whole[digests[-1]] = known
        for digest in digests:
            self._begun[digest] = known


def _chain(head: str, texts: list[str]) -> list[bytes]:
    running = hashlib.blake2b(head.encode("utf-8", "surrogatepass"), digest_size=16)
    digests = []
    for text in texts:
        running.update(b"\0" + text.encode("utf-8", "surrogatepass"))
        digests.append(running.digest())
    return digests


def difference(parent: dict[str, str], own: dict[str, str]) -> tuple[list[str], list[str], bool]:
    """What a request changed in the fields of its parent.

    Args:
        parent: JSON text of each field of the parent, in order.
        own: the same of the request.

    Returns:
        Names of new or changed fields, names of dropped ones, and whether the order follows from that.
    """
    changed = [name for name, text in own.items() if parent.get(name) != text]
    dropped = [name for name in parent if name not in own]
    order = [name for name in {**parent, **own} if name in own]
    return changed, dropped, order == list(own)


def continue_fields(
    parent: dict[str, Any], changed: dict[str, Any], dropped: list[str], order: list[str] | None
) -> dict[str, Any]:
    """The inverse of `difference`.

    Raises:
        ValueError: an order that does not name exactly the fields.
    """
    fields = {name: value for name, value in {**parent, **changed}.items() if name not in dropped}
    if order is None:
        return fields
    if sorted(order) != sorted(fields):
        raise ValueError("the order of keys does not name exactly the fields of the request")
    return {name: fields[name] for name in order}
