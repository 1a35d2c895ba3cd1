"""A part of a plan, for machines that share a large suite."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kit.canonical import digest
from kit.errors import UsageError
from kit.harness.plan import Cell

_WRITTEN = re.compile(r"(?P<number>[1-9]\d*)/(?P<count>[1-9]\d*)\Z")


@dataclass(frozen=True, slots=True)
class Shard:
    """The n-th of several parts, counted from 1.

    A cell goes where the digest of its name says. So it stays in its shard whatever else comes into the plan
    or leaves it; parts of a small plan may differ in size, and one may be empty.
    """

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def takes(self, cell: Cell) -> bool:
        """Whether a cell belongs to this part."""
        return int(digest(cell.key.encode()), 16) % self.count == self.number - 1


def parse_shard(text: str) -> Shard:
    """Read `2/5`.

    Raises:
        UsageError: it is not like that, or there is no such part.
    """
    found = _WRITTEN.match(text)
    if found is None or int(found["number"]) > int(found["count"]):
        raise UsageError(f"`{text}` is no shard: write 1/4 to 4/4 for the four parts of a plan")
    return Shard(int(found["number"]), int(found["count"]))
