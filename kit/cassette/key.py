"""What a request is matched by: its meaning, at constant cost (decision 4).

    key = digest(method + path + query,  name of the message list,  parameters,  messages)

- The host is an alias, headers do not count at all: a recording from `localhost:11434` replays elsewhere, and
  a new SDK version misses nothing.
- A JSON body with a list of messages (`messages`, `input`, `contents`) is digested message by message; each
  digest is remembered by the message's text. Everything else in the body is a parameter,
  digested by its name.
- Volatile ids (tool calls, items, signatures) are replaced by their ordinal in the order of conversation, so
  that two recordings of one conversation have equal keys, while an answer to the *wrong* call still misses.
- Secrets and real folders are masked as in the recording; a multipart boundary does not count.

**For the loader of folded cassettes.** A folded call (`after: 1`, `changed`, `new`) needs no body
for its key:

    fold = keyer.opened(method, url, content_type, body)  # a call written whole; None: nothing can follow it
    child = keyer.folded(fold, new=[b'{"role":"tool",…}', …], changed={"stream": b"true", "stop": None})
    Interaction(…, key=child.key)                         # and keep `child`, others may follow it

`new` and `changed` are JSON texts of single messages and of single top-level values, in any spelling (white
space and escapes do not matter); `None` says that the parent's field is gone. `fold.list_name` names the list
which the news belong to. The cost is linear in the news. `keyer.http(…)` of the body built in full gives the
same key. A loader passes no redactor and no paths: what it reads is scrubbed already.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

from kit.canonical import DIGEST_BYTES, canonical_json
from kit.cassette.exact_json import NotJsonError, loads_exact
from kit.cassette.normal import Message, Normaliser, Parameters, Scrubber, blake, joined

MESSAGE_LISTS = ("messages", "input", "contents")
"""Names under which the known dialects send a conversation."""

_ORDINAL_BYTES = 4


class _Hash(Protocol):
    def update(self, content: bytes, /) -> None: ...

    def digest(self) -> bytes: ...

    def copy(self) -> _Hash: ...


@dataclass(frozen=True, slots=True)
class Fold:
    """A request that others may continue: its key, and what is needed to go on from it without its body.

    Attributes:
        key: what the request is matched by.
        list_name: body field that holds the messages.
        count: number of messages so far.
        head: digest of method, path and query.
        parameters: digest of each other top-level field.
        messages: running hash over the messages, never updated itself.
        ordinals: volatile ids met so far, in order.
    """

    key: bytes
    list_name: str
    count: int
    head: bytes
    parameters: Mapping[str, bytes]
    messages: _Hash
    ordinals: Mapping[str, int]


class Keyer:
    """Gives each request its key; one per run, since it remembers the messages it has seen.

    Threads may share it: what it remembers is the same whoever computes it.

    Args:
        redactor: masks secrets by the rules of the recording; None where requests are scrubbed already.
        paths: `(real, alias)` folders of the run; the real one never counts.
        ignore: body fields that never count, as dotted names from the top (`user`, `metadata.trace`,
            `messages.timestamp`).
    """

    def __init__(
        self,
        redactor: Scrubber | None = None,
        paths: tuple[tuple[str, str], ...] = (),
        ignore: frozenset[str] = frozenset(),
    ) -> None:
        self._normal = Normaliser(redactor, paths, ignore)

    def http(self, method: str, url: str, content_type: str, body: bytes) -> bytes:
        """The key of an HTTP request; `body` is the bytes after content-decoding."""
        while True:
            # A secret learnt half-way may stand in a message that was digested before it was known.
            self._normal.is_current()
            key = self._http(method, url, content_type, body)
            if self._normal.is_current():
                return key

    def tool(self, name: str, arguments: Mapping[str, Any]) -> bytes:
        """The key of a tool call.

        Raises:
            TypeError: an argument is no JSON value.
        """
        shown = self._normal.tool_arguments(canonical_json(dict(arguments)))
        return blake(b"tool\0" + name.encode() + b"\0" + shown)

    def opened(self, method: str, url: str, content_type: str, body: bytes) -> Fold | None:
        """The state after a request written whole; None if its body has no list of messages."""
        value = _exact_object(content_type, body)
        if value is None:
            return None
        list_name = _list_name(value)
        if list_name is None:
            return None
        messages = value.pop(list_name)
        parameters = self._normal.exact_parameters(value).by_name
        start = _Chain(hashlib.blake2b(digest_size=DIGEST_BYTES), {})
        return self._fold(self._normal.head(method, url), list_name, parameters, start, 0, messages)

    def folded(
        self, parent: Fold, new: Sequence[bytes], changed: Mapping[str, bytes | None] | None = None
    ) -> Fold:
        """The state after a request that repeats `parent` with more messages and other parameters.

        Args:
            parent: the request it continues.
            new: JSON text of each further message.
            changed: JSON text of each top-level field that is new or different; None where it is gone.

        Raises:
            NotJsonError: a text is no JSON.
        """
        parameters: Mapping[str, bytes] = parent.parameters
        if changed:
            found = {
                name: text and self._normal.parameter(name, loads_exact(text))
                for name, text in changed.items()
            }
            merged = {**parameters, **found}
            parameters = {name: record for name, record in merged.items() if record}
        chain = _Chain(parent.messages.copy(), dict(parent.ordinals))
        news = [loads_exact(text) for text in new]
        return self._fold(parent.head, parent.list_name, parameters, chain, parent.count, news)

    def _fold(
        self,
        head: bytes,
        list_name: str,
        parameters: Mapping[str, bytes],
        chain: _Chain,
        count: int,
        news: Sequence[Any],
    ) -> Fold:
        for value in news:
            chain.add(self._normal.exact_message(list_name, value))
        key = _key(head, list_name, joined(parameters), chain.messages.digest())
        return Fold(key, list_name, count + len(news), head, parameters, chain.messages, chain.ordinals)

    def _http(self, method: str, url: str, content_type: str, body: bytes) -> bytes:
        head = self._normal.head(method, url)
        if _looks_json(content_type, body):
            key = self._fast(head, body)
            if key is None:
                key = self._exact(head, content_type, body)
            if key is not None:
                return key
        return _key(head, "", b"raw", self._normal.raw(content_type, body))

    def _fast(self, head: bytes, body: bytes) -> bytes | None:
        """The key by way of orjson; None where it would lie or refuse."""
        try:
            value = orjson.loads(body)
        except orjson.JSONDecodeError:
            return None
        if not isinstance(value, dict):
            return None
        list_name = _list_name(value)
        messages = value.pop(list_name) if list_name else ()
        rest = orjson.dumps(value)
        parameters = self._normal.parameters(rest)
        records, length, members, odd = self._messages(list_name or "", messages)
        if odd or parameters.odd:
            return None
        # Duplicate keys were dropped without a word: what is written again must be all of the body.
        if list_name:
            length += len(rest) + len(list_name) + 5 + (len(rest) > 2) + max(len(messages) - 1, 0)
            members += 1
        else:
            length = len(rest)
        if length != len(body) and not _has_all_members(body, members + parameters.members):
            return None
        return _key(head, list_name or "", parameters.record, blake(records))

    def _messages(self, list_name: str, messages: Sequence[Any]) -> tuple[bytes, int, int, bool]:
        """Records of all messages, length and count of members of their texts, and whether one is odd."""
        records: list[bytes] = []
        ordinals: dict[str, int] = {}
        length = members = 0
        odd = False
        dumps, known = orjson.dumps, self._normal.message
        for value in messages:
            text = dumps(value)
            message = known(list_name, text)
            length += len(text)
            members += message.members
            odd = odd or message.odd
            records.append(message.record)
            if message.ids:
                records.append(_places(message, ordinals))
        return b"".join(records), length, members, odd

    def _exact(self, head: bytes, content_type: str, body: bytes) -> bytes | None:
        """The key by way of the standard library; None if the body is no JSON after all."""
        value = _exact_object(content_type, body)
        if value is None:
            return None
        list_name = _list_name(value)
        messages = value.pop(list_name) if list_name else ()
        parameters: Parameters = self._normal.exact_parameters(value)
        chain = _Chain(hashlib.blake2b(digest_size=DIGEST_BYTES), {})
        for message in messages:
            chain.add(self._normal.exact_message(list_name or "", message))
        return _key(head, list_name or "", parameters.record, chain.messages.digest())


@dataclass(slots=True)
class _Chain:
    messages: _Hash
    ordinals: dict[str, int]

    def add(self, message: Message) -> None:
        self.messages.update(message.record)
        if message.ids:
            self.messages.update(_places(message, self.ordinals))


def _places(message: Message, ordinals: dict[str, int]) -> bytes:
    return b"".join(
        ordinals.setdefault(name, len(ordinals)).to_bytes(_ORDINAL_BYTES, "big") for name in message.ids
    )


def _key(head: bytes, list_name: str, parameters: bytes, messages: bytes) -> bytes:
    return blake(b"\0".join((head, list_name.encode(), parameters, messages)))


def _list_name(value: Mapping[str, Any]) -> str | None:
    """The field that holds the conversation: a list that begins with an object."""
    for name in MESSAGE_LISTS:
        messages = value.get(name)
        if isinstance(messages, list) and messages and isinstance(messages[0], dict):
            return name
    return None


def _looks_json(content_type: str, body: bytes) -> bool:
    return "json" in content_type or body[:1] in (b"{", b"[")


def _exact_object(content_type: str, body: bytes) -> dict[str, Any] | None:
    """The body as an object; another JSON value stands under the empty name."""
    if not _looks_json(content_type, body):
        return None
    try:
        value = loads_exact(body)
    except NotJsonError:
        return None
    return value if isinstance(value, dict) else {"": value}


def _has_all_members(body: bytes, members: int) -> bool:
    """True if no object member got lost in parsing; an escaped quote before a colon would count as one."""
    return body.count(b'":') == members and b"\\u0022" not in body
