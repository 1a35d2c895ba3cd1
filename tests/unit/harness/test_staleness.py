"""Which recordings are stale, and what mends them."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from kit import clock
from kit.cassette.header import KEY_RULE, Header
from kit.cassette.store import read, write
from kit.harness.plan import Fork
from kit.harness.staleness import Staleness, age_of, mending, recorded_at, stale_cells
from tests.fakes.stub_project import StubProject

NOW = dt.datetime(2026, 6, 1, tzinfo=dt.UTC)


def _header(**fields: object) -> Header:
    values = {"scenario": "001_x", "start": "2026-01-01T00:00:00Z", "recorded": "2026-05-01T00:00:00Z"}
    return Header(**{**values, **fields})  # type: ignore[arg-type]


def test_recording_expires_on_its_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit of 31 days ends on the first of June and not before; without one nothing expires."""
    monkeypatch.setattr(clock, "now", lambda: NOW)
    assert age_of(_header(), 31).reasons == ("expired on 2026-06-01",)
    assert age_of(_header(), 32).reasons == ()
    assert age_of(_header(recorded="1999-01-01T00:00:00Z"), None).reasons == ()


def test_date_that_nobody_can_read_is_as_old_as_can_be() -> None:
    """Whoever edited a header does not crash a replay."""
    assert recorded_at(_header(recorded="yesterday")).year == 1970
    assert age_of(_header(recorded="yesterday"), 1).expired is not None


def test_older_key_rule_is_said() -> None:
    """Untouched files may still be matched otherwise by this kit."""
    (reason,) = age_of(_header(key_rule=KEY_RULE - 1), None).reasons
    assert reason == f"recorded under key rule {KEY_RULE - 1}, and this kit matches by {KEY_RULE}"
    assert age_of(_header(key_rule=KEY_RULE), None) == Staleness()


def test_an_import_never_poses_as_a_recording() -> None:
    """Nobody saw this agent get these answers, so every replay says it (decision 20)."""
    assert age_of(_header(imported="old.yaml"), None).reasons == (
        "imported from old.yaml, not recorded by kit",
    )


def test_stale_cells_of_a_plan(project: StubProject) -> None:
    """A changed scenario is stale; what has no cassette or a broken one is somebody else's business."""
    for name in ("001_x", "002_y", "003_z"):
        project.scenario(name)
    project.record("001_x", "002_y")
    cells = [project.cell(name) for name in ("001_x", "002_y", "003_z")]
    settings = project.open().settings
    assert stale_cells(cells, settings) == ()
    project.scenario("001_x", description="another")
    project.cassette("002_y").write_text("kit: cassette 1\n", encoding="utf-8")
    cells = [project.cell(name) for name in ("001_x", "002_y", "003_z")]
    (found,) = stale_cells(cells, settings)
    told = "home/001_x on stub: changed since it was recorded: scenarios/home/001_x.yaml"
    assert found.text == told


def test_one_command_a_model_mends_all(project: StubProject) -> None:
    """One scenario is named; several are what `--stale` finds in their suites."""
    project.scenario("001_x")
    project.scenario("002_y")
    one, two = project.cell("001_x"), project.cell("002_y")
    sample = project.cell("001_x", replicate=2)
    root = project.root
    assert mending([one], root) == ("kit record 001_x --model stub",)
    assert mending([sample], root) == ("kit record 001_x@2 --model stub",)
    assert mending([one, sample], root) == ("kit record 001_x --stale --model stub",)
    assert mending([one, two, project.cell("001_x", "m:1b")], root) == (
        "kit record home --stale --model stub",
        "kit record 001_x --model m:1b",
    )


def test_a_stale_variant_is_left_once_more(project: StubProject) -> None:
    """A recording of its scenario would be another run; a run with a fault is stale as what it plays."""
    project.scenario()
    project.record()
    root, plain = project.root, project.cell()
    header = read(project.cassette()).header
    told = {"of": project.cassette().relative_to(root).as_posix(), "until": 1}
    fork = project.cell(variant="tried")
    kept = replace(read(project.cassette()), header=replace(header, variant="tried", fork=told))
    write(fork.cassette(root), kept)
    project.scenario(description="another")
    settings = project.open().settings
    meets = project.cell(variant="fault", fork=Fork(project.cassette(), 1))
    stale = stale_cells([plain, fork, meets], settings)
    assert [one.text.partition(":")[0] for one in stale] == [
        "home/001_x on stub",
        "home/001_x.tried on stub",
        "home/001_x.fault on stub",
    ]
    left = "kit replay 001_x --model stub --until 1 --then live --as tried"
    assert mending([one.cell for one in stale], root) == (
        "kit record 001_x --model stub",
        left,
        "kit record --model stub 001_x",
    )
    assert mending([fork], root) == (left,)
