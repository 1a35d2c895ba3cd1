"""Which runs have no cassette."""

from __future__ import annotations

from pathlib import Path

from kit.config.settings import Settings
from kit.harness.plan import Cell
from kit.oracle.result import OracleResult
from kit.workflow.missing import unrecorded
from kit.workflow.project import Project
from tests.builders import cell, result

Group = list[tuple[Cell, OracleResult]]


def project(root: Path) -> Project:
    """A project in which `m:1b` has a price and nothing but 001_x is recorded."""
    path = cell().cassette(root)
    path.parent.mkdir(parents=True)
    path.touch()
    price = {"input_micro_usd": 1_000_000, "output_micro_usd": 0}
    return Project(Settings.model_validate({"root": root, "prices": {"m:1b": price}}))


def ran(model: str = "m:1b", tokens: int | None = 100) -> Group:
    """001_x with a verdict, 002_y without."""
    judged = result(model=model, prompt_tokens=tokens, completion_tokens=tokens)
    return [(cell(model=model), judged), (cell("002_y", model), result("error", "002_y", model=model))]


def test_an_error_without_a_cassette(tmp_path: Path) -> None:
    """It is named, with what recording it would cost."""
    made = unrecorded(project(tmp_path), ("home", "m:1b"), {("home", "m:1b"): ran()})
    assert made is not None
    assert (made.cells, made.runs, made.cost_micro_usd) == (("002_y",), 1, 100)


def test_other_errors_are_not_missing_recordings(tmp_path: Path) -> None:
    """A miss has a cassette."""
    group: Group = [(cell(), result("error"))]
    assert unrecorded(project(tmp_path), ("home", "m:1b"), {("home", "m:1b"): group}) is None


def test_estimate_from_other_models_but_never_from_the_script(tmp_path: Path) -> None:
    """What the stub counts says nothing about a real model; other suites say nothing either."""
    groups = {
        ("home", "m:1b"): ran(tokens=None),
        ("home", "stub"): ran("stub", 7),
        ("other", "m:3b"): ran("m:3b", 9),
    }
    key = ("home", "m:1b")
    unknown = unrecorded(project(tmp_path), key, groups)
    assert unknown is not None
    assert (unknown.runs, unknown.cost_micro_usd) == (0, None)
    made = unrecorded(Project(Settings(root=tmp_path)), key, {**groups, ("home", "m:2b"): ran("m:2b", 50)})
    assert made is not None
    assert (made.runs, made.on_model, made.prompt_tokens) == (1, False, 50)
