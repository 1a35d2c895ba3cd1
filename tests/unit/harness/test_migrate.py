"""A recording whose requests are those of today."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import time_machine

from kit.cassette.header import Header
from kit.cassette.store import read
from kit.errors import CassetteInvalid, CassetteMissing
from kit.harness.migrate import migration
from kit.harness.servers import Servers
from kit.harness.staleness import migrated_until, refuse_expired
from kit.harness.world import World
from tests.fakes.stub_project import StubProject, stub_project

HEADER = Header(scenario="x", start="2026-01-01T00:00:00Z", recorded="2026-01-01T00:00:00Z")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProject]:
    """A project of one scenario, recorded."""
    with stub_project(tmp_path, monkeypatch) as made:
        made.scenario()
        made.record()
        yield made


@pytest.fixture
def world(project: StubProject) -> Iterator[World]:
    """What cells of a replay share."""
    settings = project.open(agent="tests.fakes.agents:asks_warmly").settings
    with Servers(settings) as servers:
        yield World(settings, "replay", keep=False, folder=project.root / ".kit/x", servers=servers)


def test_what_differs_and_what_would_be_written(project: StubProject, world: World) -> None:
    """Every request is today's; the header names the change; the file itself stays as it is."""
    before = project.cassette().read_bytes()
    found = migration(project.cell(), world)
    assert found is not None
    assert found.cassette.header.migrated["changed"] == list(found.divergences[0].changes)
    recorded = read(project.cassette())
    assert found.cassette.interactions[0].request != recorded.interactions[0].request
    assert found.cassette.interactions[0].response == recorded.interactions[0].response
    assert project.cassette().read_bytes() == before


def test_inputs_are_taken_as_they_are_now(project: StubProject, world: World) -> None:
    """The edit that is migrated does not leave the recording stale at once."""
    path = project.root / "scenarios/home/001_x.yaml"
    path.write_text(path.read_text("utf-8") + "# a comment\n", "utf-8")
    found = migration(project.cell(), world)
    assert found is not None
    assert found.cassette.header.inputs != read(project.cassette()).header.inputs
    assert found.cassette.header.inputs.keys() == read(project.cassette()).header.inputs.keys()


def test_nothing_recorded_cannot_be_migrated(project: StubProject, world: World) -> None:
    """It says what to record."""
    with pytest.raises(CassetteMissing):
        migration(project.cell(replicate=2), world)


def test_a_migrated_recording_is_stale_until_it_is_refused() -> None:
    """It holds until and with its last day; a day that nobody can read is long past."""
    lent = replace(HEADER, migrated={"at": "2026-01-01", "expires": "2026-01-31"})
    assert migrated_until(HEADER) is None
    assert migrated_until(lent) == dt.date(2026, 1, 31)
    assert migrated_until(replace(HEADER, migrated={"expires": "soon"})) == dt.date.min
    with time_machine.travel("2026-01-31T23:00:00Z"):
        refuse_expired(lent, "a.yaml", "kit record a")
    with time_machine.travel("2026-02-01T00:00:00Z"):
        refuse_expired(HEADER, "a.yaml", "kit record a")
        with pytest.raises(CassetteInvalid, match="held until 2026-01-31") as caught:
            refuse_expired(lent, "a.yaml", "kit record a")
    assert "kit record a" in str(caught.value)
