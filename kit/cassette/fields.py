"""Typed access to the mappings of a cassette, with messages that say file, line and what is allowed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NoReturn

from kit.cassette.paths import record_command
from kit.cassette.yamlevents import Fields
from kit.errors import CassetteInvalid

_REQUIRED = object()
_NAMES = {
    str: "text",
    int: "an integer",
    dict: "a mapping",
    list: "a list",
    bool: "true or false",
    float: "a number",
}


class Section:
    """One mapping of the file and the place it has there."""

    def __init__(self, content: Any, path: str, name: str, line: int = 1) -> None:
        """Check that it is a mapping.

        Raises:
            CassetteInvalid: it is not.
        """
        self.path = path
        self.name = name
        self.line = content.line if isinstance(content, Fields) else line
        if not isinstance(content, Fields):
            self.refuse(f"{name} must be a mapping, not {kind_of(content)}")
        self.content: Fields = content

    def only(self, allowed: tuple[str, ...]) -> None:
        """Refuse keys that format v1 does not know.

        Raises:
            CassetteInvalid: an unknown key; the message lists the known ones.
        """
        if self.content.keys() <= _as_set(allowed):
            return
        for key in self.content:
            if key not in allowed:
                self.refuse(f"{self.name} does not know the key {key!r}; allowed: {', '.join(allowed)}", key)

    def get(self, key: str, *kinds: type, default: Any = _REQUIRED) -> Any:
        """The value of a key.

        Raises:
            CassetteInvalid: it is missing without a default, or of another type.
        """
        value = self.content.get(key, _REQUIRED)
        if value is _REQUIRED:
            if default is _REQUIRED:
                self.refuse(f"{self.name} lacks the key {key!r}")
            return default
        if type(value) in kinds:
            return value
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            allowed = " or ".join(_NAMES.get(kind, kind.__name__) for kind in kinds)
            self.refuse(f"{key} must be {allowed}, not {kind_of(value)}", key)
        return value

    def refuse(self, what: str, key: str | None = None) -> NoReturn:
        """Raise CassetteInvalid for this section, or for one of its keys."""
        line = self.line if key is None else self.content.lines.get(key, self.line)
        raise CassetteInvalid(what, where=f"{self.path}:{line}", next_command=record_command(self.path))


@lru_cache(maxsize=16)
def _as_set(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(names)


def kind_of(value: Any) -> str:
    """What a person calls the type of a value of the file."""
    if value is None:
        return "empty"
    for kind, name in ((bool, "true or false"), *_NAMES.items()):
        if isinstance(value, kind):
            return name
    return f"!{type(value).__name__}"
