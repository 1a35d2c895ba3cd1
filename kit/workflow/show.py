"""A cassette as a person reads it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit.cassette.header import Header
from kit.cassette.store import read
from kit.trace.conversation import Item, conversation


@dataclass(frozen=True, slots=True)
class ShownCassette:
    """A cassette, read.

    Attributes:
        path: the file.
        header: where it comes from.
        items: its conversation.
        edited: somebody changed the file by hand since it was recorded.
    """

    path: Path
    header: Header
    items: tuple[Item, ...]
    edited: bool


def show(path: Path) -> ShownCassette:
    """Read a cassette for a person.

    Raises:
        CassetteMissing: there is no such file.
        CassetteInvalid: the file is no cassette.
    """
    cassette = read(path)
    return ShownCassette(path, cassette.header, conversation(cassette.interactions), cassette.edited)
