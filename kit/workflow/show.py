"""A cassette as a person reads it."""

from __future__ import annotations

import glob
from dataclasses import dataclass
from pathlib import Path

from kit.cassette.header import Header
from kit.cassette.paths import FOLDER, JUDGE_SUFFIX, SUFFIX
from kit.errors import CassetteMissing
from kit.harness.recorded import anew, read_recorded
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
    try:
        cassette = read_recorded(path, Path(), anew(path))
    except CassetteMissing as missing:
        meant = _meant(path.name)
        if not meant:
            raise
        raise CassetteMissing(
            "there is no such file",
            where=str(path),
            why=f"a recording is shown by its file: {len(meant)} begin so" if len(meant) > 1 else None,
            next_command=f"kit show {meant[0]}",
        ) from missing
    return ShownCassette(path, cassette.header, conversation(cassette.interactions), cassette.edited)


def _meant(name: str) -> tuple[str, ...]:
    """Cassettes that a scenario's name (`001`, `001_x@2`) may have meant, below the working directory."""
    head, at, rest = name.removesuffix(SUFFIX).partition("@")
    found = Path(FOLDER).rglob(f"{glob.escape(head)}*{glob.escape(at + rest)}{SUFFIX}")
    names = [file.as_posix() for file in found if not file.name.endswith(JUDGE_SUFFIX)]
    return tuple(sorted(names, key=lambda one: (len(one), one)))
