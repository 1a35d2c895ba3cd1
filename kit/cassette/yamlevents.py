"""YAML into values over the parser's events: a quarter of CSafeLoader's time, strict, and every key has its line."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, NoReturn

import yaml
from yaml import events

from kit.cassette import body, scalar
from kit.cassette.marks import AnswerRef, Args, IdRef, JsonNumber, RawBytes, RawText, ResultRef
from kit.errors import CassetteInvalid

_LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)
_MAX_DEPTH = 4 * body.MAX_DEPTH
_LINED_DEPTH = 3
_CONSTANTS: dict[str, Any] = {"null": None, "true": True, "false": False, "": None}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,300})\Z")
_UNDECIDED = object()


class Fields(dict[str, Any]):
    """A mapping that knows the line of each of its keys, for messages; the upper levels of a file are such."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}


def read_tree(text: str, path: str) -> Any:
    """The one document of a YAML text as JSON values and tags.

    Args:
        text: the whole file.
        path: for messages.

    Raises:
        CassetteInvalid: no YAML, a key given twice, an anchor or alias, an unknown tag; with `path:line`.
    """
    return _Reader(text, path).read()


class _Reader:
    """The state of one pass over the events: the open containers and, for mappings, the key waiting for a value."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.loader = _LOADER(text)
        self.stack: list[tuple[Any, Any, Any]] = []
        self.container: Any = None
        self.key: Any = _UNDECIDED
        self.tag: Any = None
        self.root: Any = _UNDECIDED

    def read(self) -> Any:
        try:
            self._consume()
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = None if mark is None else mark.line + 1
            problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
            self._refuse(line, f"this is no YAML: {problem}")
        finally:
            self.loader.dispose()
        return None if self.root is _UNDECIDED else self.root

    def _consume(self) -> None:
        next_event = self.loader.get_event
        while True:
            event = next_event()
            kind = type(event)
            if kind is events.ScalarEvent:
                if event.anchor is not None:
                    self._refuse_anchor(event)
                if self.key is _UNDECIDED and type(self.container) is not list and self.container is not None:
                    self._open_key(event)
                else:
                    self._put(self._scalar(event))
            elif kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
                self._open(event, is_mapping=kind is events.MappingStartEvent)
            elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
                self._close(event)
            elif kind is events.AliasEvent:
                self._refuse_anchor(event)
            elif kind is events.StreamEndEvent:
                return
            elif kind is events.DocumentStartEvent and self.root is not _UNDECIDED:
                self._refuse_at(event, "a second document; a cassette is one")

    def _open_key(self, event: Any) -> None:
        key = event.value
        if event.tag is not None:
            self._refuse_at(event, f"the key {key!r} has a tag; keys are text")
        if key in self.container:
            self._refuse_at(event, f"the key {key!r} is given twice")
        if type(self.container) is Fields:
            self.container.lines[key] = event.start_mark.line + 1
        self.key = key

    def _put(self, value: Any) -> None:
        container = self.container
        if container is None:
            self.root = value
        elif type(container) is list:
            container.append(value)
        else:
            container[self.key] = value
            self.key = _UNDECIDED

    def _open(self, event: Any, *, is_mapping: bool) -> None:
        if event.anchor is not None:
            self._refuse_anchor(event)
        if self.key is _UNDECIDED and isinstance(self.container, dict):
            self._refuse_at(event, "a key that is no text")
        if len(self.stack) > _MAX_DEPTH:
            self._refuse_at(event, "nested too deep")
        self.stack.append((self.container, self.key, self.tag))
        self.tag = None if event.tag is None else self._args_style(event)
        if not is_mapping:
            self.container = []
        elif len(self.stack) <= _LINED_DEPTH:
            self.container = Fields(event.start_mark.line + 1)
        else:
            self.container = {}
        self.key = _UNDECIDED

    def _close(self, _: Any) -> None:
        value = self.container if self.tag is None else Args(self.tag, self.container)
        self.container, self.key, self.tag = self.stack.pop()
        self._put(value)

    def _args_style(self, event: Any) -> str:
        head, *words = event.tag.split(".")
        style = " ".join(words)
        if head != "!args":
            self._refuse_at(event, f"the tag {event.tag} is unknown here; allowed: !args")
        try:
            body.split_style(style)
        except KeyError as error:
            self._refuse_at(event, f"{error} is no style of !args; allowed: {_styles()}")
        return style

    def _scalar(self, event: Any) -> Any:
        value = event.value
        if event.tag is not None:
            return self._tagged(event)
        if not event.implicit[0]:
            return value
        if value in _CONSTANTS:
            return _CONSTANTS[value]
        if value[0] in "-0123456789" and scalar.NUMBER.match(value):
            return int(value) if _INTEGER.match(value) and value != "-0" else body.parse(value)
        return value

    def _tagged(self, event: Any) -> Any:
        tag, value = event.tag, event.value
        simple = {"!id": IdRef, "!text": RawText}
        if tag in simple:
            return simple[tag](value)
        try:
            if tag == "!answer":
                return AnswerRef(*map(int, value.split(".", 1)))
            if tag == "!result":
                return ResultRef(int(value))
            if tag == "!json":
                return body.parse(value)
            if tag == "!base64":
                return RawBytes(base64.b64decode(value, validate=True))
        except (ValueError, binascii.Error) as error:
            self._refuse_at(event, f"{tag} with a value it cannot have: {error}")
        return self._refuse_at(event, f"the tag {tag} is unknown; allowed: {_TAGS}")

    def _refuse_anchor(self, event: Any) -> NoReturn:
        self._refuse_at(event, "anchors (&) and aliases (*) are not allowed in a cassette")

    def _refuse_at(self, event: Any, what: str) -> NoReturn:
        self._refuse(event.start_mark.line + 1, what)

    def _refuse(self, line: int | None, what: str) -> NoReturn:
        where = self.path if line is None else f"{self.path}:{line}"
        raise CassetteInvalid(what, where=where, next_command=RECORD_AGAIN)


_TAGS = "!args !id !answer !result !json !text !base64"
RECORD_AGAIN = "git checkout -- <the file>, or kit record <scenario>"


def _styles() -> str:
    return " ".join([*body.SPACINGS, *body.ESCAPINGS])


__all__ = ["RECORD_AGAIN", "Fields", "JsonNumber", "read_tree"]
