"""Keys for what is read from a file: a folded request gets its own from its news, its body is never built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kit.cassette import body
from kit.cassette.fold import Turn
from kit.cassette.interaction import HttpRequest, ToolRequest


class Keys(Protocol):
    """What the reader wants of `cassette.key.Keyer`."""

    def http(self, method: str, url: str, content_type: str, body: bytes) -> bytes:
        """Key of a whole request."""
        ...

    def tool(self, name: str, arguments: Mapping[str, Any]) -> bytes:
        """Key of a tool call."""
        ...

    def opened(self, method: str, url: str, content_type: str, body: bytes) -> Any:
        """State after a whole request, or None."""
        ...

    def opened_as(self, method: str, url: str, list_name: str, messages: Sequence[Any], rest: Any) -> Any:
        """The same from the values of the body, or None where only its bytes can tell."""
        ...

    def folded(
        self, parent: Any, new: Sequence[Any], changed: Mapping[str, bytes | None] | None = None
    ) -> Any:
        """State after a request that continues another."""
        ...


@dataclass(slots=True)
class Conversation:
    """A request that later ones may continue.

    Attributes:
        turn: its news.
        to: method and address.
        changed: names of the fields that differ from the request it continues.
        headers: those that are shown; a request that continues it has the same unless it says so.
        fold: the state of its key.
        request: itself, or the earliest one that says the same but for later messages.
    """

    turn: Turn
    to: Any
    changed: tuple[str, ...] = ()
    headers: dict[str, Any] = field(default_factory=dict)
    fold: Any = None
    request: HttpRequest | None = None

    def repeats_parent(self) -> bool:
        """Whether it only adds messages to the request that it continues."""
        parent = self.turn.parent
        return parent is not None and not self.changed and self.turn.keep == parent.count


class KeyChain:
    """Gives each request of one cassette its key, in order."""

    def __init__(self, keyer: Keys) -> None:
        self._keyer = keyer

    def tool(self, request: ToolRequest) -> bytes:
        """The key of a tool call."""
        return self._keyer.tool(request.name, request.arguments)

    def http(self, request: HttpRequest, own: Conversation | None, parent: Conversation | None) -> bytes:
        """The key of an HTTP request, at the cost of its news where it continues another as it was.

        Args:
            request: the request; its body is built only where it has to be.
            own: its conversation, if it has one; remembers the state for those that follow.
            parent: the conversation it continues.
        """
        content_type = request.content_type
        if own is None:
            return self._keyer.http(request.method, request.url, content_type, request.body)
        if parent is None or parent.fold is None or own.turn.keep < parent.turn.count:
            own.fold = self._opened(request, own.turn) or self._keyer.opened(
                request.method, request.url, content_type, request.body
            )
        else:
            fields = own.turn.fields
            changed = {name: _json(fields[name]) if name in fields else None for name in own.changed}
            own.fold = self._keyer.folded(parent.fold, own.turn.own, changed)
        if own.fold is None:
            return self._keyer.http(request.method, request.url, content_type, request.body)
        key: bytes = own.fold.key
        return key

    def _opened(self, request: HttpRequest, turn: Turn) -> Any:
        """Without the bytes of the body, which replay never looks at."""
        value = turn.value()
        messages = value.pop(turn.name)
        return self._keyer.opened_as(request.method, request.url, turn.name, messages, value)


def _json(value: Any) -> bytes:
    return body.encode(value).encode("utf-8")
