"""Leaving a recording at some call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.store import write
from kit.errors import CassetteMissing, UsageError
from kit.harness.fork import Branching, branch, fault_at, served_part, the_only, with_faults
from kit.harness.plan import Cell, Fork
from tests.builders import FIVE_CALLS, cell


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A project in which the usual cell is recorded."""
    header = Header(scenario="001_x", start="2026-01-02T03:04:05Z", recorded="2026-01-02T03:04:05Z")
    write(cell().cassette(tmp_path), Cassette(header, FIVE_CALLS))
    return tmp_path


@pytest.mark.parametrize(
    ("step", "kind", "written"),
    [
        (1, "status=503", {"on": "model", "nth": 1, "status": 503}),
        (5, "timeout", {"on": "model", "nth": 2, "timeout": True}),
        (6, "cut=arguments", {"on": "model", "nth": 3, "cut": "arguments"}),
        (4, "raise=OSError: 5", {"on": "tool", "tool": "read", "nth": 2, "raise": "OSError: 5"}),
        (3, "delay_ms=500", {"on": "tool", "tool": "write", "nth": 1, "delay_ms": 500}),
    ],
)
def test_a_fault_is_derived_from_the_recorded_call(step: int, kind: str, written: dict[str, Any]) -> None:
    """Which call it is about follows from the recording, as a scenario file would count it."""
    assert fault_at(FIVE_CALLS, step, kind) == written


@pytest.mark.parametrize(
    ("step", "kind", "said"),
    [
        (9, "timeout", "there is no call 9"),
        (1, "explode", "explode"),
        (1, "status=teapot", "status"),
        (2, "status=503", "does not go with `on: tool`"),
        (1, "raise=x", "does not go with `on: model`"),
    ],
)
def test_what_is_no_fault_is_refused_with_examples(step: int, kind: str, said: str) -> None:
    """A wrong call, kind or value never passes as «no fault»."""
    with pytest.raises(UsageError, match=said) as caught:
        fault_at(FIVE_CALLS, step, kind)
    assert caught.value.exit_code == 2
    assert "Extra inputs" not in str(caught.value)


def test_the_served_part_ends_at_its_call() -> None:
    """Up to and with the number; none at 0; a number that is no call is an error with those there are."""
    assert served_part(FIVE_CALLS, 3, "x") == FIVE_CALLS[:3]
    assert served_part(FIVE_CALLS, 0, "x") == ()
    with pytest.raises(UsageError, match="its calls are 1 to 5"):
        served_part(FIVE_CALLS, 6, "x")


@pytest.mark.parametrize(
    ("branching", "variant", "until"),
    [
        (Branching(until=2, is_live=True), "fork-2", 2),
        (Branching(faults=("3:raise=OSError: x",), is_live=True), "fork-2-3-raise-oserror-x", 2),
        (Branching(until=1, faults=("2:timeout",), name="late", is_live=True), "late", 1),
        (Branching(until=1, name="mr.judge-2+x", is_live=True), "mr.judge-2+x", 1),
        (Branching(faults=("1:status=503",)), "fault-1-status-503", 0),
    ],
)
def test_a_branch_has_a_name_and_a_place(
    recorded: Path, branching: Branching, variant: str, until: int
) -> None:
    """The variant says where it left; without `--until` all before the first fault is served."""
    left = branch(cell(), recorded, branching)
    assert (left.variant, left.fork and left.fork.until) == (variant, until)
    assert left.recording(recorded) == cell().cassette(recorded)
    assert left.cassette(recorded) != cell().cassette(recorded)


@pytest.mark.parametrize(
    ("branching", "said"),
    [
        (Branching(until=8, is_live=True), "no call 8"),
        (Branching(until=3, faults=("2:timeout",), is_live=True), "call 2 cannot go wrong"),
        (Branching(faults=("timeout",)), "STEP:KIND"),
        (Branching(until=1, name="../x", is_live=True), "`--as ../x`: a variant cannot be called so"),
        (Branching(until=1, name="x@2", is_live=True), "cannot be called so"),
        (Branching(until=1, name="judge", is_live=True), "cannot be called so"),
        (Branching(until=1, name="a.judge", is_live=True), "cannot be called so"),
        (Branching(until=1, name="yaml", is_live=True), "cannot be called so"),
        (Branching(until=1, name="yml", is_live=True), "cannot be called so"),
    ],
)
def test_what_cannot_be_left_there_is_refused(recorded: Path, branching: Branching, said: str) -> None:
    """Before anything is run."""
    with pytest.raises(UsageError, match=said):
        branch(cell(), recorded, branching)


def test_nothing_recorded_can_not_be_left(tmp_path: Path) -> None:
    """There must be a run to leave; its file is named from the project's root."""
    with pytest.raises(CassetteMissing) as missing:
        branch(cell(), tmp_path, Branching(until=1, is_live=True))
    assert missing.value.where == cell().cassette(Path()).as_posix()
    assert missing.value.next_command == "kit record --model m:1b 001_x"


def test_faults_come_on_top_of_the_scenarios_own() -> None:
    """The set-up that the run gets has them all; the cell as such stays the same."""
    changed = with_faults(cell(), [{"on": "model", "nth": 1, "timeout": True}])
    assert [str(fault) for fault in changed.selected.scenario.setup.faults] == ["timeout on model call 1"]
    assert with_faults(cell(), ()) == cell()
    with pytest.raises(UsageError, match="is no fault"):
        with_faults(cell(), [{"on": "model"}])


def test_one_recording_at_a_time() -> None:
    """Several name themselves, and how one of them is meant."""
    assert the_only([cell()]) == cell()
    with pytest.raises(UsageError, match="2 are selected") as caught:
        the_only([cell(model="a"), cell(model="b")])
    assert "--model a" in str(caught.value)


def test_the_header_tells_what_was_left(tmp_path: Path) -> None:
    """Path in the project, call, faults."""
    fork = Fork(tmp_path / "cassettes/x.yaml", 2, ({"on": "model", "nth": 1, "timeout": True},))
    assert fork.told(tmp_path) == {
        "of": "cassettes/x.yaml",
        "until": 2,
        "faults": [{"on": "model", "nth": 1, "timeout": True}],
    }
    assert isinstance(cell(fork=fork), Cell)
