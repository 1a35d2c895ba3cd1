"""A foreign file's YAML as plain values, over the parser's events: no recursion, no bomb, no lost number.

PyYAML's own loader drops the first of two equal keys, expands aliases without end and runs out of stack on
deep values; a file of somebody else may hold all three.
"""

from __future__ import annotations

import base64
import binascii
import math
from typing import Any, NoReturn

import yaml
from yaml import events
from yaml.resolver import Resolver

from kit.cassette.marks import JsonNumber
from kit.errors import CassetteInvalid

_LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)
_YAML = "tag:yaml.org,2002:"
_TEXT = frozenset({f"{_YAML}str", f"{_YAML}python/str", f"{_YAML}python/unicode", "!"})
_BYTES = frozenset({f"{_YAML}binary", f"{_YAML}python/bytes"})
_LISTS = frozenset({f"{_YAML}seq", f"{_YAML}python/tuple", f"{_YAML}python/list"})
_MAPPINGS = frozenset({f"{_YAML}map", f"{_YAML}python/dict", f"{_YAML}python/object:vcr.request.Request"})
_BUFFER = f"{_YAML}python/object/new:_io.BytesIO"
_ITERATOR = f"{_YAML}python/object/apply:builtins.iter"
_MERGE = "<<"
_MAX_DIGITS = 4000
_MAX_COPIES = 1_000_000
"""Values that aliases may repeat; a bomb of ten lines means billions."""

_IS_KEY = object()
_TO_LIST = object()
_resolver: Any = Resolver()


def read_yaml(text: str, path: str) -> Any:
    """The one document of a file.

    Mappings and lists, text, bytes (`!!binary`), integers of any length, floats, `JsonNumber` for what is
    neither (`.nan`, an integer of thousands of digits), booleans and None, by the rules of YAML 1.1, by which
    vcrpy writes. Dates and times stay text.

    Args:
        text: the whole file.
        path: for messages.

    Raises:
        CassetteInvalid: no YAML, a key given twice, an alias bomb, a tag that makes an object of Python; with
            `path:line`.
    """
    return _Reader(text, path).read()


