"""Which runs of a plan a change can affect; where nobody can say, a run is done rather than left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import kit
from kit.baseline.accepted import CellId
from kit.baseline.skeleton_file import skeleton_path
from kit.baseline.store import FOLDER as BASELINES
from kit.baseline.store import baseline_path
from kit.cassette.paths import FOLDER as CASSETTES
from kit.cassette.paths import judge_path
from kit.harness.import_graph import ImportGraph, import_graph
from kit.harness.plan import Cell
from kit.harness.servers import SCRIPTS
from kit.scenario.load import FOLDER as SCENARIOS
from kit.scenario.load import SUITE_FILE
from kit.trace.trace import Mode

_SHOWN = 3
_NEVER_READ = ("README", "CHANGELOG", "CONTRIBUTING", "LICENSE", ".git", ".pre-commit")
"""Beginnings of names at the top of a project that no run reads."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides beside the plan.

    Attributes:
        root: of the project.
        home: of the repository.
        mode: replay or live.
        agent: names the agent of a cell.
    """

    root: Path
    home: Path
    mode: Mode
    agent: Callable[[Cell], str]


@dataclass(frozen=True, slots=True)
class Affected:
    """What a change means for a plan.

    Attributes:
        cells: those to run, in the order of the plan.
        lines: for a person: why these, and why not the others.
    """

    cells: tuple[Cell, ...]
    lines: tuple[str, ...]


def affected(cells: Sequence[Cell], changed: Iterable[str], surroundings: Surroundings, ref: str) -> Affected:
    """Narrow a plan down to what changed files can affect.

    Args:
        cells: the plan.
        changed: files relative to the project's root, `../` in front of those outside it.
        surroundings: the rest of what decides.
        ref: since when they changed, for the lines.
    """
    sorter = _Sorter(cells, surroundings)
    reasons: dict[int, str] = {}
    aside: dict[str, list[str]] = {}
    for file in sorted(changed):
        found, reason = sorter.concerned(file)
        for index in found:
            reasons.setdefault(index, reason)
        if not found:
            aside.setdefault(reason, []).append(file)
    if surroundings.mode == "replay":
        for index, cell in enumerate(cells):
            if not cell.cassette(surroundings.root).exists():
                reasons.setdefault(index, "it has no cassette")
    chosen = tuple(cell for index, cell in enumerate(cells) if index in reasons)
    return Affected(chosen, tuple(_lines(len(cells), reasons, aside, ref)))


class _Sorter:
    """Says of a file which cells depend on it."""

    def __init__(self, cells: Sequence[Cell], surroundings: Surroundings) -> None:
        self._everything = range(len(cells))
        self._around = surroundings
        self._own = [dict(_own_files(cell, surroundings.root)) for cell in cells]
        self._graphs = {
            name: import_graph(name, surroundings.root, surroundings.home)
            for name in dict.fromkeys(map(surroundings.agent, cells))
        }
        self._agents = [self._graphs[surroundings.agent(cell)] for cell in cells]
        self._kit = Path(kit.__file__).resolve().parent

    def concerned(self, file: str) -> tuple[Sequence[int], str]:
        """Numbers of cells and why they are concerned; without any, why none is."""
        own = [index for index in self._everything if _owner(self._own[index], file)]
        if own:
            return own, _owner(self._own[own[0]], file) or ""
        path = (self._around.root / file).resolve()
        if path.is_relative_to(self._kit):
            return self._everything, f"kit itself changed ({file})"
        parts = PurePosixPath(file).parts
        if parts[0] in {SCENARIOS, CASSETTES, BASELINES}:
            return (), "of other scenarios, models or replicates"
        if PurePosixPath(file).is_relative_to(SCRIPTS.as_posix()) and self._around.mode == "replay":
            return (), "scripts of the stub model, which only live runs read"
        if path.suffix == ".py":
            return self._importers(path, file)
        if parts[0].startswith(_NEVER_READ):
            return (), "read by no run"
        if file == "pyproject.toml":
            return self._everything, "pyproject.toml changed, which configures kit and what is installed"
        return self._everything, f"nobody can say who reads {file}"

    def _importers(self, path: Path, file: str) -> tuple[Sequence[int], str]:
        users = [index for index in self._everything if path in self._agents[index].files]
        if users:
            return users, f"their agent imports {file}"
        unsure = [index for index in self._everything if self._agents[index].unknown]
        if unsure:
            graph: ImportGraph = self._agents[unsure[0]]
            return unsure, f"{file} changed, and {graph.unknown} decides at run time what it loads"
        return (), "modules that no agent imports"


def _own_files(cell: Cell, root: Path) -> Iterator[tuple[str, str]]:
    """Files and folders of one cell, relative to the root, each with what it is."""
    cassette = cell.cassette(root)
    selected = cell.selected
    identity = CellId(
        selected.suite.name, cell.model, selected.scenario.id, cell.variant or "", cell.replicate
    )
    baseline = baseline_path(root, identity)
    for path, what in (
        (selected.path, "their scenarios changed"),
        (selected.path.with_name(SUITE_FILE), "their suite.yaml changed"),
        (cassette, "their cassettes changed"),
        (judge_path(cassette), "their cassettes changed"),
        (baseline, "their baselines changed"),
        (skeleton_path(baseline), "their baselines changed"),
    ):
        yield path.relative_to(root).as_posix(), what
    for fixture in selected.scenario.setup.fixtures:
        yield PurePosixPath(fixture.content_fixture).as_posix(), "their fixtures changed"


def _owner(own: dict[str, str], file: str) -> str | None:
    path = PurePosixPath(file)
    for place in (path, *path.parents):
        if place.as_posix() in own:
            return own[place.as_posix()]
    return None


def _lines(count: int, reasons: dict[int, str], aside: dict[str, list[str]], ref: str) -> Iterator[str]:
    chosen = len(reasons)
    yield f"changed since {ref}: {chosen} of {count} runs can be affected"
    for reason in dict.fromkeys(reasons.values()):
        yield f"  run {sum(one == reason for one in reasons.values())}: {reason}"
    if chosen < count:
        yield f"  left out {count - chosen}: nothing they read changed"
    for reason, files in aside.items():
        more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
        yield f"  no matter: {', '.join(files[:_SHOWN])}{more} ({reason})"
