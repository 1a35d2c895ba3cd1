"""YAML into values over the parser's events: faster than CSafeLoader, strict, and every key has its line."""

from __future__ import annotations

from typing import Any, NoReturn

import yaml
from yaml import events

from kit.cassette import body, tags
from kit.cassette.marks import Args
from kit.cassette.paths import record_command
from kit.errors import CassetteInvalid

_LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)
_MAX_DEPTH = 4 * body.MAX_DEPTH
LINED_DEPTH = 3
"""So many levels of a file are `Fields`."""

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
                    container, key = Fields(line) if len(stack) <= LINED_DEPTH else {}, _IS_KEY
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
        if event.tag != tags.ARGS and not event.tag.startswith(f"{tags.ARGS}."):
            self._refuse_at(event, f"the tag {event.tag} is unknown here; allowed: {tags.ARGS}")
        try:
            return tags.style_of(event.tag)
        except tags.UnknownTagError as error:
            return self._refuse_at(event, str(error))

    def _scalar(self, event: Any) -> Any:
        if event.anchor is not None:
            self._refuse_anchor(event)
        if event.tag is None:
            return tags.plain(event.value)
        try:
            return tags.tagged(event.tag, event.value)
        except tags.UnknownTagError as error:
            return self._refuse_at(event, str(error))
        except ValueError as error:
            return self._refuse_at(event, f"{event.tag} with a value it cannot have: {error}")

    def _refuse_anchor(self, event: Any) -> NoReturn:
        self._refuse_at(event, "anchors (&) and aliases (*) are not allowed in a cassette")

    def _refuse_at(self, event: Any, what: str) -> NoReturn:
        self._refuse(event.start_mark.line + 1, what)

    def _refuse(self, line: int | None, what: str) -> NoReturn:
        where = self.path if line is None else f"{self.path}:{line}"
        raise CassetteInvalid(what, where=where, next_command=record_command(self.path))
