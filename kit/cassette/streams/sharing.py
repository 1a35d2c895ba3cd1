"""Long text that several templates of a stream hold, said once: APIs echo the whole request in events."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from kit.cassette.assemble import Path

_SHORTEST = 80
_PIECE = re.compile(r"(?<=,)")
Part = str | tuple[Path]
"""A piece of a template: text, or the path of a slot."""


class Sharing:
    """Text cut at commas: pieces that always follow each other are one unit.

    Attributes:
        constants: text of each unit that was taken out, by the path of its slot.
    """

    def __init__(self, templates: Iterable[list[Part]]) -> None:
        self.constants: dict[Path, str] = {}
        self._paths: dict[str, Path] = {}
        self._after: dict[str, set[Any]] = {}
        self._before: dict[str, set[Any]] = {}
        self._count: dict[str, int] = {}
        for template in templates:
            for part in template:
                if isinstance(part, str):
                    self._count_pieces(_PIECE.split(part))

    def _count_pieces(self, run: list[str]) -> None:
        for before, piece, after in zip([None, *run], run, [*run[1:], None], strict=False):
            self._before.setdefault(piece, set()).add(before)
            self._after.setdefault(piece, set()).add(after)
            self._count[piece] = self._count.get(piece, 0) + 1

    def shared(self, template: list[Part]) -> list[Part]:
        """The template with a slot for each long unit that stands in others too."""
        parts: list[Part] = []
        for part in template:
            if isinstance(part, str):
                parts += [self._slot(unit, times) for unit, times in self._units(_PIECE.split(part))]
            else:
                parts.append(part)
        return parts

    def _units(self, run: list[str]) -> list[tuple[str, int]]:
        units: list[tuple[str, int]] = []
        last: str | None = None
        for piece in run:
            if last is not None and len(self._before[piece]) == 1 and len(self._after[last]) == 1:
                units[-1] = (units[-1][0] + piece, units[-1][1])
            else:
                units.append((piece, self._count[piece]))
            last = piece
        return units

    def _slot(self, unit: str, times: int) -> Part:
        if times < 2 or len(unit) < _SHORTEST:
            return unit
        path = self._paths.setdefault(unit, (f"={len(self._paths) + 1}",))
        self.constants[path] = unit
        return (path,)
