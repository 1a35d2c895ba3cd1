"""Recordings that did not come to their end: what was planned and what of it is done, in `.kit/unfinished`.

One file a `kit record`, held by a lock while it runs, so that a recording that goes on beside is not taken
for one that was killed. A line is appended as each run ends; the file goes when all that was planned is
recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit import clock
from kit.errors import UsageError
from kit.harness.plan import Cell
from kit.scenario.select import Selected
from kit.workflow.project import Project

FORMAT = "recording 1"
_FOLDER = "unfinished"
_KEPT = 20


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A recording that was interrupted.

    Attributes:
        path: its file.
        model: tag of the model.
        agent: told on the command line; None is the configured one.
        base_url: told on the command line or by the environment; None is the configured one.
        cells: suite, scenario, variant and replicate of every run that was planned and is not recorded.
        done: how many are.
        is_begun: whether a run of it was begun: a mistyped model or a server that is down ends a plan before.
    """

    path: Path
    model: str
    agent: str | None
    base_url: str | None
    cells: tuple[tuple[str, str, str | None, int], ...]
    done: int
    is_begun: bool = True

    def plan(self, selected: Sequence[Selected]) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
        """The runs that are left, and which scenarios of them are gone.

        Args:
            selected: every scenario of the project.
        """
        known = {(item.suite.name, item.scenario.id): item for item in selected}
        cells, gone = [], []
        for suite, scenario, variant, replicate in self.cells:
            item = known.get((suite, scenario))
            if item is None:
                gone.append(f"{suite}/{scenario}")
            else:
                cells.append(Cell(item, self.model, replicate, variant))
        return tuple(cells), tuple(dict.fromkeys(gone))


class Log:
    """Keeps what becomes of one recording."""

    def __init__(self, path: Path, planned: int) -> None:
        self._path = path
        self._planned = planned
        self._done = 0

    def begin(self, cell: Cell) -> None:
        """A run starts: from now on there is something to go on with."""
        _append(self._path, {"begun": cell.key})

    def add(self, cell: Cell, verdict: str) -> None:
        """A run is over; one that ended in an error is left to do."""
        if verdict != "error":
            self._done += 1
            _append(self._path, {"done": cell.key})

    @property
    def left(self) -> int:
        """How many runs are not recorded yet."""
        return self._planned - self._done


@contextmanager
def recording(project: Project, cells: Sequence[Cell], before: Path | None = None) -> Iterator[Log]:
    """Keeps the plan of a recording for as long as it is not recorded whole.

    Args:
        project: whose recording.
        cells: the plan.
        before: the file of the recording that this one goes on with; it goes.
    """
    import filelock

    folder = project.folder(_FOLDER)
    path = folder / f"{clock.now():%Y%m%dT%H%M%S%f}-{clock.fresh_id()[:6]}.jsonl"
    with filelock.FileLock(_lock(path)):
        _append(
            path,
            {
                "kit": FORMAT,
                "model": cells[0].model,
                "agent": _told(project, "agent"),
                "base_url": _told(project, "base_url"),
                "cells": [[*_named(cell), cell.key] for cell in cells],
            },
        )
        if before is not None:
            _append(path, {"begun": None})
            forget(before)
        _forget_unbegun(folder, but=path)
        log = Log(path, len(cells))
        yield log
    # Only now: an exception leaves the file for `--resume`.
    if log.left == 0:
        forget(path)
    for old in sorted(folder.glob("*.jsonl"), reverse=True)[_KEPT:]:
        if not _is_held(old):
            forget(old)


def find_unfinished(project: Project, model: str | None = None) -> Unfinished:
    """The newest recording that did not come to its end and is not going on.

    One that never began is that only where there is no other.

    Args:
        project: whose recordings.
        model: only those of this model; None takes any.

    Raises:
        UsageError: there is none.
    """
    paths = sorted(project.folder(_FOLDER).glob("*.jsonl"), reverse=True)
    every = [found for path in paths if not _is_held(path) and (found := _read(path)) is not None]
    fit = [found for found in every if found.cells and model in {None, found.model}]
    if fit:
        return next((found for found in fit if found.is_begun), fit[0])
    raise UsageError(
        "no recording was interrupted: there is nothing to go on with",
        where=f".kit/{_FOLDER}/",
        next_command="kit record --missing",
    )


def forget(path: Path) -> None:
    """Nothing goes on with this recording any more."""
    path.unlink(missing_ok=True)
    _lock(path).unlink(missing_ok=True)


def _forget_unbegun(folder: Path, but: Path) -> None:
    """Plans that came to nothing, once another is made: a later `--resume` would ask what nobody means."""
    for path in folder.glob("*.jsonl"):
        found = None if path == but or _is_held(path) else _read(path)
        if found is not None and not found.is_begun:
            forget(path)


def _told(project: Project, key: str) -> str | None:
    settings = project.settings
    return str(getattr(settings, key)) if key in settings.overrides else None


def _named(cell: Cell) -> tuple[str, str, str | None, int]:
    return cell.selected.suite.name, cell.selected.scenario.id, cell.variant, cell.replicate


def _read(path: Path) -> Unfinished | None:
    """None for a file that a kill cut short in its first line, or that another version wrote."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        head: dict[str, Any] = lines[0]
        if head["kit"] != FORMAT:
            return None
        done = {line["done"] for line in lines[1:] if "done" in line}
        left = tuple((one[0], one[1], one[2], one[3]) for one in head["cells"] if one[4] not in done)
        return Unfinished(
            path, head["model"], head["agent"], head.get("base_url"), left, len(done), len(lines) > 1
        )
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return None


def _append(path: Path, value: dict[str, Any]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(value) + "\n")


def _lock(path: Path) -> Path:
    return path.with_suffix(".lock")


def _is_held(path: Path) -> bool:
    import filelock

    lock = filelock.FileLock(_lock(path))
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return True
    lock.release()
    return False
