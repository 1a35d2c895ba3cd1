"""Conversations that grow: running digests over messages, and how far a body repeats one seen before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import orjson

from kit.canonical import DIGEST_BYTES
from kit.cassette.normal import Message

MESSAGE_LISTS = ("messages", "input", "contents")
"""Names under which the known dialects send a conversation."""

_ORDINAL_BYTES = 4
_KEPT = 16


class _Hash(Protocol):
    def update(self, content: bytes, /) -> None: ...

    def digest(self) -> bytes: ...

    def copy(self) -> _Hash: ...


@dataclass(frozen=True, slots=True)
class Chain:
    """Running digest over the messages so far; never changed, only grown into another.

    Attributes:
        messages: hash over the records of the messages and the places of their ids.
        ordinals: volatile ids met so far, by their place in the conversation.
        count: number of messages.
    """

    messages: _Hash
    ordinals: Mapping[str, int]
    count: int

    @classmethod
    def empty(cls) -> Chain:
        """The conversation before its first message."""
        return cls(hashlib.blake2b(digest_size=DIGEST_BYTES), {}, 0)

    def grown(self, news: Iterable[Message]) -> Chain:
        """The conversation with further messages; this one stays as it is."""
        ordinals: dict[str, int] | None = None
        records: list[bytes] = []
        count = self.count
        for message in news:
            count += 1
            records.append(message.record)
            if message.ids:
                ordinals = dict(self.ordinals) if ordinals is None else ordinals
                places = [ordinals.setdefault(name, len(ordinals)) for name in message.ids]
                records.extend(place.to_bytes(_ORDINAL_BYTES, "big") for place in places)
        messages = self.messages.copy()
        messages.update(b"".join(records))
        return Chain(messages, self.ordinals if ordinals is None else ordinals, count)


class Tip(NamedTuple):
    """A body up to the end of its last message, and the state there; its first message begins at `start`.

    Where `frame` says something, it has to be shown first that the messages are those of the list named: what
    is left of the body without them must be `rest` and an empty list.
    """

    prefix: bytes
    start: int
    list_name: str
    chain: Chain
    frame: bytes = b""
    rest: bytes = b""

    def is_proven(self) -> bool:
        """Whether the messages are those of the list; asked only where a body repeats this one."""
        if not self.frame:
            return True
        frame = orjson.loads(self.frame)
        return frame.pop(self.list_name, None) == [] and orjson.dumps(frame) == self.rest


class Tips:
    """The bodies seen last, so that the next request of a conversation need not be read from its beginning.

    A body is remembered only where its messages were proven to stand in it byte for byte as orjson writes
    them; then a body with the same beginning says the same there. Threads may share it.
    """

    def __init__(self) -> None:
        self._tips: tuple[Tip, ...] = ()

    def clear(self) -> None:
        """Forgets all, since digests have changed."""
        self._tips = ()

    def longest(self, body: bytes) -> Tip | None:
        """The longest beginning that the body repeats."""
        best: Tip | None = None
        for tip in self._tips:
            if (best is None or len(tip.prefix) > len(best.prefix)) and body.startswith(tip.prefix):
                best = tip
        return best if best is None or best.is_proven() else None

    def add_whole(self, body: bytes, list_name: str, texts: list[bytes], rest: bytes, chain: Chain) -> None:
        """Remembers a body read from its beginning, if its messages stand in it as `texts` say.

        `rest` is the body without them, as orjson writes it.
        """
        mark = b'"%s":[' % list_name.encode()
        start = body.find(mark) + len(mark)
        messages = b",".join(texts)
        end = start + len(messages)
        if body[start:end] != messages or body[end : end + 1] != b"]":
            return
        self._add(Tip(body[:end], start, list_name, chain, body[:start] + body[end:], rest))

    def add_grown(self, body: bytes, parent: Tip, texts: list[bytes], chain: Chain) -> None:
        """Remembers a body that repeats `parent` and then says `texts`, if they stand in it so."""
        place = len(parent.prefix)
        news = b"," + b",".join(texts)
        end = place + len(news)
        if body[place:end] == news and body[end : end + 1] == b"]":
            self._add(Tip(body[:end], parent.start, parent.list_name, chain))

    def _add(self, tip: Tip) -> None:
        self._tips = (tip, *self._tips[: _KEPT - 1])


def list_name_of(value: Mapping[str, Any]) -> str | None:
    """The body's field that holds the conversation: a list that begins with an object."""
    for name in MESSAGE_LISTS:
        messages = value.get(name)
        if isinstance(messages, list) and messages and isinstance(messages[0], dict):
            return name
    return None
