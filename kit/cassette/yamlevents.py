"""YAML into values over the parser's events: faster than CSafeLoader, strict, and every key has its line."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, NoReturn

import yaml
from yaml import events

from kit.cassette import body, scalar
from kit.cassette.marks import AnswerRef, Args, IdRef, JsonNumber, RawBytes, RawText, ResultRef
from kit.cassette.paths import record_command
from kit.errors import CassetteInvalid

_LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)
_MAX_DEPTH = 4 * body.MAX_DEPTH
_LINED_DEPTH = 3
_CONSTANTS: dict[str, Any] = {"null": None, "true": True, "false": False, "": None}
_CONSTANTS |= {name: JsonNumber(name) for name in ("NaN", "Infinity", "-Infinity")}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,300})\Z")
_IS_KEY = object()
_TO_LIST = object()


class Fields(dict[str, Any]):
    """A mapping that knows the line of each of its keys; the upper levels of a file are such."""

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
    """One pass over the events."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.loader = _LOADER(text)

    def read(self) -> Any:
        try:
            documents = self._consume()
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = None if mark is None else mark.line + 1
            problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
            self._refuse(line, f"this is no YAML: {problem}")
        finally:
            self.loader.dispose()
        return documents[0] if documents else None

    def _consume(self) -> list[Any]:
        """The documents of the file; with a stack of its own, since recursion is slow and can run out.

        `key` says where a value goes: to the end of a list, under a key, or that it is a key.
        """
        next_event = self.loader.get_event
        documents: list[Any] = []
        container: Any = documents
        key: Any = _TO_LIST
        tag: str | None = None
        stack: list[tuple[Any, Any, str | None]] = []
        while True:
            event = next_event()
            kind = type(event)
            if kind is events.ScalarEvent:
                if key is _IS_KEY:
                    key = self._key(event, container)
                    continue
                is_text = event.tag is None and event.anchor is None and not event.implicit[0]
                value = event.value if is_text else self._scalar(event)
            elif kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
                if key is _IS_KEY or len(stack) > _MAX_DEPTH or event.anchor is not None:
                    self._refuse_start(event, is_key=key is _IS_KEY)
                stack.append((container, key, tag))
                tag = None if event.tag is None else self._args_style(event)
                if kind is events.SequenceStartEvent:
                    container, key = [], _TO_LIST
                else:
                    line = event.start_mark.line + 1
                    container, key = Fields(line) if len(stack) <= _LINED_DEPTH else {}, _IS_KEY
                continue
            elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
                value = container if tag is None else Args(tag, container)
                container, key, tag = stack.pop()
            elif kind is events.StreamEndEvent:
                return documents
            else:
                self._check(event, documents)
                continue
            if key is _TO_LIST:
                container.append(value)
            else:
                container[key] = value
                key = _IS_KEY

    def _key(self, event: Any, container: dict[str, Any]) -> str:
        key: str = event.value
        if event.tag is not None or event.anchor is not None:
            self._refuse_at(event, f"the key {key!r} has a tag or an anchor; keys are text")
        if key in container:
            self._refuse_at(event, f"the key {key!r} is given twice")
        if type(container) is Fields:
            container.lines[key] = event.start_mark.line + 1
        return key

    def _refuse_start(self, event: Any, *, is_key: bool) -> NoReturn:
        if event.anchor is not None:
            self._refuse_anchor(event)
        self._refuse_at(event, "a key that is no text" if is_key else "nested too deep")

    def _check(self, event: Any, documents: list[Any]) -> None:
        """What is left: marks of begin and end, which say nothing, and what a cassette must not hold."""
        if type(event) is events.AliasEvent:
            self._refuse_anchor(event)
        if type(event) is events.DocumentStartEvent and documents:
            self._refuse_at(event, "a second document; a cassette is one")

    def _args_style(self, event: Any) -> str:
        if event.tag != "!args" and not event.tag.startswith("!args."):
            self._refuse_at(event, f"the tag {event.tag} is unknown here; allowed: !args")
        return self._style(event)

    def _style(self, event: Any) -> str:
        style = " ".join(event.tag.split(".")[1:])
        try:
            body.split_style(style)
        except KeyError as error:
            self._refuse_at(event, f"{error} is no style of JSON; allowed: {_styles()}")
        return style

    def _scalar(self, event: Any) -> Any:
        value = event.value
        if event.tag is not None:
            return self._tagged(event)
        if event.anchor is not None:
            self._refuse_anchor(event)
        if value in _CONSTANTS:
            return _CONSTANTS[value]
        if value[0] in "-0123456789" and scalar.NUMBER.match(value):
            return int(value) if _INTEGER.match(value) and value != "-0" else body.parse(value)
        return value

    def _tagged(self, event: Any) -> Any:
        tag, value = event.tag, event.value
        if event.anchor is not None:
            self._refuse_anchor(event)
        simple = {"!id": IdRef, "!text": RawText}
        if tag in simple:
            return simple[tag](value)
        try:
            if tag == "!answer":
                return AnswerRef(*map(int, value.split(".", 1)))
            if tag == "!result" or tag.startswith("!result."):
                return ResultRef(int(value), self._style(event))
            if tag == "!json":
                return body.parse(value)
            if tag == "!base64":
                return RawBytes(base64.b64decode(value, validate=True))
            if tag == "!media" or tag.startswith("!media."):
                from kit.cassette import media  # most cassettes have none

                return media.read(tag, value)
        except (ValueError, binascii.Error) as error:
            self._refuse_at(event, f"{tag} with a value it cannot have: {error}")
        return self._refuse_at(event, f"the tag {tag} is unknown; allowed: {_TAGS}")

    def _refuse_anchor(self, event: Any) -> NoReturn:
        self._refuse_at(event, "anchors (&) and aliases (*) are not allowed in a cassette")

    def _refuse_at(self, event: Any, what: str) -> NoReturn:
        self._refuse(event.start_mark.line + 1, what)

    def _refuse(self, line: int | None, what: str) -> NoReturn:
        where = self.path if line is None else f"{self.path}:{line}"
        raise CassetteInvalid(what, where=where, next_command=record_command(self.path))


_TAGS = "!args !id !answer !result !json !text !base64 !media"


def _styles() -> str:
    return " ".join([*body.SPACINGS, *body.ESCAPINGS])
