"""Which runs `pytest --kit` means, found before anything is collected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from kit.harness.plan import Cell
    from kit.harness.world import World
    from kit.workflow.project import Project


@dataclass(frozen=True, slots=True)
class Plan:
    """The runs of one pytest session.

    Attributes:
        project: whose scenarios.
        cells: the runs of each scenario, by its file.
        world: what they share.
    """

    project: Project
    cells: Mapping[Path, tuple[Cell, ...]]
    world: World


PROJECT = pytest.StashKey["Project"]()
PLAN = pytest.StashKey[Plan]()


def project_of(config: pytest.Config) -> Project:
    """The project around pytest's root folder, opened once.

    Raises:
        ConfigError: `[tool.kit]` is wrong.
    """
    from kit.workflow.project import open_project

    if PROJECT not in config.stash:
        config.stash[PROJECT] = open_project(start=config.rootpath)
    return config.stash[PROJECT]


def add_scenarios(config: pytest.Config) -> None:
    """Has pytest look into `scenarios/` too, unless the command line names something in it or above it.

    Raises:
        ConfigError: `[tool.kit]` is wrong.
    """
    folder = project_of(config).root / "scenarios"
    paths = tuple(_paths(config))
    if not any(folder.is_relative_to(path) or path.is_relative_to(folder) for path in paths):
        config.args.append(str(folder))


def make_plan(config: pytest.Config) -> Plan:
    """Load every scenario and find the runs that were recorded.

    Raises:
        UsageError: there is no scenario, no such category, or nothing is selected.
        ScenarioError: any scenario or suite is invalid: a broken file must never look like a pass.
        ConfigError: `[tool.kit]` is wrong.
        CassetteMissing: nothing at all is recorded.
    """
    from kit.harness.plan import cells_to_replay
    from kit.harness.servers import Servers
    from kit.harness.world import World
    from kit.scenario.load import load_suites
    from kit.scenario.select import select

    project = project_of(config)
    settings = project.settings
    wanted = _wanted(project.root / "scenarios", tuple(_paths(config)))
    selected = select(load_suites(project.root), wanted, config.getoption("kit_only"))
    model = config.getoption("kit_model")
    cells: dict[Path, tuple[Cell, ...]] = {}
    for cell in cells_to_replay(selected, model, project.root, to_record=settings.model):
        cells[cell.selected.path] = (*cells.get(cell.selected.path, ()), cell)
    world = World(settings, "replay", keep=False, folder=project.scratch("pytest"), servers=Servers(settings))
    return Plan(project, cells, world)


def _paths(config: pytest.Config) -> Iterator[Path]:
    """Files and folders that pytest collects from, without the ids behind `::`."""
    for argument in config.args:
        yield (config.invocation_params.dir / argument.partition("::")[0]).resolve()


def _wanted(folder: Path, paths: Sequence[Path]) -> tuple[str, ...]:
    """What the command line names below `scenarios/`: even a suite that is not a default one."""
    below = [path for path in paths if path != folder and path.is_relative_to(folder)]
    is_everything = any(folder.is_relative_to(path) for path in paths)
    if is_everything:
        return ()
    return tuple(dict.fromkeys(str(path.parent if path.name == "suite.yaml" else path) for path in below))
