"""What counts in a request, piece by piece: message, parameter, address, raw body (decision 4).

Each piece is normalised once and remembered by its text, since a conversation sends all of its past again
with every request.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

import orjson

from kit.canonical import DIGEST_BYTES
from kit.cassette.exact_json import dumps_exact, has_big_float

Names = tuple[str, ...]

VOLATILE_IDS = frozenset(
    {
        "id", "tool_call_id", "call_id", "tool_use_id", "toolUseId", "item_id", "approval_request_id",
        "signature", "thought_signature", "thoughtSignature", "encrypted_content",
    }
)  # fmt: skip
"""Fields of a message whose value somebody made up on the way: only where it comes back counts."""

FREE_JSON = frozenset({"input", "args", "arguments", "parameters", "response", "output", "json", "schema"})
"""Fields that hold the caller's own JSON: an `id` in there is an argument, not plumbing."""

_PLACEHOLDER = "\x00id"
_BOUNDARY = re.compile(r"""boundary=(?:"([^"]+)"|([^;\s]+))""", re.IGNORECASE)


class Scrubber(Protocol):
    """What a key needs of a `Redactor`."""

    generation: int
    """Grows whenever a secret was learnt that older text may hold."""

    def fragment(self, json_text: bytes) -> bytes:
        """Compact JSON text with its secrets masked."""
        ...

    def settled_fragment(self, json_text: bytes) -> bytes | None:
        """The same, but None if a secret in it has no number yet."""
        ...

    def body(self, body: bytes, content_type: str) -> bytes:
        """A whole body with its secrets masked."""
        ...

    def value(self, value: Any) -> Any:
        """A JSON value with its secrets masked."""
        ...

    def url(self, url: str) -> str:
        """An address with its secrets masked."""
        ...


class FreshSecret(Exception):
    """A piece holds a secret without a number; `text` is the piece.

    Numbers are given in the order of the whole request, as at the recording, so the whole must be scrubbed
    first.
    """

    def __init__(self, text: bytes) -> None:
        super().__init__()
        self.text = text


class Message(NamedTuple):
    """One normalised message: `record` stands for its meaning, `ids` are its volatile ids in order.

    `members` counts the object members of its text, `odd` says that orjson may have rounded a number in it.
    """

    record: bytes
    ids: Names
    members: int
    odd: bool


class Parameters(NamedTuple):
    """All that a body says beside its messages: a digest per top-level name, and one over all of them."""

    by_name: Mapping[str, bytes]
    record: bytes
    members: int
    odd: bool


def blake(content: bytes) -> bytes:
    """The raw digest that keys are made of."""
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).digest()


def joined(by_name: Mapping[str, bytes]) -> bytes:
    """One digest over the parameters of a body, whatever their order."""
    return blake(
        b"".join(blake(name.encode("utf-8", "surrogatepass")) + by_name[name] for name in sorted(by_name))
    )


