"""Migrate recordings after a deliberate edit: first what changed, then, when told to, the files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kit.cassette.differences import Difference
from kit.cassette.store import write
from kit.errors import EXIT_CASSETTE, EXIT_OK, CassetteInvalid, CassetteMissing
from kit.harness.address import select_addressed
from kit.harness.migrate import Migration, migration
from kit.harness.plan import Cell, cells_to_replay
from kit.harness.servers import Servers
from kit.harness.staleness import mending
from kit.harness.world import World
from kit.recording.patching import installed
from kit.scenario.load import load_suites
from kit.workflow.project import Project, refuse_in_ci


@dataclass(frozen=True, slots=True)
class Edit:
    """One place that was edited, and the recordings that it concerns.

    Attributes:
        change: what kind of thing it is, e.g. `system prompt`.
        difference: where, and both values.
        paths: the recordings, from the project's root, in the order of the plan.
    """

    change: str
    difference: Difference
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Migrated:
    """What migrating gives, or would give.

    Attributes:
        edits: each place once.
        paths: recordings that can be migrated, from the project's root.
        refused: recordings that only a new recording can mend, and why.
        unchanged: how many are as they were.
        expires: last day of the migrated ones; None without any.
        is_written: whether the files were written.
        exit_code: 3 where a recording was refused.
        anew: what to type to record the migrated ones instead, a command a model.
    """

    edits: tuple[Edit, ...]
    paths: tuple[Path, ...]
    refused: tuple[tuple[Path, str], ...]
    unchanged: int
    expires: str | None
    is_written: bool
    exit_code: int
    anew: tuple[str, ...] = ()


def migrate(
    project: Project,
    wanted: tuple[str, ...] = (),
    model: str | None = None,
    *,
    only: tuple[str, ...] = (),
    is_meant: bool = False,
) -> Migrated:
    """Run today's agent against recordings, and give those whose prompts changed the new requests.

    Args:
        project: whose cassettes.
        wanted: ids, suites, samples or paths; empty takes the default suites.
        model: only this model's cassettes; None takes every recorded model.
        only: categories.
        is_meant: write; else only say what would be.

    Raises:
        UsageError: nothing is selected, or CI is set and files would be written (decision 16).
        CassetteMissing: nothing is recorded for what was selected.
        ConfigError: the agent cannot be imported.
    """
    if is_meant:
        refuse_in_ci(project, "cassette migrate --yes")
    root = project.root
    selected, samples = select_addressed(load_suites(root), wanted, only)
    cells = cells_to_replay(selected, model, root, to_record=project.settings.model, samples=samples)
    cells = tuple(
        cell for cell in cells if cell.cassette(root).exists()
    )  # what is not there needs no mending
    found, refused = _tried(project, cells)
    for one in found if is_meant else ():
        write(one.path, one.cassette)
    return Migrated(
        edits=_edits(found, root),
        paths=tuple(one.path.relative_to(root) for one in found),
        refused=tuple(refused),
        unchanged=len(cells) - len(found) - len(refused),
        expires=max((str(one.cassette.header.migrated["expires"]) for one in found), default=None),
        is_written=is_meant and bool(found),
        exit_code=EXIT_CASSETTE if refused else EXIT_OK,
        anew=mending([cell for cell in cells if cell.recording(root) in {one.path for one in found}], root),
    )


def _tried(project: Project, cells: Sequence[Cell]) -> tuple[list[Migration], list[tuple[Path, str]]]:
    """What today's agent makes of each recording: those that change, and those that it cannot go on with."""
    found: list[Migration] = []
    refused: list[tuple[Path, str]] = []
    folder = project.scratch("migrate")
    with Servers(project.settings) as servers, installed(virtual_time=True):
        world = World(project.settings, "replay", keep=False, folder=folder, servers=servers)
        for cell in cells:
            try:
                one = migration(cell, world)
            except (CassetteInvalid, CassetteMissing) as error:
                refused.append((cell.recording(project.root).relative_to(project.root), str(error)))
                continue
            if one is not None:
                found.append(one)
    return found, refused


def _edits(found: Iterable[Migration], root: Path) -> tuple[Edit, ...]:
    """Each edited place once, with all recordings that it concerns: a prompt is edited in one place."""
    places: dict[tuple[str, Difference], dict[Path, None]] = {}
    for one in found:
        path = one.path.relative_to(root)
        for divergence in one.divergences:
            for difference in divergence.differences:
                places.setdefault((", ".join(divergence.changes), difference), {})[path] = None
    return tuple(Edit(change, difference, tuple(paths)) for (change, difference), paths in places.items())
