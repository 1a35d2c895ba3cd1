"""Finding secrets in text of any kind; changes nothing, gives spans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import orjson

from kit.redaction.rule import (
    MASK,
    Rules,
    is_opaque,
    is_placeholder,
    is_secret_field,
    is_secret_query,
    is_token_field,
    looks_like_token,
    may_be_number,
    plain_name,
)
from kit.redaction.shapes import SHAPES, looks_random, may_hold_secret
from kit.redaction.span import Span, form_decoded, json_decoded, json_places, merged, moved

_ASSIGNMENT = re.compile(r"(?<![\w.%-])([\w.%-]{2,64})=[\"']?([^\s\"'&#,;<>\\(){}\[\]]+)")
_PAIR = re.compile(
    r"(?<![\w.%-])([A-Za-z][\w.-]{1,63})[\"']?[ \t]?:[ \t]{1,4}"
    r"((?:(?:bearer|basic|token|apikey|digest)[ \t]+)?[\"']?[^\s\"'&#,;<>\\(){}\[\]]+)",
    re.IGNORECASE,
)
_COOKIES = re.compile(r"\b(?:set-)?cookie\s?:\s?([^\r\n\"'\\]{3,4096})", re.IGNORECASE)
_COOKIE = re.compile(r"([^\s=;,]{1,256})=([^\s;,]{6,})")
_OF_A_COOKIE = frozenset({"path", "domain", "expires", "max-age", "samesite", "priority"})
_PART = re.compile(
    r"""content-disposition:[^\r\n;]*;[ ]?name=["']?([^"';\r\n]+)([^\r\n]*)\r?\n"""
    r"""(?:[^\r\n]+\r?\n)*\r?\n(.*?)(?=\r?\n--|\Z)""",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = re.compile(r"""(["'])([\w.-]{2,64})\1\s*:\s*(["'])((?:(?!\3)[^\\\n]|\\.)+)\3""")
_TOKEN = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"(\s*:)?(\s*-?\d[\d.eE+-]*)?', re.DOTALL)
_SCHEME = re.compile(r"(?:bearer|basic|token|apikey|digest)\s+(?=\S)", re.IGNORECASE)
_FORM_PAIR = re.compile(r"([^&=]*)=([^&]*)")
_DEPTH = 6
"""JSON inside a string inside JSON …; deeper it is searched as prose."""


class Search:
    """Looks for secrets by the built-in shapes and fields, by the user's rules, and for those learnt before.

    Args:
        rules: the user's rules.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._known: re.Pattern[str] | None = None
        self._spelled: Mapping[str, str] = {}
        self.matched: set[str] = set()

    def know(self, spelled: Mapping[str, str]) -> None:
        """From now on these are found wherever they stand: each spelling, and the secret that it spells."""
        longest_first = sorted(spelled, key=lambda spelling: (-len(spelling), spelling))
        self._spelled = spelled
        self._known = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def is_allowed(self, secret: str) -> bool:
        """Whether the user says that this is no secret."""
        entry = self._rules.allowed(secret) if self._rules.allow else None
        if entry is not None:
            self.matched.add(f'allow "{entry.pattern.pattern}"')
        return entry is not None

    def text(self, text: str, depth: int = 0) -> list[Span]:
        """Secrets in prose, or in JSON if the text is JSON."""
        start = text.lstrip("\ufeff \t\r\n")[:1]
        if start not in ("{", "[", '"') or depth > _DEPTH:
            return self.prose(text)
        if _is_json(text):
            return self.json(text, depth)
        return merged([*self.json(text, depth), *self.prose(text)])

    def prose(self, text: str) -> list[Span]:
        """Secrets in plain text, by their look or by what is known."""
        found = self.known(text)
        if may_hold_secret(text.encode("utf-8", "surrogatepass")):
            found.extend(self._by_look(text))
        for pattern in self._rules.patterns:
            for match in pattern.finditer(text):
                self.matched.add(f'pattern "{pattern.pattern}"')
                span = _group(match)
                if not self.is_allowed(span.secret):
                    found.append(span)
        if self._rules.fields:
            found.extend(self._named(text))
        return _outside_masks(text, merged(found)) if found else found

    def known(self, text: str) -> list[Span]:
        """Only what is known already."""
        if self._known is None:
            return []
        return [Span(*match.span(), self._spelled[match[0]]) for match in self._known.finditer(text)]

    def _by_look(self, text: str) -> Iterator[Span]:
        low = text.lower()
        for shape in SHAPES:
            if any(needle in low for needle in shape.needles):
                for match in shape.pattern.finditer(text):
                    span = _group(match)
                    if shape.is_real(span.secret) and not self.is_allowed(span.secret):
                        yield span
        if not self._rules.fields:
            yield from self._named(text)

    def _named(self, text: str) -> Iterator[Span]:
        """What names its secret: `NAME=…`, `name: …`, `"name": "…"`, cookies."""
        if "=" in text:
            yield from self._assignments(text)
            yield from self._cookies(text)
        if ":" in text:
            yield from self._quoted(text)
            yield from self._pairs(text)

    def json(self, text: str, depth: int = 0) -> list[Span]:
        """Secrets in the strings of a JSON text, by field and by look; total, whatever the text."""
        found: list[Span] = []
        for name, token in _values(text):
            start = token.start(1)
            value = json_decoded(token[1])
            whole = self._field(name, value, text) if name is not None else None
            if whole is None and name is not None and is_opaque(name):
                inner = self.known(value)
            else:
                inner = [whole] if whole else self.text(value, depth + 1)
            if inner:
                found.extend(moved(inner, start, json_places(token[1], value), escaped=True))
            if token[3] and token[2] and may_be_number(value):
                number = token[3].strip()
                if not self.is_allowed(number):
                    found.append(Span(token.end(3) - len(number), token.end(3), number, around='"'))
        return found

    def named(self, name: str, value: str) -> list[Span]:
        """Secrets in the value of a header, by its name and by what it holds."""
        whole = self._field(name, value, "")
        return [whole] if whole else self.text(value)

    def form(self, text: str) -> list[Span]:
        """Secrets in a form body or in the query of an address."""
        found: list[Span] = []
        for pair in _FORM_PAIR.finditer(text):
            name, (value, places) = form_decoded(pair[1])[0], form_decoded(pair[2])
            whole = self._field(name, value, "", query=True)
            inner = [whole] if whole else self.text(value)
            found.extend(moved(inner, pair.start(2), places))
        return [*found, *self.prose(text)]

    def multipart(self, text: str) -> list[Span]:
        """Secrets in an upload: each field by its name, each part by what it holds."""
        found: list[Span] = []
        for part in _PART.finditer(text):
            value = part[3]
            if "\0" in value:
                continue
            is_file = "filename" in part[2].lower()
            whole = None if is_file else self._field(part[1], value, "", query=True)
            found.extend(moved([whole] if whole else self.text(value), part.start(3), None))
        return merged([*found, *self.prose(text)])

    def url(self, url: str) -> list[Span]:
        """Secrets in an address: user and password, path, query, fragment."""
        before, mark, rest = url.partition("?")
        before, hash_mark, fragment = (before, "", "") if mark else before.partition("#")
        query, more, tail = rest.partition("#")
        found: list[Span] = []
        for start, text in (
            (len(before) + 1, query),
            (len(before) + 1 + len(query) + 1, tail if more else ""),
            (len(before) + 1, fragment if hash_mark else ""),
        ):
            if "=" in text:
                found.extend(moved(self.form(text), start, None))
        if "%" in before:
            path, places = form_decoded(before)
            found.extend(moved(self.prose(path), 0, places))
        return merged([*found, *self.prose(url)])

    def _field(self, name: str, value: str, around: str, *, query: bool = False) -> Span | None:
        """The secret that a field's value is, without an authorization scheme in front."""
        own = self._rules.fields.get(plain_name(name))
        if not value.strip() or is_placeholder(value):
            return None
        if own is not None:
            self.matched.add(f'field "{own}"')
        elif is_token_field(name) and not query:
            if not looks_like_token(value) or '"logprob"' in around:
                return None
        elif not (is_secret_query(name) if query else is_secret_field(name)):
            return None
        scheme = _SCHEME.match(value)
        start = scheme.end() if scheme else 0
        secret = value[start:]
        if is_placeholder(secret) or self.is_allowed(secret):
            return None
        return Span(start, len(value), secret)

    @staticmethod
    def of_header(value: str) -> Iterator[str]:
        """The secrets that the value of a secret header holds: a token, credentials, the cookies."""
        scheme = _SCHEME.match(value)
        bare = (value[scheme.end() :] if scheme else value).strip()
        cookies = [cookie[2] for cookie in _COOKIE.finditer(value) if cookie[1].lower() not in _OF_A_COOKIE]
        yield from cookies or [bare]

    def _assignments(self, text: str) -> Iterator[Span]:
        """`API_KEY=…` as in environment files, `?key=…` as in addresses."""
        for match in _ASSIGNMENT.finditer(text):
            name, value = match[1], match[2]
            if text[match.start() - 1 : match.start()] in ("?", "&"):
                whole = self._field(name, value, "", query=True)
            else:
                is_likely = len(value) >= 8 and looks_random(value)
                whole = self._field(name, value, "") if is_likely else None
            if whole:
                yield Span(match.start(2) + whole.start, match.end(2), whole.secret)

    def _quoted(self, text: str) -> Iterator[Span]:
        """`"password": "…"` in a piece of code or of JSON that is shown inside prose."""
        for match in _QUOTED.finditer(text):
            whole = self._field(match[2], match[4], text)
            if whole:
                yield Span(match.start(4) + whole.start, match.end(4), whole.secret)

    def _pairs(self, text: str) -> Iterator[Span]:
        """`X-Api-Key: …` and `password: …` as in headers and settings."""
        for match in _PAIR.finditer(text):
            value = match[2].strip("\"'")
            scheme = _SCHEME.match(value)
            bare = value[scheme.end() :] if scheme else value
            if len(bare) >= 8 and looks_random(bare):
                whole = self._field(match[1], bare, text)
                if whole:
                    yield Span(match.end(2) - len(bare), match.end(2), bare)

    def _cookies(self, text: str) -> Iterator[Span]:
        """`Cookie: a=…; b=…` as in a header that is shown inside prose."""
        for header in _COOKIES.finditer(text):
            for cookie in _COOKIE.finditer(header[1]):
                value = cookie[2]
                if (
                    cookie[1].lower() in _OF_A_COOKIE
                    or is_placeholder(value)
                    or not looks_random(value)
                    or self.is_allowed(value)
                ):
                    continue
                yield Span(header.start(1) + cookie.start(2), header.start(1) + cookie.end(2), value)


def _group(match: re.Match[str]) -> Span:
    group = 1 if match.re.groups and match[1] else 0
    return Span(*match.span(group), match[group])


def _outside_masks(text: str, spans: list[Span]) -> list[Span]:
    """The spans without those that say nothing but a mask."""
    if "<secret-" not in text:
        return spans
    masks = [match.span() for match in MASK.finditer(text)]
    return [
        span for span in spans if not any(start <= span.start and span.end <= end for start, end in masks)
    ]


def _values(text: str) -> Iterator[tuple[str | None, re.Match[str]]]:
    """Each string of a JSON text with the name of the field it is a value of; names come with None."""
    name: str | None = None
    is_list = False
    done = 0
    for token in _TOKEN.finditer(text):
        gap = text[done : token.start()].strip()
        is_list = name is not None and (gap == "[" or (is_list and gap == ","))
        if name is not None and gap and not is_list:
            name = None
        done = token.end(2) if token[2] else token.end(1) + 1
        if token[2]:
            yield None, token
            name, is_list = json_decoded(token[1]), False
        else:
            yield name, token
            name = name if is_list else None


def _is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True
