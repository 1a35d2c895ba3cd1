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
    child = keyer.folded(fold, new=[{"role": "tool", …}, …], changed={"stream": b"true", "stop": None})
    Interaction(…, key=child.key)                         # and keep `child`, others may follow it

`new` are messages as `body.parse` gives them, `changed` are JSON texts of single top-level values in any
spelling (white space and escapes do not matter); `None` says that the parent's field is gone.
`fold.list_name` names the list which the news belong to. The cost is linear in the news. `keyer.http(…)` of
the body built in full gives the same key. A loader passes no redactor and no paths: what it reads is scrubbed
already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import orjson

from kit.canonical import canonical_json
from kit.cassette.body import is_deep
from kit.cassette.conversation import MESSAGE_LISTS, Chain, Tips, list_name_of
from kit.cassette.exact_json import MAX_DEPTH, NotJsonError, loads_exact
from kit.cassette.folding import Fold, fold, folded, key_of, opened_as
from kit.cassette.normal import FreshSecret, Message, Normaliser, Parameters, Scrubber, blake

_T = TypeVar("_T")


class _Read(NamedTuple):
    """A JSON body as its parts are digested; `list_name` is empty where it holds no conversation."""

    list_name: str
    parameters: Parameters
    chain: Chain


class Keyer:
    """Gives each request its key; one per run, since it remembers the messages it has seen.

    Threads may share it: what it remembers is the same whoever computes it.

    Args:
        redactor: masks secrets by the rules of the recording; None where requests are scrubbed already.
        paths: `(real, alias)` folders of the run; the real one never counts.
        ignore: body fields that never count, as dotted names from the top (`user`, `metadata.trace`,
            `messages.timestamp`).
        known: the keyer that read the cassette: a message that is byte for byte a recorded one is scrubbed
            already and not looked at again.
    """

    def __init__(
        self,
        redactor: Scrubber | None = None,
        paths: tuple[tuple[str, str], ...] = (),
        ignore: frozenset[str] = frozenset(),
        known: Keyer | None = None,
    ) -> None:
        self._redactor = redactor
        self._normal = Normaliser(redactor, paths, ignore)
        if known is not None:
            self._normal.learn_from(known._normal)  # noqa: SLF001 - one keyer of another
        self._tips = Tips()

    def http(self, method: str, url: str, content_type: str, body: bytes) -> bytes:
        """The key of an HTTP request; `body` is the bytes after content-decoding."""
        self._forget_stale()
        key = self._settled(lambda: self._http(method, url, content_type, body), content_type, body)
        # A secret learnt half-way may stand in a message that was digested before it was known.
        while self._forget_stale():
            key = self._settled(lambda: self._http(method, url, content_type, body), content_type, body)
        return key

    def tool(self, name: str, arguments: Mapping[str, Any]) -> bytes:
        """The key of a tool call.

        Raises:
            TypeError: an argument is no JSON value.
        """
        shown: object = dict(arguments)
        if self._redactor is not None:
            shown = self._redactor.value(shown)
        text = canonical_json(shown)
        return blake(b"tool\0" + name.encode() + b"\0" + self._normal.tool_arguments(text))

    def opened(self, method: str, url: str, content_type: str, body: bytes) -> Fold | None:
        """The state after a request written whole; None if its body has no list of messages."""
        read = self._settled(lambda: self._read(content_type, body), content_type, body)
        if read is None or not read.list_name:
            return None
        parameters = read.parameters
        return fold(
            self._normal.head(method, url), read.list_name, parameters.by_name, read.chain, parameters.record
        )

    def opened_as(
        self, method: str, url: str, list_name: str, messages: Sequence[Any], rest: Mapping[str, Any]
    ) -> Fold | None:
        """The same from a body's values, at less cost; None where only its bytes can tell.

        Args:
            method: upper case.
            url: absolute.
            list_name: the field of the body that holds its messages.
            messages: as `body.parse` reads them.
            rest: the other fields.
        """
        if not messages or not isinstance(messages[0], dict):
            return None
        head = self._normal.head(method, url)
        return self._settled(lambda: opened_as(self._normal, head, list_name, messages, rest))

    def folded(
        self, parent: Fold, new: Sequence[Any], changed: Mapping[str, bytes | None] | None = None
    ) -> Fold:
        """The state after a request that repeats `parent` with more messages and other parameters.

        Args:
            parent: the request it continues.
            new: each further message, as `body.parse` reads it.
            changed: JSON text of each top-level field that is new or different; None where it is gone.

        Raises:
            NotJsonError: a text of `changed` is no JSON.
        """
        return self._settled(lambda: folded(self._normal, parent, new, changed or {}))

    def _settled(self, compute: Callable[[], _T], content_type: str = "", whole: bytes | None = None) -> _T:
        """Computes; if a new secret is met, numbers those of the whole body first and computes again."""
        while True:
            try:
                return compute()
            except FreshSecret as fresh:
                if self._redactor is None:
                    raise
                if whole is not None:
                    self._redactor.body(whole, content_type)
                    whole = None
                else:
                    self._redactor.fragment(fresh.text)

    def _forget_stale(self) -> bool:
        if self._normal.is_current():
            return False
        self._tips.clear()
        return True

    def _http(self, method: str, url: str, content_type: str, body: bytes) -> bytes:
        head = self._normal.head(method, url)
        read = self._read(content_type, body)
        if read is None:
            return key_of(head, "", b"raw", self._normal.raw(content_type, body))
        return key_of(head, read.list_name, read.parameters.record, read.chain.messages.digest())

    def _read(self, content_type: str, body: bytes) -> _Read | None:
        """The digests of a body, by way of orjson unless it would lie; None if the body is no JSON."""
        if "json" not in content_type and body[:1] not in (b"{", b"["):
            return None
        try:
            read = self._continued(body) or self._whole(body)
        except (orjson.JSONDecodeError, orjson.JSONEncodeError, RecursionError):
            read = None  # it writes less deep than it reads
        return read or self._exact(body)

    def _continued(self, body: bytes) -> _Read | None:
        """Reads only the news of a body that repeats one seen before; None if it does not."""
        tip = self._tips.longest(body)
        if tip is None:
            return None
        place = len(tip.prefix)
        has_news = body[place : place + 1] == b","
        short = body[: tip.start] + body[place + has_news :]
        value = orjson.loads(short)
        messages = value.pop(tip.list_name, None)
        if not isinstance(messages, list) or has_news != bool(messages) or any(map(value.get, MESSAGE_LISTS)):
            return None
        texts, news, is_plain = self._messages(tip.list_name, messages)
        parameters = self._normal.parameters(rest := orjson.dumps(value))
        if not is_plain or not _is_all(short, tip.list_name, texts, news, rest, parameters):
            return None
        if not has_news:
            return _Read(tip.list_name, parameters, tip.chain)
        chain = tip.chain.grown(news)
        self._tips.add_grown(body, tip, texts, chain)
        return _Read(tip.list_name, parameters, chain)

    def _whole(self, body: bytes) -> _Read | None:
        """Reads a body from its beginning; None where orjson would lie."""
        value = orjson.loads(body)
        if not isinstance(value, dict):
            return None
        list_name = list_name_of(value) or ""
        texts, messages, is_plain = self._messages(list_name, value.pop(list_name) if list_name else ())
        parameters = self._normal.parameters(rest := orjson.dumps(value))
        if not is_plain or not _is_all(body, list_name, texts, messages, rest, parameters):
            return None
        chain = Chain.empty().grown(messages)
        if list_name:
            self._tips.add_whole(body, list_name, texts, rest, chain)
        return _Read(list_name, parameters, chain)

    def _messages(self, list_name: str, values: Sequence[Any]) -> tuple[list[bytes], list[Message], bool]:
        """Texts and digests of messages; False if orjson may have rounded a number in one."""
        texts = list(map(orjson.dumps, values))
        known = self._normal.message
        messages = [known(list_name, text) for text in texts]
        return texts, messages, not any(message.odd for message in messages)

    def _exact(self, body: bytes) -> _Read | None:
        """The digests by way of the standard library; None if the body is no JSON, or too deep to walk."""
        try:
            value = loads_exact(body)
        except NotJsonError:
            return None
        if is_deep(value, MAX_DEPTH):
            return None
        if not isinstance(value, dict):
            value = {"": value}
        list_name = list_name_of(value) or ""
        values = value.pop(list_name) if list_name else ()
        messages = [self._normal.exact_message(list_name, message) for message in values]
        return _Read(list_name, self._normal.exact_parameters(value), Chain.empty().grown(messages))


def _is_all(
    body: bytes,
    list_name: str,
    texts: Sequence[bytes],
    messages: Sequence[Message],
    rest: bytes,
    parameters: Parameters,
) -> bool:
    """True if parsing dropped no duplicate key: what is written again is as long, or has as many members."""
    if parameters.odd:
        return False
    length = len(rest)
    if list_name:
        length += len(list_name) + 5 + (length > 2) + sum(map(len, texts)) + max(len(texts) - 1, 0)
    if length == len(body):
        return True
    members = parameters.members + bool(list_name) + sum(message.members for message in messages)
    # An escaped quote before a colon would count as a member.
    return body.count(b'":') == members and b"\\u0022" not in body
