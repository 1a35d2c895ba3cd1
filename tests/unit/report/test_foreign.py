"""What is said of imports and exports."""

from __future__ import annotations

from pathlib import Path

from kit.errors import CassetteInvalid
from kit.report.foreign import render_export, render_import
from kit.workflow.exporting import Exported
from kit.workflow.importing import Imported, ImportResult

GOOD = Imported(Path("a.yaml"), Path("out/a.yaml"), 2, 1, 30_000, 900, tuple("abcdefg"))
BAD = Imported(Path("b.yaml"), problem=CassetteInvalid("no YAML", where="b.yaml:3", why="x"))


def test_one_file_has_no_sum() -> None:
    """Its line, five notices, and how many more there are."""
    assert render_import(ImportResult((GOOD,))).splitlines() == [
        "imported out/a.yaml: 2 exchanges, 1 of a model; 30 kB → 900 B",
        *(f"  {notice}" for notice in "abcde"),
        "  and 2 notices more (--verbose shows them)",
    ]
    assert "  g" in render_import(ImportResult((GOOD,)), verbose=True).splitlines()


def test_several_files_have_a_sum() -> None:
    """And what could not be read is named with its place."""
    lines = render_import(ImportResult((GOOD, BAD, GOOD))).splitlines()
    assert "not imported  b.yaml:3: no YAML" in lines
    assert "  why:  x" in lines
    assert lines[-1] == (
        "imported 2 of 3 files: 4 exchanges, 2 of a model; 60 kB → 1800 B; 1 could not be read"
    )


def test_a_problem_names_its_file() -> None:
    """Even where the error speaks of another one."""
    one = Imported(Path("b.yaml"), problem=CassetteInvalid("taken", where="out/b2.yml"))
    assert render_import(ImportResult((one,))) == "not imported  b.yaml: out/b2.yml: taken"


def test_export() -> None:
    """The file, and what stays behind."""
    assert render_export(Exported(Path("v.yaml"), 1, ("x",))) == "exported v.yaml: 1 exchange\n  x"
