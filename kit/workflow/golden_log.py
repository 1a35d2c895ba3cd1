"""What is told of golden runs without running any: the history, the trend, and floors that came down."""

from __future__ import annotations

from dataclasses import dataclass

from kit import git
from kit.gate.floor import FILE, lowered, parse_floors, read_floors
from kit.golden.history import history_path, read_history
from kit.golden.passes import Pass
from kit.golden.trend import Trend, trends
from kit.workflow.project import Project
from kit.workflow.ref import commit_at

_FOLDER = "baselines"


@dataclass(frozen=True, slots=True)
class FloorReview:
    """How the floors of a project differ from those of a ref.

    Attributes:
        against: the ref.
        lowered: entries that were lowered or removed, a sentence each.
        suites: whose floors were compared.
    """

    against: str
    lowered: tuple[str, ...]
    suites: tuple[str, ...]


def golden_history(project: Project) -> tuple[Pass, ...]:
    """Every pass that was logged.

    Raises:
        ConfigError: the history holds what kit did not write.
    """
    return read_history(history_path(project.root, project.settings.golden.suite))


def golden_trend(project: Project) -> tuple[Trend, ...]:
    """The logged passes of each model, beside its floor.

    Raises:
        ConfigError: the history or the floor file is wrong.
    """
    return trends(golden_history(project), read_floors(project.root, project.settings.golden.suite))


def review_floors(project: Project, ref: str) -> FloorReview:
    """Compare the floors of every suite with those of a ref, for whoever reviews a change (S4-27).

    Raises:
        UsageError: the project is in no repository, or there is no such ref.
        ConfigError: a floor file, here or there, is wrong.
    """
    commit = commit_at(project, ref)
    files = git.files_at(project.root, commit, _FOLDER) or {}
    found: list[str] = []
    suites: list[str] = []
    for path, content in sorted(files.items()):
        parts = path.split("/")
        if len(parts) != 3 or parts[2] != FILE:
            continue
        suites.append(parts[1])
        before = parse_floors(content, f"{ref}:{path}")
        found += [f"{parts[1]}: {what}" for what in lowered(before, read_floors(project.root, parts[1]))]
    return FloorReview(ref, tuple(found), tuple(suites))
