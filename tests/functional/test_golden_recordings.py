"""The recorded passes of the golden set: played offline, they give what their cassettes say."""

from __future__ import annotations

import os
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.cassette.store import read
from kit.gate.floor import Floor, read_floors
from kit.golden.history import history_path, read_history
from kit.golden.passes import Pass
from kit.report.golden_svg import draw_trend
from kit.workflow.golden import GoldenRequest, run_golden
from kit.workflow.golden_log import golden_trend
from kit.workflow.project import open_project

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "cassettes" / "golden"
PASSES = {"qwen2.5-coder:1.5b": 5, "qwen2.5-coder:0.5b": 3}


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[Pass, ...]]:
    """Every recorded pass, without a network and without a program on the path."""
    patch = pytest.MonkeyPatch()

    def refused(*_: Any) -> None:
        raise AssertionError("replay opened a socket")

    for name in [*os.environ]:
        if name.startswith("KIT_") or name == "GOLDEN_SET_QA_MODEL":
            patch.delenv(name)
    patch.setattr(socket.socket, "connect", refused)
    patch.setenv("PATH", "/nonexistent")
    patch.setattr(sys, "path", list(sys.path))
    outcome = run_golden(open_project(start=ROOT), GoldenRequest(mode="replay"))
    assert outcome.exit_code == 0, "a cassette does not hold, or a pass is below its floor"
    yield tuple(one.measured for one in outcome.passes)
    patch.undo()


def test_five_passes_of_one_model_and_three_of_the_other(played: tuple[Pass, ...]) -> None:
    """Six cases each."""
    assert Counter(one.model for one in played) == PASSES
    assert {one.of for one in played} == {6}


def test_the_counts_are_those_that_were_recorded(played: tuple[Pass, ...]) -> None:
    """The header of a cassette holds the verdict of its live run."""
    recorded: Counter[tuple[str | None, int]] = Counter()
    for file in FOLDER.rglob("*.yaml"):
        header = read(file).header
        recorded[header.model, header.replicate] += header.verdict == "pass"
        assert header.sampling["temperature"] == 0.7
        assert header.seed == header.replicate
    assert {(one.model, one.number): one.hits for one in played} == recorded


def test_the_history_holds_every_recorded_pass(played: tuple[Pass, ...]) -> None:
    """With the outcome of each case (S4-34)."""
    logged = {(one.model, one.number, one.when): one for one in read_history(history_path(ROOT, "golden"))}
    for one in played:
        kept = logged[one.model, one.number, one.when]
        assert [(case.case, case.kind) for case in kept.outcomes] == [
            (case.case, case.kind) for case in one.outcomes
        ]


def test_the_drawing_shows_what_was_logged() -> None:
    """`docs/golden-trend.svg` is what `kit golden trend --svg` draws today."""
    drawn = (ROOT / "docs" / "golden-trend.svg").read_text("utf-8")
    assert drawn == draw_trend(golden_trend(open_project(start=ROOT)))


def test_the_floors_hold_what_was_recorded(played: tuple[Pass, ...]) -> None:
    """Below the best recorded pass, beside the two entries of the source (S4-26)."""
    floors = read_floors(ROOT, "golden")
    assert floors["qwen2.5-coder:latest"] == Floor(1, 6)
    assert floors["gpt-oss:20b"] == Floor(4, 6)
    for model in PASSES:
        hits = [one.hits for one in played if one.model == model]
        assert floors[model].hits == min(hits) < max(hits)
