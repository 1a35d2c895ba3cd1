"""One recorded run: where it comes from and what crossed the boundary."""

from __future__ import annotations

from dataclasses import dataclass

from kit.cassette.header import Header
from kit.cassette.interaction import Interaction


@dataclass(frozen=True, slots=True)
class Cassette:
    """A header and the interactions in the order of conversation."""

    header: Header
    interactions: tuple[Interaction, ...]
