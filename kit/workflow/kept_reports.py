"""Reports that earlier runs left, read again."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from kit import durable
from kit.errors import UsageError
from kit.harness.eval_report import EvalReport
from kit.workflow.project import Project

FILE = "report.json"
_NEXT = "kit replay"


def read_reports(project: Project, path: Path | None) -> tuple[EvalReport, ...]:
    """The reports of one run.

    Args:
        project: whose latest run is taken without a path.
        path: a folder that `--report` or a run made, or one `report.json`.

    Raises:
        UsageError: there is no report, or what is there is none.
    """
    place = path or _latest(project)
    files = [place] if place.is_file() else _files(place)
    if not files:
        raise UsageError(f"there is no {FILE}", where=str(place), next_command=_NEXT)
    return tuple(report for file in files for report in _read(file))


def _latest(project: Project) -> Path:
    runs = sorted((project.root / durable.HOME / "reports").glob(f"*/*/*/{FILE}"), key=_when)
    if not runs:
        raise UsageError("nothing was run yet", where=".kit/reports/", next_command=_NEXT)
    return runs[-1].parents[2]


def _when(file: Path) -> tuple[str, float]:
    """Folders are named after the second of their run; within it the clock of the disk decides."""
    return file.parents[2].name.partition("-")[0], file.stat().st_mtime


def _files(folder: Path) -> list[Path]:
    """The report of the whole where there is one, else those of each suite and model."""
    whole = folder / FILE
    return [whole] if whole.is_file() else sorted(folder.glob(f"*/*/{FILE}"))


def _read(file: Path) -> list[EvalReport]:
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        return [EvalReport.model_validate(one) for one in (value if isinstance(value, list) else [value])]
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", where=str(file)) from error
    except (ValueError, ValidationError) as error:
        raise UsageError("is no report that this kit wrote", where=str(file), next_command=_NEXT) from error
