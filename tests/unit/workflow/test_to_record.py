"""Which runs a recording does."""

from __future__ import annotations

import pytest

from kit.cassette.paths import partial_path
from kit.errors import CassetteInvalid
from kit.scenario.load import load_suites
from kit.scenario.select import select
from kit.workflow.to_record import NO_REASONS, Reasons, chosen
from tests.fakes.stub_project import StubProject


def _keys(project: StubProject, reasons: Reasons, replicates: int = 1) -> list[str]:
    selected = select(load_suites(project.root))
    opened = project.open()
    return [cell.key.rpartition("/")[2] for cell in chosen(opened, selected, reasons, replicates=replicates)]


def test_each_reason_is_enough(project: StubProject) -> None:
    """Missing, stale and failed together are everything that any of them takes."""
    project.scenario("001_x")
    project.scenario("002_y", says="buongiorno")
    project.record(replicates=2)
    project.scenario("003_z")
    assert _keys(project, NO_REASONS) == ["001_x.yaml", "002_y.yaml", "003_z.yaml"]
    assert _keys(project, Reasons(missing=True)) == ["003_z.yaml"]
    assert _keys(project, Reasons(failed=True)) == ["002_y.yaml", "002_y@2.yaml"]
    assert _keys(project, Reasons(stale=True)) == []
    project.scenario("001_x", description="another")
    assert _keys(project, Reasons(stale=True)) == ["001_x.yaml", "001_x@2.yaml"]
    assert _keys(project, Reasons(missing=True, stale=True), 3) == [
        *("001_x.yaml", "001_x@2.yaml", "001_x@3.yaml", "002_y@3.yaml"),
        *("003_z.yaml", "003_z@2.yaml", "003_z@3.yaml"),
    ]


def test_only_its_own_cassette_is_one(project: StubProject) -> None:
    """A replicate, a partial recording, another model's cassette are no cassette of the run."""
    project.scenario("001_x")
    project.scenario("002_y")
    project.record("001_x")
    other = project.cassette("002_y", "other")
    for path in (other, partial_path(project.cassette("002_y"))):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(project.cassette("001_x").read_bytes())
    missing = ["001_x@2.yaml", "002_y.yaml", "002_y@2.yaml"]
    assert _keys(project, Reasons(missing=True), 2) == missing


def test_attempt_that_ended_in_an_error_failed(project: StubProject) -> None:
    """What it left lies beside the intact recording."""
    project.scenario("001_x")
    project.record()
    assert _keys(project, Reasons(failed=True)) == []
    path = project.cassette()
    partial_path(path).write_bytes(path.read_bytes())
    assert _keys(project, Reasons(failed=True)) == ["001_x.yaml"]


def test_what_was_never_recorded_is_missing_and_not_failed(project: StubProject) -> None:
    """A replay that found no cassette says nothing of the agent."""
    project.scenario("001_x")
    project.scenario("002_y")
    project.record("002_y")
    project.replay()
    assert _keys(project, Reasons(failed=True)) == []
    assert _keys(project, Reasons(stale=True)) == []


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


@pytest.mark.parametrize(
    "reasons", [Reasons(stale=True), Reasons(failed=True), Reasons(missing=True, stale=True)]
)
@pytest.mark.parametrize(("text", "said"), [(POINTER, "git lfs pull"), ("", "kit record --model stub 001_x")])
def test_what_nobody_can_read_is_not_said_to_hold(
    project: StubProject, reasons: Reasons, text: str, said: str
) -> None:
    """Neither stale nor failed would be a lie: the file is named, with what mends it."""
    project.scenario("001_x")
    project.record()
    project.cassette().write_text(text, encoding="utf-8")
    with pytest.raises(CassetteInvalid) as caught:
        _keys(project, reasons)
    assert str(caught.value.where).startswith("cassettes/home/stub/001_x.yaml")
    assert said in str(caught.value.next_command)
    assert _keys(project, Reasons(missing=True)) == []
    assert _keys(project, NO_REASONS) == ["001_x.yaml"]


def test_what_is_said_where_nothing_is_left() -> None:
    """It names what was looked for."""
    assert Reasons(missing=True).nothing() == "nothing to record: every selected scenario has a cassette"
    told = Reasons(missing=True, stale=True, failed=True).nothing()
    assert told == "nothing to record: no selected run is missing or stale or failed"
