"""What is said before a replay begins: recordings that are stale, and conflicts that nobody resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kit import git
from kit.cassette.paths import FOLDER, SUFFIX
from kit.harness.plan import Cell
from kit.harness.staleness import StaleCell, mending, stale_cells
from kit.workflow.project import Project

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Foretold:
    """What a person should know before the first run.

    Attributes:
        stale: recordings of the plan that are stale.
        of: how many recordings the plan has.
        conflicts: cassettes that git could not merge, by path; what lies there is only one side.
        commands: what to type to record the stale ones anew.
    """

    stale: tuple[StaleCell, ...] = ()
    of: int = 0
    conflicts: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    @property
    def by_key(self) -> Mapping[str, str]:
        """Why, by key of the cell, as the gate takes it."""
        return {one.cell.key: "; ".join(one.why.reasons) for one in self.stale}

    def lines(self) -> Iterator[str]:
        """What to print; nothing where all is well."""
        for path in self.conflicts:
            yield f"unresolved conflict of git in {path}: what plays is one side of it"
            yield f"  next: kit cassette resolve {path}"
        if not self.stale:
            return
        yield f"stale: {len(self.stale)} of {self.of} recordings (a notice: only a miss fails)"
        for one in self.stale[:_SHOWN]:
            yield f"  {one.text}"
        if len(self.stale) > _SHOWN:
            yield f"  and {len(self.stale) - _SHOWN} more"
        for command in self.commands:
            yield f"  next: {command}"


def foretell(project: Project, cells: Sequence[Cell]) -> Foretold:
    """Look at the recordings of a plan before it is run; nothing of it fails anything.

    Args:
        project: whose plan.
        cells: the plan.
    """
    unmerged = git.conflicts(project.root, FOLDER) or {}
    conflicts = tuple(path for path in unmerged if path.endswith(SUFFIX))
    stale = stale_cells(cells, project.settings)
    return Foretold(stale, len(cells), conflicts, mending([one.cell for one in stale], project.root))
