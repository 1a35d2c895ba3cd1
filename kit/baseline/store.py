"""Baselines on disk: `baselines/<suite>/<model>/<scenario>[.<variant>][@<n>].yaml`, each with a skeleton."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kit import durable
from kit.baseline import skeleton_file
from kit.baseline.accepted import Accepted, CellId
from kit.baseline.skeleton import Facts
from kit.baseline.skeleton_file import KeptSkeleton, skeleton_path
from kit.baseline.yaml_text import dump
from kit.cassette.paths import file_name
from kit.errors import BaselineError, EnvironmentFault, Problem
from kit.scenario.complaint import check
from kit.scenario.tree import Tree, read_tree

FOLDER = "baselines"


def baseline_path(root: Path, cell: CellId) -> Path:
    """Where a cell's baseline lies below the project's root."""
    stem = file_name(cell.scenario)
    if cell.variant:
        stem += f".{file_name(cell.variant)}"
    if cell.replicate != 1:
        stem += f"@{cell.replicate}"
    return root / FOLDER / file_name(cell.suite) / file_name(cell.model) / f"{stem}.yaml"


def load(root: Path, suite: str, model: str) -> dict[CellId, Accepted]:
    """All that was accepted of one suite and model, by cell; empty where nothing was.

    Raises:
        BaselineError: with every problem of every file, as `path:line`.
    """
    folder = root / FOLDER / file_name(suite) / file_name(model)
    return _load(root, folder.glob("*.yaml"), (suite, model))


def load_all(root: Path) -> dict[CellId, Accepted]:
    """All that was accepted of any suite and model, by cell.

    Raises:
        BaselineError: with every problem of every file, as `path:line`.
    """
    return _load(root, (root / FOLDER).glob("*/*/*.yaml"))


def dumps(accepted: Accepted) -> str:
    """The text of a baseline file: the same for the same values, one line a value, for the sake of diffs."""
    values = accepted.model_dump(mode="json")
    for name, plain in (("variant", None), ("replicate", 1)):
        if values[name] == plain:
            del values[name]
    return dump(values)


def skeleton_at(root: Path, cell: CellId) -> KeptSkeleton | None:
    """The trace skeleton that was accepted of a cell, not read yet; None where none was kept."""
    return skeleton_file.find(root, baseline_path(root, cell))


def write(root: Path, accepted: Accepted) -> Path:
    """Put a baseline in its file, whole or not at all; returns the path.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    return _write(root, baseline_path(root, accepted.cell), dumps(accepted))


def write_skeleton(root: Path, cell: CellId, facts: Facts) -> Path:
    """Put a trace skeleton beside its baseline, whole or not at all; returns the path.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    return _write(root, skeleton_path(baseline_path(root, cell)), skeleton_file.dumps(cell, facts))


def _write(root: Path, path: Path, text: str) -> Path:
    home = root / durable.HOME
    try:
        with durable.alone(path, home):
            durable.write(path, text, home)
    except OSError as error:
        raise durable.fault("the baseline cannot be written", path, error) from error
    return path


def remove(root: Path, cell: CellId) -> Path:
    """Take back what was accepted of a cell that is no more, its skeleton too; returns the path.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    path = baseline_path(root, cell)
    try:
        path.unlink(missing_ok=True)
        skeleton_path(path).unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentFault(
            f"the baseline cannot be removed: {error.strerror}", where=str(path)
        ) from error
    return path


def _load(
    root: Path, files: Iterable[Path], subject: tuple[str, str] | None = None
) -> dict[CellId, Accepted]:
    found: dict[CellId, Accepted] = {}
    problems: list[Problem] = []
    for file in sorted(files):
        if file.name.endswith(skeleton_file.SUFFIX):
            continue
        accepted, tree = _read(root, file, subject)
        problems.extend(tree.problems)
        if accepted is not None:
            found[accepted.cell] = accepted
    if problems:
        raise BaselineError(tuple(problems))
    return found


def _read(root: Path, file: Path, subject: tuple[str, str] | None = None) -> tuple[Accepted | None, Tree]:
    tree = read_tree(file, file.relative_to(root).as_posix())
    if tree.value is None:
        return None, tree
    accepted = check(Accepted, tree)
    if accepted is None:
        return None, tree
    about = accepted.suite, accepted.model
    if subject is not None and about != subject:
        tree.report(
            f"is about suite {about[0]} and model {about[1]}, not {' and '.join(subject)}", ("model",)
        )
    elif baseline_path(root, accepted.cell) != file:
        belongs = baseline_path(root, accepted.cell).relative_to(root).as_posix()
        tree.report(f"says that it is about {accepted.cell} and belongs in {belongs}", ("scenario",))
    return accepted, tree
