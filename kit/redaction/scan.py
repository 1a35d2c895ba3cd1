"""Looks for secrets in what is about to be committed, with more suspicion than redaction (decision 10).

Redaction masks what is surely a secret, since a mask in the wrong place spoils a recording. A scan refuses a
file and changes nothing: it may ask about what only looks like one.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kit.redaction.known import Known
from kit.redaction.library import kinds_in, named_in
from kit.redaction.octets import keys_in, runs_in, text_of
from kit.redaction.rule import (
    DEFAULT_RULES,
    MASK,
    Rules,
    is_opaque,
    is_placeholder,
    is_secret_field,
    is_token_field,
    looks_like_token,
    plain_name,
)
from kit.redaction.search import Search
from kit.redaction.shapes import SHAPES, looks_random

_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9_-]{16,}={0,2}")
_VISITORS = frozenset({"_cfuvid", "__cf_bm", "cf_clearance", "_ga", "_gid"})
"""Cookies by which networks count visitors; they open nothing."""
_DEPTH = 8
_SHOWN = 4
_SHORTEST = 6
_OWN = "rule "
_LEAST_KEY = 120
"""A private key is longer, a text about one is not."""


@dataclass(frozen=True, slots=True)
class Find:
    """What looks like a secret.

    Attributes:
        place: where, as a person finds it: `interaction 3, request, messages[2].content`, or a line.
        kind: what it looks like.
        shown: its beginning and its length; never the secret itself.
        line: of the file, 1-based; None where only the place is known.
    """

    place: str
    kind: str
    shown: str
    line: int | None = None


class Scanner:
    """Scans the values of one file; what it has seen it does not look at again.

    Args:
        rules: the user's.
        known: values that are secrets for sure, looked for in media; short words among them are not.
    """

    def __init__(self, rules: Rules = DEFAULT_RULES, known: Iterable[str] = ()) -> None:
        self._search = Search(rules)
        self._known = Known()
        self._known.expect(known)
        self._rules = rules
        self._seen: set[tuple[str, str]] = set()
        self._found: set[str] = set()

    @property
    def matched(self) -> frozenset[str]:
        """The user's rules that matched something, as `Rules.names` spells them."""
        return frozenset(self._search.matched)

    def value(self, value: Any, place: str, name: str = "") -> Iterator[Find]:
        """Finds in a JSON value.

        Args:
            value: of any depth.
            place: where it stands.
            name: of the field that it is the value of.
        """
        pending: list[tuple[Any, str, str, int]] = [(value, place, name, 0)]
        while pending:
            item, where, field, depth = pending.pop()
            if isinstance(item, dict):
                inner = [(child, f"{where}.{key}", str(key), depth) for key, child in item.items()]
                pending.extend(reversed(inner))
            elif isinstance(item, list | tuple):
                inner = [(child, f"{where}[{at}]", field, depth) for at, child in enumerate(item)]
                pending.extend(reversed(inner))
            elif isinstance(item, str) and (field, item) not in self._seen:
                self._seen.add((field, item))
                yield from self._told(self._in_text(field, item), where)
                hidden = None if depth > _DEPTH else _hidden(item)
                if hidden is not None:
                    pending.append((hidden, where, field, depth + 1))

    def text(self, text: str, place: str = "") -> Iterator[Find]:
        """Finds in plain text, each with its line."""
        for kind, secret in self._in_text("", text):
            for find in self._told([(kind, secret)], place):
                at = text.find(secret)
                line = text.count("\n", 0, at) + 1 if at >= 0 else None
                yield Find(place, find.kind, find.shown, line)

    def octets(self, body: bytes, place: str) -> Iterator[Find]:
        """Finds in the readable stretches of a binary body."""
        for _, text in runs_in(body):
            yield from self.value(text, place)

    def media(self, content: bytes, place: str) -> Iterator[Find]:
        """Finds in a media file: in a text by every rule, in binary bytes by what chance does not write.

        That are the looks of keys, the user's patterns and the known values; each comes with its byte.
        """
        text = text_of(content)
        if text is None:
            for at, kind, secret in self._in_bytes(content):
                yield from self._told([(kind, secret)], f"{place}, byte {at}".lstrip(", "))
            return
        yield from self.text(text, place)
        yield from self.value(text, place)
        yield from self._told([(kind, secret) for _, kind, secret in self._known_in(content)], place)

    def _in_bytes(self, content: bytes) -> Iterator[tuple[int, str, str]]:
        runs = runs_in(content)
        yield from (found for found in keys_in(runs) if not _is_word(found[2]))
        for start, text in runs if self._rules.patterns else ():
            for kind, secret in self._by_own_rules("", text):
                yield start + text.find(secret), kind, secret
        yield from self._known_in(content)

    def _known_in(self, content: bytes) -> Iterator[tuple[int, str, str]]:
        for spelled, secret in self._known.spelled.items():
            at = content.find(spelled.encode("utf-8", "surrogateescape"))
            if at >= 0:
                yield at, "a secret of the environment", secret

    def _told(self, found: Iterator[tuple[str, str]] | list[tuple[str, str]], place: str) -> Iterator[Find]:
        for kind, secret in found:
            core = secret.strip()
            if (
                (len(core) < _SHORTEST and not kind.startswith(_OWN))
                or MASK.search(core)
                or self._search.is_allowed(core)
            ):
                continue
            if any(core in other or other in core for other in self._found):
                continue
            self._found.add(core)
            yield Find(place, kind, shown_of(core))

    def _in_text(self, name: str, text: str) -> Iterator[tuple[str, str]]:
        if name and is_opaque(name):
            return
        if name and plain_name(name).endswith("cookie"):
            yield from _cookies(text)
            return
        if name and self._is_named(name, text):
            yield f"value of {name!r}", text
        yield from self._by_own_rules(name, text)
        for span in self._search.prose(text):
            if not _is_word(span.secret):
                yield _kind(text, span.secret), span.secret
        yield from kinds_in(text)
        yield from named_in(text)

    def _by_own_rules(self, name: str, text: str) -> Iterator[tuple[str, str]]:
        field = self._rules.fields.get(plain_name(name)) if name else None
        if field is not None and text.strip() and not is_placeholder(text):
            self._search.matched.add(f'field "{field}"')
            yield f'{_OWN}field "{field}"', text
        for pattern in self._rules.patterns:
            for match in pattern.finditer(text):
                self._search.matched.add(f'pattern "{pattern.pattern}"')
                yield (
                    f'{_OWN}pattern "{pattern.pattern}"',
                    match[1] if pattern.groups and match[1] else match[0],
                )

    def _is_named(self, name: str, value: str) -> bool:
        is_secret = is_secret_field(name)
        if not (is_secret or is_token_field(name)):
            return False
        if is_placeholder(value) or _is_word(value) or any(sign.isspace() for sign in value.strip()):
            return False
        return len(value) >= _SHORTEST if is_secret else looks_like_token(value)