class Normaliser:
    """Turns pieces of requests into digests of what counts in them.

    Args:
        redactor: masks secrets by the rules of the recording; None where the text is scrubbed already.
        paths: `(real, alias)` folders; the real one never counts.
        ignore: body fields that never count, as dotted names from the top; lists are walked through
            (`metadata.trace`, `messages.timestamp`).
    """

    def __init__(
        self, redactor: Scrubber | None, paths: Iterable[tuple[str, str]], ignore: Iterable[str]
    ) -> None:
        self._redactor = redactor
        self._paths = sorted(paths, key=lambda pair: -len(pair[0]))
        self._json_paths = [
            (form(real), form(alias)) for real, alias in self._paths for form in (_utf8_json, _ascii_json)
        ]
        self._ignore = [tuple(name.split(".")) for name in sorted(ignore)]
        self._messages: dict[tuple[str, bytes], Message] = {}
        self._parameters: dict[bytes, Parameters] = {}
        self._heads: dict[tuple[str, str], bytes] = {}
        self._generation = redactor.generation if redactor else 0

    def learn_from(self, other: Normaliser) -> None:
        """Take over what another one remembers, where it leaves out the same fields."""
        if self._ignore == other._ignore:
            self._messages.update(other._messages)
            self._parameters.update(other._parameters)

    def is_current(self) -> bool:
        """False, and everything forgotten, if a secret was learnt since the last look."""
        if self._redactor is None or self._redactor.generation == self._generation:
            return True
        self._generation = self._redactor.generation
        for memo in (self._messages, self._parameters, self._heads):
            memo.clear()
        return False

    def head(self, method: str, url: str) -> bytes:
        """Digest of method, path and query; the host is an alias (decision 4)."""
        known = self._heads.get((method, url))
        if known is None:
            shown = self._redactor.url(url) if self._redactor else url
            parts = urlsplit(self._aliased(shown))
            known = blake(
                f"{method.upper()}\0{parts.path or '/'}\0{parts.query}".encode("utf-8", "surrogatepass")
            )
            self._heads[method, url] = known
        return known

    def message(self, place: str, text: bytes, value: Any = None) -> Message:
        """One message of the list `place`, from its compact JSON text by orjson, and its value if known."""
        known = self._messages.get((place, text))
        if known is None:
            known = self._messages[place, text] = self._message(place, text, value, exact=False)
        return known

    def exact_message(self, place: str, value: Any) -> Message:
        """One message as `loads_exact` read it."""
        try:
            return self.message(place, orjson.dumps(value))
        except orjson.JSONEncodeError:
            return self._message(place, dumps_exact(value), None, exact=True)

    def parameters(self, text: bytes) -> Parameters:
        """Everything of a body but its messages, from the compact JSON text as orjson writes it."""
        known = self._parameters.get(text)
        if known is None:
            value = orjson.loads(text)
            known = self._parameters[text] = self._all_parameters(
                value, text.count(b'":'), odd=has_big_float(value)
            )
        return known

    def exact_parameters(self, value: Mapping[str, Any]) -> Parameters:
        """Everything of a body but its messages, as `loads_exact` read it."""
        return self._all_parameters(value, 0, odd=False)

    def parameter(self, name: str, value: Any) -> bytes | None:
        """Digest of one top-level field, None if it does not count; `value` as `loads_exact` reads it."""
        if (name,) in self._ignore:
            return None
        try:
            text, exact = orjson.dumps({name: value}), False
        except orjson.JSONEncodeError:
            text, exact = dumps_exact({name: value}), True
        shown = _without(_loads(self._scrubbed(text), exact=exact), self._ignore)
        return blake(_dumps(shown, exact=exact))

    def raw(self, content_type: str, body: bytes) -> bytes:
        """Digest of a body that is no JSON; a multipart boundary is chance and does not count."""
        for real, alias in self._paths:
            body = body.replace(real.encode(), alias.encode())
        if self._redactor is not None and body:
            body = self._redactor.body(body, content_type)
        found = _BOUNDARY.search(content_type)
        if found:
            body = body.replace((found[1] or found[2]).encode(), b"kit-boundary")
        return blake(body)

    def tool_arguments(self, text: bytes) -> bytes:
        """Canonical JSON text of a tool's arguments, without real folders."""
        return self._aliased_json(text)

    def _aliased(self, text: str) -> str:
        for real, alias in self._paths:
            text = text.replace(real, alias)
        return text

    def _aliased_json(self, text: bytes) -> bytes:
        for real, alias in self._json_paths:
            text = text.replace(real, alias)
        return text

    def _scrubbed(self, text: bytes) -> bytes:
        text = self._aliased_json(text)
        if self._redactor is None:
            return text
        shown = self._redactor.settled_fragment(text)
        if shown is None:
            raise FreshSecret(text)
        return shown

    def _message(self, place: str, text: bytes, value: Any, *, exact: bool) -> Message:
        scrubbed = self._scrubbed(text)
        if value is None or scrubbed is not text:
            value = _loads(scrubbed, exact=exact)
        odd = not exact and has_big_float(value)
        ignored = [path[1:] for path in self._ignore if path[0] == place and len(path) > 1]
        ids: list[str] = []
        shown = _without_ids(_without(value, ignored) if ignored else value, ids)
        return Message(blake(_dumps(shown, exact=exact)), tuple(ids), text.count(b'":'), odd)

    def _all_parameters(self, value: Mapping[str, Any], members: int, *, odd: bool) -> Parameters:
        found = {name: self.parameter(name, item) for name, item in value.items()}
        by_name = {name: record for name, record in found.items() if record is not None}
        return Parameters(by_name, joined(by_name), members, odd)


def _utf8_json(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False)[1:-1].encode()


def _ascii_json(text: str) -> bytes:
    return json.dumps(text)[1:-1].encode()


def _loads(text: bytes, *, exact: bool) -> Any:
    return json.loads(text) if exact else orjson.loads(text)


def _dumps(value: Any, *, exact: bool) -> bytes:
    return b"\0" + dumps_exact(value) if exact else orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _without(value: Any, paths: list[Names]) -> Any:
    """The value without the fields at `paths`; a list is walked through."""
    if isinstance(value, list):
        return [_without(item, paths) for item in value]
    if not isinstance(value, dict) or not paths:
        return value
    gone = {path[0] for path in paths if len(path) == 1}
    return {
        name: _without(item, [path[1:] for path in paths if len(path) > 1 and path[0] == name])
        for name, item in value.items()
        if name not in gone
    }


def _without_ids(value: Any, ids: list[str]) -> Any:
    """The message with its volatile ids taken out into `ids`, in an order that does not hang on key order."""
    if isinstance(value, list):
        return [item if type(item) is str else _without_ids(item, ids) for item in value]
    if not isinstance(value, dict):
        return value
    shown: dict[str, Any] = {}
    for name in sorted(value):
        item = value[name]
        if type(item) is not str:
            shown[name] = item if name in FREE_JSON else _without_ids(item, ids)
        elif name in VOLATILE_IDS:
            ids.append(item)
            shown[name] = _PLACEHOLDER
        else:
            shown[name] = item
    return shown
