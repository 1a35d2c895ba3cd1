"""One recorded run: where it comes from and what crossed the boundary."""

from __future__ import annotations

from dataclasses import dataclass, field

from kit.cassette.header import Header
from kit.cassette.interaction import Interaction


@dataclass(frozen=True, slots=True)
class Cassette:
    """A header and the interactions in the order of conversation.

    `edited` says that the file was changed by hand after it was written; it is no part of what a cassette is.
    """

    header: Header
    interactions: tuple[Interaction, ...]
    edited: bool = field(default=False, compare=False)
