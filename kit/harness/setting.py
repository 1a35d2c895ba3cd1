"""From a cell to its run: what is run, and how it is recorded or replayed."""

from __future__ import annotations

import datetime as dt

from kit import clock
from kit.agent.protocol import Agent, ModelEndpoint
from kit.cassette.header import Header
from kit.cassette.match import Playlist
from kit.config.settings import Settings
from kit.errors import ConfigError
from kit.harness.fork import with_faults
from kit.harness.plan import Cell, record_command
from kit.harness.world import ALIAS, World, journal_of
from kit.recording.guard.allow import parse_allow
from kit.recording.options import SessionOptions
from kit.redaction.redactor import Redactor
from kit.run.runner import MakeOptions, RunResult, RunSpec, run_scenario
from kit.run.workspace import Workspace
from kit.trace.prices import price_table


def agent_name(cell: Cell, settings: Settings) -> str:
    """The agent of a cell: command line, else the suite's, else the project's.

    Raises:
        ConfigError: nobody names one.
    """
    told = settings.agent if "agent" in settings.overrides else None
    chosen = told or cell.selected.suite.agent or settings.agent
    if chosen is None:
        raise ConfigError(
            f"no agent is named for suite {cell.selected.suite.name}",
            where=f"scenarios/{cell.selected.suite.name}/suite.yaml",
            next_command='add `agent: "package.module:function"` there or to [tool.kit], or pass --agent',
        )
    return chosen


def spec_of(cell: Cell, world: World, name: str) -> RunSpec:
    """What the run of a cell is a run of; `name` is its agent's."""
    settings = world.settings
    return RunSpec(
        scenario=cell.selected.scenario,
        suite=cell.selected.suite,
        model=cell.model,
        mode="replay" if world.mode == "replay" else "record",
        project_root=settings.root,
        replicate=cell.replicate,
        agent_name=name,
        time_limit_s=cell.selected.suite.limit_s(settings.time_limit_s),
        aliases=settings.aliases,
        prices=price_table(settings.price_table()),
    )


def options_of(
    cell: Cell,
    world: World,
    endpoint: ModelEndpoint,
    redactor: Redactor,
    start: dt.datetime,
    playlist: Playlist | None,
) -> MakeOptions:
    """How the run of a cell is recorded or replayed, once its workspace is there.

    Args:
        cell: the run.
        world: what it shares with others.
        endpoint: the model it gets.
        redactor: of this run alone.
        start: instant at which its clock starts.
        playlist: what is served; None where all is live.
    """

    def make(workspace: Workspace) -> SessionOptions:
        return SessionOptions(
            mode="replay" if world.mode == "replay" else "record",
            name=cell.name,
            start=start,
            seed=cell.replicate,
            journal=journal_of(cell, world),
            redactor=redactor,
            playlist=playlist,
            workspace=workspace.root,
            paths=((str(workspace.root), ALIAS),),
            model_urls=(endpoint.base_url,),
            allow=parse_allow(world.settings.replay.allow),
            next_command=record_command(cell, world.settings.root),
            is_conditional=world.mode == "replay",
            project=world.settings.root if world.mode != "replay" and world.keep else None,
        )

    return make


def replayed(
    cell: Cell, world: World, agent: Agent, header: Header, redactor: Redactor, playlist: Playlist
) -> RunResult:
    """Run a cell against its recording, with the faults of the fork that it is or was recorded as.

    Args:
        cell: the run.
        world: what it shares with others, in mode replay.
        agent: of the cell.
        header: of the recording.
        redactor: of this run alone.
        playlist: what was recorded.
    """
    cell = with_faults(cell, cell.fork.faults if cell.fork else header.fork.get("faults", ()))
    endpoint = world.servers.endpoint(cell.model, header.seed, header.base_url, cell.selected.suite)
    make = options_of(cell, world, endpoint, redactor, clock.parse_iso(header.start), playlist)
    return run_scenario(spec_of(cell, world, agent_name(cell, world.settings)), agent, endpoint, make)
