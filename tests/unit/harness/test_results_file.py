"""Results of shards on disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kit.errors import UsageError
from kit.harness.results_file import FILE_NAME, Plan, ResultsFile, ResultsWriter, merged, read_results
from kit.oracle.result import OracleResult
from tests.fakes.changes import Run

PLAN = Plan(cells=("a", "b", "c"), mode="replay", commit="c0ffee", against=None, shards=2)


def result(name: str) -> OracleResult:
    return Run("fail").result(name, "happy_path")


def written(folder: Path, number: int, *names: str, plan: Plan = PLAN) -> ResultsFile:
    """A shard's file as a run writes it."""
    target = folder / str(number)
    target.mkdir()
    writer = ResultsWriter(target, plan, number)
    for name in names:
        writer.add(name, result(name))
    return read_results(target)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """From the file as from its folder; a shard may be empty."""
    found = written(tmp_path, 1, "a", "b")
    assert (found.number, found.plan) == (1, PLAN)
    assert found.results == {"a": result("a"), "b": result("b")}
    assert read_results(tmp_path / "1" / FILE_NAME) == found
    assert written(tmp_path, 2).results == {}


def test_results_are_appended_as_they_come(tmp_path: Path) -> None:
    """What is there stays there, whatever happens to the next cell."""
    writer = ResultsWriter(tmp_path, PLAN, 1)
    before = (tmp_path / FILE_NAME).read_bytes()
    writer.add("a", result("a"))
    assert (tmp_path / FILE_NAME).read_bytes().startswith(before)
    assert list(read_results(tmp_path).results) == ["a"]


def test_merging_keeps_the_order_of_the_plan(tmp_path: Path) -> None:
    """Whatever the order of files and lines."""
    files = [written(tmp_path, 2, "c", "a"), written(tmp_path, 1, "b")]
    assert [one.scenario_id for one in merged(files)] == ["a", "b", "c"]


def test_missing_and_doubled_and_strange_cells(tmp_path: Path) -> None:
    """Each is refused by its name."""
    one, two = written(tmp_path, 1, "a", "b"), written(tmp_path, 2, "c")
    with pytest.raises(UsageError, match="2 of 3 cells have no result: a, b") as missing:
        merged([two])
    assert missing.value.why == "no results of shard 1/2 are among these"
    with pytest.raises(UsageError, match="these cells have two results: c"):
        merged([one, two, two])
    with pytest.raises(UsageError, match="these cells are in no plan: d"):
        merged([one, replace(two, results={"c": result("c"), "d": result("d")})])
    with pytest.raises(UsageError, match="1 of 3 cells have no result") as cut:
        merged([one, replace(two, results={})])
    assert cut.value.why == "a shard did not come to its end"


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (replace(PLAN, commit="beef"), "commit beef, not c0ffee"),
        (replace(PLAN, shards=3), "in 3 shards against the working tree, not replay in 2"),
        (replace(PLAN, against="main"), "against main"),
        (replace(PLAN, cells=("a",)), "its plan has 1 cells, not the same 3"),
    ],
)
def test_another_run_is_refused(tmp_path: Path, plan: Plan, said: str) -> None:
    """With what differs."""
    files = [written(tmp_path, 1, "a", "b"), written(tmp_path, 2, "c", plan=plan)]
    with pytest.raises(UsageError, match="is of another run than") as refused:
        merged(files)
    assert said in refused.value.what


@pytest.mark.parametrize(
    "text", ["", "{}\n", "[]\n", '{"kit": "results 9"}\n', '{"kit": "results 1"}\n', "no json\n"]
)
def test_what_is_no_results(tmp_path: Path, text: str) -> None:
    """Named with its file."""
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        read_results(tmp_path)
    assert refused.value.where == str(tmp_path / FILE_NAME)


def test_a_line_cut_short(tmp_path: Path) -> None:
    """A shard that was killed while it wrote."""
    written(tmp_path, 1, "a")
    path = tmp_path / "1" / FILE_NAME
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UsageError, match="cut short"):
        read_results(path)


def test_two_lines_of_one_cell(tmp_path: Path) -> None:
    """One of them must be wrong."""
    with pytest.raises(UsageError, match="a has two results"):
        written(tmp_path, 1, "a", "a")


def test_no_file(tmp_path: Path) -> None:
    """With a command that makes one."""
    with pytest.raises(UsageError, match="there are no results at"):
        read_results(tmp_path)
