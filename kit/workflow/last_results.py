"""What the last run of each cell came to, from the reports that lie in `.kit/reports`."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit import durable
from kit.cassette.paths import cassette_path
from kit.errors import EXIT_CASSETTE
from kit.harness.plan import Cell
from kit.workflow.project import Project


@dataclass(frozen=True, slots=True)
class LastResult:
    """The newest result of a cell.

    Attributes:
        verdict: as the report has it.
        mode: replay or live.
        exit_code: of the result.
        at: when its report was made.
    """

    verdict: str
    mode: str
    exit_code: int
    at: dt.datetime

    @property
    def is_miss(self) -> bool:
        """Whether the recording could not serve a replay."""
        return self.mode == "replay" and self.verdict == "error" and self.exit_code == EXIT_CASSETTE


def last_results(project: Project, cells: Iterable[Cell]) -> dict[str, LastResult]:
    """By key of the cell; those that never ran here, or whose reports are gone, are left out.

    Args:
        project: whose reports.
        cells: of any suites and models.
    """
    root = project.root
    waiting: dict[Path, set[Path]] = {}
    keys = {cell.cassette(root): cell.key for cell in cells}
    for path in keys:
        waiting.setdefault(Path(path.parent.parent.name, path.parent.name), set()).add(path)
    found: dict[str, LastResult] = {}
    for folder in _newest_first(root / durable.HOME / "reports"):
        for own, left in waiting.items():
            for path, result in _results(folder / own / "report.json", root) if left else ():
                if path in left:
                    left.discard(path)
                    found[keys[path]] = result
        if not any(waiting.values()):
            break
    return found


def _newest_first(reports: Path) -> list[Path]:
    """Folders are named after the second of their run; within it the clock of the disk decides."""
    folders = [folder for folder in reports.glob("*") if folder.is_dir()]
    return sorted(folders, key=lambda one: (one.name.partition("-")[0], one.stat().st_mtime), reverse=True)


def _results(file: Path, root: Path) -> Iterator[tuple[Path, LastResult]]:
    """What a report says, as plain values: it may be another version's."""
    try:
        report: Any = json.loads(file.read_text(encoding="utf-8"))
        at = dt.datetime.fromisoformat(report["timestamp"])
        for one in report["scenarios"]:
            path = cassette_path(
                root, one["suite"], one["model"], one["scenario_id"], one["variant"], one["replicate"]
            )
            yield path, LastResult(one["verdict"], report["mode"], one["exit_code"], at)
    except (OSError, ValueError, KeyError, TypeError):
        return
