"""From a cell to its run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kit import clock
from kit.agent.load import load_agent
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.cassette.store import read
from kit.errors import ConfigError
from kit.harness.plan import Fork
from kit.harness.servers import Servers
from kit.harness.setting import agent_name, options_of, replayed, spec_of
from kit.harness.world import World, redactor_of
from kit.run.workspace import workspace
from kit.trace.trace import Mode
from tests.fakes.stub_project import AGENT, StubProject, stub_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProject]:
    """A project of one scenario."""
    with stub_project(tmp_path, monkeypatch) as made:
        made.scenario()
        yield made


@pytest.mark.parametrize(("mode", "recorded"), [("replay", "replay"), ("live", "record")])
def test_a_live_run_is_recorded(project: StubProject, mode: Mode, recorded: str) -> None:
    """A replay may go on conditionally, a recording never; only what is kept notes what was read."""
    settings = project.open().settings
    with Servers(settings) as servers:
        world = World(settings, mode, keep=True, folder=project.root / ".kit", servers=servers)
        cell = project.cell(replicate=3)
        endpoint = servers.endpoint("stub", 3, "http://m/v1")
        make = options_of(
            cell, world, endpoint, redactor_of(settings), clock.parse_iso("2026-01-02T03:04:05Z"), None
        )
        with workspace(cell.selected.scenario.setup, project.root) as place:
            options = make(place)
        assert (options.mode, options.seed, options.model_urls) == (recorded, 3, ("http://m/v1",))
        assert options.is_conditional == (mode == "replay")
        assert (options.project is not None) == (mode == "live")
        spec = spec_of(cell, world, AGENT)
        assert (spec.mode, spec.replicate, spec.agent_name) == (recorded, 3, AGENT)


def test_no_agent_is_a_configuration_error(project: StubProject) -> None:
    """With the place where one is named."""
    project.write("pyproject.toml", "[tool.kit]\n")
    with pytest.raises(ConfigError, match="no agent is named for suite home"):
        agent_name(project.cell(), project.open().settings)


def test_a_replay_meets_the_faults_of_its_fork(project: StubProject) -> None:
    """Those of the run that is to leave a recording, else those that the recording was made with."""
    project.scenario()
    project.record()
    settings = project.open().settings
    cassette = read(project.cassette())
    late = {"on": "model", "nth": 1, "delay_ms": 7}
    header = replace(cassette.header, fork={"of": "x.yaml", "until": 0, "faults": [late]})
    fork = Fork(project.cassette(), 1, ({**late, "delay_ms": 9},))
    with Servers(settings) as servers:
        world = World(settings, "replay", keep=False, folder=project.root / ".kit", servers=servers)
        agent = load_agent(AGENT, settings.root)
        for told, cell, wanted in (
            (cassette.header, project.cell(), []),
            (header, project.cell(), ["delay_ms 7 on model call 1"]),
            (header, project.cell(variant="tried", fork=fork), ["delay_ms 9 on model call 1"]),
        ):
            redactor = redactor_of(settings)
            playlist = Playlist(cassette.interactions, Keyer(redactor))
            run = replayed(cell, world, agent, told, redactor, playlist)
            assert run.verdict_error is None
            assert [met.what for met in run.session.faults] == wanted