def shown_of(secret: str) -> str:
    """A secret as it may be printed: its beginning, never more than a quarter, and its length."""
    text = secret.replace("\n", " ")
    return f"{text[: min(_SHOWN, len(text) // 4)]}… ({len(secret)} characters)"


def _is_word(value: str) -> bool:
    """What stands in place of a secret: `scrubbed`, `masked`, `dummy`, the first line of a key alone."""
    if value.startswith("-----BEGIN"):
        return len(value) < _LEAST_KEY
    return len(value) < 20 and not looks_random(value)


def _kind(text: str, secret: str) -> str:
    for shape in SHAPES:
        if any(needle in text.lower() for needle in shape.needles):
            for match in shape.pattern.finditer(text):
                if secret in match[0] and shape.is_real(secret):
                    return shape.kind
    return "a secret by its name"


def _cookies(text: str) -> Iterator[tuple[str, str]]:
    for pair in re.split(r"[;\s]+", text):
        name, mark, value = pair.partition("=")
        if mark and name not in _VISITORS and len(value) >= 12 and looks_random(value):
            yield f"cookie {name!r}", value


def _hidden(text: str) -> Any:
    """What a string carries in another form: JSON, or text in base64; None if it is just text."""
    if text[:1] in {"{", "["}:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return None
    core = text.strip()
    if len(core) >= 16 and _BASE64.fullmatch(core):
        try:
            decoded = base64.b64decode(core.translate({45: 43, 95: 47}) + "=" * (-len(core) % 4))
            shown = decoded.decode("utf-8")
        except (binascii.Error, ValueError):
            return None
        return shown if all(sign.isprintable() or sign in "\t\r\n" for sign in shown) else None
    return None
