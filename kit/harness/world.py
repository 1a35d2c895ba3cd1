"""What the cells of one run share, and where each of them leaves its traces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit import durable
from kit.config.settings import Settings
from kit.harness.plan import Cell
from kit.harness.servers import Servers
from kit.recording.pending import FOLDER
from kit.recording.wrapper.job import JOURNALS
from kit.redaction.redactor import Redactor
from kit.redaction.rule import parse_rules
from kit.trace.trace import Mode

ALIAS = "/kit-workspace"
"""What stands in a cassette for the real folder of a workspace."""


@dataclass(frozen=True, slots=True)
class World:
    """What all cells of a run share.

    Attributes:
        settings: the project's.
        mode: replay or live.
        keep: keep the recordings of a live run as cassettes.
        folder: of this run's report; traces and journals go below it.
        servers: where models answer.
        rejudges: replay: ask the judge live about what the recorded run answers, and keep what it says.
    """

    settings: Settings
    mode: Mode
    keep: bool
    folder: Path
    servers: Servers
    rejudges: bool = False


def folder_of(cell: Cell, world: World) -> Path:
    """Where the report of a cell's suite and model lies."""
    path = cell.cassette(world.settings.root)
    return world.folder / path.parent.parent.name / path.parent.name


def journal_of(cell: Cell, world: World, suffix: str = "") -> Path:
    """The file to which a session of this cell appends; `suffix` tells its judge's apart."""
    if world.mode == "live" and world.keep:
        way = way_of(cell, world)
        return way / f"{suffix.removeprefix('.')}.jsonl" if suffix else way / JOURNALS / "run.jsonl"
    folder = folder_of(cell, world) / "journals"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{cell.cassette(world.settings.root).stem}{suffix}.jsonl"


def way_of(cell: Cell, world: World) -> Path:
    """The folder of a recording that is on its way to its cassette."""
    path = cell.cassette(world.settings.root)
    home = world.settings.root / durable.HOME / FOLDER / world.folder.name
    return home / path.parent.parent.name / path.parent.name / path.stem


def redactor_of(settings: Settings) -> Redactor:
    """A redactor of one session: it numbers masks in order of appearance."""
    return Redactor(parse_rules(settings.redaction))
