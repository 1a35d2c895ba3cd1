"""What a shape makes of a stream: the message, and where it shows the texts of the events."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from kit.cassette.assemble import Path


@dataclass(frozen=True, slots=True)
class Place:
    """Where the message shows a text of an event: all of it, or a piece that adds up with others."""

    path: Path
    is_piece: bool = False


Places = dict[Path, Place]
"""Path of a text in one event → its place in the message; the path `()` is the event's whole value."""


@dataclass(slots=True)
class Assembled:
    """A message and, for each event in order, the places of its texts.

    Attributes:
        message: what a reviewer reads.
        places: one mapping an event; None where the events themselves are merged and have their own paths.
    """

    message: Any
    places: list[Places] | None = field(default_factory=list)


class Shape(Protocol):
    """How the events of one API add up."""

    def recognises(self, events: list[Any]) -> bool:
        """Whether the JSON values of a stream's events are of this API."""
        ...

    def assemble(self, events: list[Any]) -> Assembled:
        """The message; may raise LookupError, TypeError, ValueError or AttributeError on odd events."""
        ...


def texts_below(value: Any, at: Path, to: Path) -> Places:
    """Places of all texts in a part of an event that the message shows as it is.

    Args:
        value: the part.
        at: its path in the event.
        to: its path in the message.
    """
    return {(*at, *path): Place((*to, *path)) for path, leaf in leaves_of(value) if isinstance(leaf, str)}


def leaves_of(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Texts and numbers in the order of the text, each with its path; items of lists by position."""
    if isinstance(tree, dict):
        for name, child in tree.items():
            yield from leaves_of(child, (*path, name))
    elif isinstance(tree, list):
        for position, item in enumerate(tree):
            yield from leaves_of(item, (*path, position))
    elif tree is not None and not isinstance(tree, bool):
        yield path, tree


def own(value: Any) -> Any:
    """A copy that may be added to."""
    return copy.deepcopy(value)


def add_text(holder: dict[str, Any], name: str, text: str) -> None:
    """Put a piece behind what the holder has; what is there and no text is replaced."""
    before = holder.get(name)
    holder[name] = before + text if isinstance(before, str) else text