class _Reader:
    """One pass over the events; what is open stands on a stack of its own."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.loader = _LOADER(text)
        self.anchors: dict[str, Any] = {}
        self.sizes: dict[str, int] = {}
        self.copies = 0
        self.nodes = 0
        self.documents: list[Any] = []
        self.container: Any = self.documents
        self.key: Any = _TO_LIST
        self.stack: list[tuple[Any, Any, Any, int]] = []

    def read(self) -> Any:
        take = {
            events.ScalarEvent: self._on_scalar,
            events.MappingStartEvent: self._on_start,
            events.SequenceStartEvent: self._on_start,
            events.MappingEndEvent: self._on_end,
            events.SequenceEndEvent: self._on_end,
            events.AliasEvent: self._on_alias,
            events.DocumentStartEvent: self._on_document,
        }
        try:
            while type(event := self.loader.get_event()) is not events.StreamEndEvent:
                if (on_event := take.get(type(event))) is not None:
                    on_event(event)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
            self._refuse(None if mark is None else mark.line + 1, f"this is no YAML: {problem}")
        finally:
            self.loader.dispose()
        return self.documents[0] if self.documents else None

    def _on_document(self, event: Any) -> None:
        if self.documents:
            self._refuse_at(event, "a second document; a cassette is one")

    def _on_scalar(self, event: Any) -> None:
        if self.key is _IS_KEY:
            self.key = self._key(event, self.container)
            return
        value = self._scalar(event)
        self.nodes += 1
        if event.anchor is not None:
            self._name(event.anchor, value, 1)
        self._put(value)

    def _on_start(self, event: Any) -> None:
        if self.key is _IS_KEY:
            self._refuse_at(event, "a key that is no text")
        self.nodes += 1
        self.stack.append((self.container, self.key, event, self.nodes))
        is_list = type(event) is events.SequenceStartEvent
        self.container, self.key = ([], _TO_LIST) if is_list else ({}, _IS_KEY)

    def _on_end(self, _event: Any) -> None:
        value = self.container
        self.container, self.key, start, before = self.stack.pop()
        value = self._made(start, value)
        if start.anchor is not None:
            self._name(start.anchor, value, self.nodes - before + 1)
        self._put(value)

    def _on_alias(self, event: Any) -> None:
        if self.key is _IS_KEY:
            self._refuse_at(event, "an alias as a key")
        value = self._alias(event)
        self.nodes += self.sizes[event.anchor]
        self._put(value)

    def _put(self, value: Any) -> None:
        if self.key is _TO_LIST:
            self.container.append(value)
        else:
            self.container[self.key] = value
            self.key = _IS_KEY

    def _key(self, event: Any, container: dict[str, Any]) -> str:
        key: str = event.value
        if key == _MERGE and event.implicit[0]:
            self._refuse_at(event, "a merge key (<<)")
        if key in container:
            self._refuse_at(event, f"the key {key!r} is given twice")
        if event.anchor is not None:
            self._name(event.anchor, key, 1)
        return key

    def _name(self, anchor: str, value: Any, size: int) -> None:
        self.anchors[anchor] = value
        self.sizes[anchor] = size

    def _alias(self, event: Any) -> Any:
        if event.anchor not in self.anchors:
            self._refuse_at(event, f"*{event.anchor} names nothing before it, or what it stands in")
        self.copies += self.sizes[event.anchor]
        if self.copies > _MAX_COPIES:
            self._refuse_at(event, f"aliases (*) that repeat more than {_MAX_COPIES:,} values: a bomb")
        return self.anchors[event.anchor]

    def _made(self, start: Any, value: Any) -> Any:
        tag = start.tag
        if tag is None or (tag in _LISTS and isinstance(value, list)):
            return value
        if isinstance(value, dict):
            if tag in _MAPPINGS:
                return value
            if tag == _BUFFER:
                return _first(value.get("state"), b"")
            if tag == _ITERATOR:
                return _joined(_first(value.get("args"), []))
        return self._refuse_at(start, f"the tag {tag} makes an object of Python, which kit does not read")

    def _scalar(self, event: Any) -> Any:
        tag, text = event.tag, event.value
        if tag is None:
            if not event.implicit[0]:
                return text
            tag = _resolved(text)
        elif tag in _BYTES:
            return self._bytes(event)
        if tag == f"{_YAML}null":
            return None
        if tag == f"{_YAML}bool":
            return text.lower() in {"yes", "true", "on"}
        if tag in {f"{_YAML}int", f"{_YAML}python/int", f"{_YAML}python/long"}:
            return self._number(event, _integer)
        if tag in {f"{_YAML}float", f"{_YAML}python/float"}:
            return self._number(event, _real)
        if event.tag is None or tag in _TEXT:
            return text
        return self._refuse_at(event, f"the tag {tag} makes an object of Python, which kit does not read")

    def _number(self, event: Any, read: Any) -> Any:
        try:
            return read(event.value.replace("_", "").lower())
        except ValueError:
            return self._refuse_at(event, f"{event.value!r} is no number")

    def _bytes(self, event: Any) -> bytes:
        try:
            return base64.b64decode(event.value)
        except (ValueError, binascii.Error) as error:
            self._refuse_at(event, f"this is no base64: {error}")

    def _refuse_at(self, event: Any, what: str) -> NoReturn:
        self._refuse(event.start_mark.line + 1, what)

    def _refuse(self, line: int | None, what: str) -> NoReturn:
        raise CassetteInvalid(what, where=self.path if line is None else f"{self.path}:{line}")


def _resolved(text: str) -> str:
    """The tag of a bare scalar, by YAML 1.1, but a time is text and not a number to the base of 60.

    No writer means 750 with `12:30`: vcrpy quotes such a text, cassetter leaves it bare.
    """
    tag: str = _resolver.resolve(yaml.ScalarNode, text, (True, False))
    return f"{_YAML}str" if ":" in text and tag in {f"{_YAML}int", f"{_YAML}float"} else tag


def _first(value: Any, default: Any) -> Any:
    return value[0] if isinstance(value, list) and value else default


def _joined(parts: Any) -> Any:
    """The bytes that an iterator of a body's pieces would have given."""
    if not isinstance(parts, list):
        return parts
    return b"".join(part.encode() if isinstance(part, str) else bytes(part) for part in parts)


def _integer(text: str) -> int | JsonNumber:
    digits = text.lstrip("+-")
    if ":" in text:
        total = 0
        for part in digits.split(":"):
            total = total * 60 + int(part)
        return -total if text[0] == "-" else total
    if digits.startswith(("0x", "0b")):
        return int(text, 0)
    if len(digits) > 1 and digits[0] == "0":
        return int(text, 8)
    return JsonNumber(text.lstrip("+")) if len(digits) > _MAX_DIGITS else int(text)


def _real(text: str) -> float | JsonNumber:
    if text.endswith((".inf", ".nan")):
        name = "NaN" if text.endswith("nan") else "Infinity"
        return JsonNumber(f"-{name}" if text[0] == "-" else name)
    if ":" in text:
        total = 0.0
        for part in text.lstrip("+-").split(":"):
            total = total * 60 + float(part)
        return -total if text[0] == "-" else total
    number = float(text)
    return number if math.isfinite(number) else JsonNumber(text.lstrip("+"))
