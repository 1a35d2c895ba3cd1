"""What is told of golden runs without running any: the history, the trend, and floors that came down."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kit import git
from kit.baseline.store import FOLDER
from kit.errors import EnvironmentFault
from kit.gate.floor import FILE, Floor, lowered, parse_floors, read_floors
from kit.golden.history import history_path, read_history
from kit.golden.passes import Pass
from kit.golden.trend import Trend, trends
from kit.workflow.project import Project
from kit.workflow.ref import commit_at


@dataclass(frozen=True, slots=True)
class FloorReview:
    """How the floors of a project differ from those of a ref.

    Attributes:
        lowered: entries that were lowered or removed, a sentence each.
        suites: whose floors were compared.
        new: suites that have a floor file now and had none at the ref: there is nothing to compare.
    """

    lowered: tuple[str, ...]
    suites: tuple[str, ...]
    new: tuple[str, ...] = ()


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


def unmeasured_floors(project: Project) -> dict[str, Floor]:
    """Floors of the golden set whose models no pass was logged of: the source's, or another machine's.

    Raises:
        ConfigError: the history or the floor file is wrong.
    """
    measured = {one.model for one in golden_history(project)}
    floors = read_floors(project.root, project.settings.golden.suite)
    return {model: floor for model, floor in floors.items() if model not in measured}


def review_floors(project: Project, ref: str) -> FloorReview:
    """Compare the floors of every suite with those of a ref, for whoever reviews a change (S4-27).

    Raises:
        UsageError: the project is in no repository, or there is no such ref.
        ConfigError: a floor file, here or there, is wrong.
        EnvironmentFault: git does not say what the ref holds.
    """
    commit = commit_at(project, ref)
    files = git.files_at(project.root, commit, FOLDER)
    if files is None:
        raise EnvironmentFault(
            f"git does not say which floors there are at {ref}",
            where=f"{FOLDER}/",
            next_command="git fsck, which names what is lost; where it names nothing, the same command again",
        )
    paths = {path: path.split("/") for path in sorted(files)}
    suites = {parts[1]: path for path, parts in paths.items() if len(parts) == 3 and parts[2] == FILE}
    before = {suite: parse_floors(files[path], f"{ref}:{path}") for suite, path in suites.items()}
    now = _floors_now(project.root)
    found = (
        f"{suite}: {what}" for suite, floors in before.items() for what in lowered(floors, now.get(suite, {}))
    )
    return FloorReview(tuple(found), tuple(suites), tuple(sorted(now.keys() - suites.keys())))


def _floors_now(root: Path) -> dict[str, dict[str, Floor]]:
    """The floors of every suite as they stand, so that a wrong new file is told too."""
    names = sorted(file.parent.name for file in (root / FOLDER).glob(f"*/{FILE}"))
    return {name: read_floors(root, name) for name in names}
