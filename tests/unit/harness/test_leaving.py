"""The command that makes a fork anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kit.cassette.cassette import Cassette
from kit.cassette.store import write
from kit.harness.fork import fault_at
from kit.harness.leaving import leave_command
from tests.builders import FIVE_CALLS, cell, header


def _command(root: Path, fork: dict[str, Any] | None) -> str:
    """Of a fork of the second sample, whose header says this; None is a fork that is not there."""
    source, fork_path = (cell(replicate=2, variant=name).cassette(root) for name in (None, "tried"))
    write(source, Cassette(header(), FIVE_CALLS))
    if fork is not None:
        of = {"of": source.relative_to(root).as_posix()}
        write(fork_path, Cassette(header(variant="tried", fork=of | fork), FIVE_CALLS))
    return leave_command(fork_path, root, "m:1b", "001_x", "tried")


@pytest.mark.parametrize(
    ("step", "kind", "told"),
    [
        (1, "status=503", "1:status=503"),
        (5, "timeout", "5:timeout"),
        (6, "cut=arguments", "6:cut=arguments"),
        (4, "raise=PermissionError: it's no", "'4:raise=PermissionError: it'\"'\"'s no'"),
        (3, "delay_ms=500", "3:delay_ms=500"),
    ],
)
def test_a_fault_is_told_as_it_was_typed(tmp_path: Path, step: int, kind: str, told: str) -> None:
    """The header counts calls of a kind, the command line counts calls."""
    made = _command(tmp_path, {"until": step - 1, "faults": [fault_at(FIVE_CALLS, step, kind)]})
    before = f"kit replay 001_x@2 --model m:1b --until {step - 1} --then live"
    assert made == f"{before} --fault {told} --as tried"


def test_without_faults(tmp_path: Path) -> None:
    """Only where it left."""
    assert _command(tmp_path, {"until": 3}) == (
        "kit replay 001_x@2 --model m:1b --until 3 --then live --as tried"
    )


def test_a_fork_that_is_not_there(tmp_path: Path) -> None:
    """Where it would leave is for a person to say."""
    assert _command(tmp_path, None) == ("kit replay 001_x --model m:1b --until STEP --then live --as tried")


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ("none", ""),
        (["none"], ""),
        ([{"on": "tool", "tool": "gone", "timeout": True}], " --fault STEP:timeout"),
        ([{"on": "model", "nth": [1]}], " --fault STEP:KIND"),
        ([{"on": "model", "nth": 9, "timeout": True}], " --fault STEP:timeout"),
    ],
)
def test_a_header_edited_by_hand_costs_no_crash(tmp_path: Path, faults: Any, told: str) -> None:
    """What it does not tell is left to a person."""
    made = _command(tmp_path, {"until": 3, "faults": faults})
    assert made == f"kit replay 001_x@2 --model m:1b --until 3 --then live{told} --as tried"


def test_a_source_that_is_gone(tmp_path: Path) -> None:
    """Then nobody knows which call went wrong."""
    fault = {"on": "model", "nth": 1, "timeout": True}
    _command(tmp_path, {"until": 0, "faults": [fault]})
    cell(replicate=2).cassette(tmp_path).unlink()
    fork = cell(replicate=2, variant="tried").cassette(tmp_path)
    assert "--fault STEP:timeout" in leave_command(fork, tmp_path, "m:1b", "001_x", "tried")
