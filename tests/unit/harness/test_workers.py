"""Cells in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kit.errors import ConfigError
from kit.harness.cell import CellResult
from kit.harness.keep import Interrupted
from kit.harness.plan import Cell
from kit.harness.verdict import error_result
from kit.harness.workers import InterruptedWorkers, run_in_workers
from tests.fakes.stub_project import StubProject

SEEN: list[int] = []


@pytest.fixture
def cells(tmp_path: Path) -> list[Cell]:
    project = StubProject(tmp_path)
    project.scenario()
    cell = project.cell()
    return [replace(cell, replicate=number) for number in range(1, 6)]


def told(cell: Cell, text: str) -> CellResult:
    return CellResult(error_result(cell, text, 0))


def ran(cells: list[Cell], run: Callable[[Cell], CellResult], workers: int = 2) -> dict[int, str]:
    """What each cell said, by its number in the plan."""
    found: dict[int, str] = {}

    def finished(index: int, done: CellResult) -> None:
        found[index] = done.result.errors[0]

    run_in_workers(cells, run, workers, finished)
    return found


def test_each_cell_has_a_process_of_its_own(cells: list[Cell]) -> None:
    """Which starts as kit was when it began: nothing that another cell did is in it."""

    def run(cell: Cell) -> CellResult:
        SEEN.append(cell.replicate)
        return told(cell, f"{os.getpid()} {SEEN}")

    found = ran(cells, run)
    assert sorted(found) == [0, 1, 2, 3, 4]
    pids = {text.split()[0] for text in found.values()}
    assert len(pids) == 5
    assert str(os.getpid()) not in pids
    assert [found[index].split(" ", 1)[1] for index in range(5)] == [f"[{number}]" for number in range(1, 6)]
    assert SEEN == []


def test_no_more_than_so_many_at_a_time(cells: list[Cell], tmp_path: Path) -> None:
    """Each counts who is there beside it."""
    there = tmp_path / "there"
    there.mkdir()

    def run(cell: Cell) -> CellResult:
        own = there / str(cell.replicate)
        own.touch()
        count = len(list(there.iterdir()))
        own.unlink()
        return told(cell, str(count))

    assert all(int(count) <= 2 for count in ran(cells, run, workers=2).values())


def test_a_long_answer_comes_whole(cells: list[Cell]) -> None:
    """Longer than a pipe holds."""
    text = "x" * 1_000_000
    assert set(ran(cells, lambda cell: told(cell, text)).values()) == {text}


@pytest.mark.parametrize(
    ("end", "said"), [("os._exit(3)", "ended with exit code 3"), ("kill", "was killed by SIGKILL")]
)
def test_a_process_that_dies_is_an_error_of_its_cell(cells: list[Cell], end: str, said: str) -> None:
    """The others go on."""

    def run(cell: Cell) -> CellResult:
        if cell.replicate == 2:
            if end == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            os._exit(3)
        return told(cell, "fine")

    found = ran(cells, run)
    assert found.pop(1).startswith(f"the process of this run {said} before the run was over")
    assert set(found.values()) == {"fine"}


def test_a_process_that_is_left_behind_holds_nothing_up(cells: list[Cell]) -> None:
    """It may keep the pipe open for as long as it likes."""

    def run(cell: Cell) -> CellResult:
        child = os.fork()
        if child == 0:
            signal.pause()
        return told(cell, str(child))

    (child,) = ran(cells[:1], run).values()
    os.kill(int(child), signal.SIGKILL)


def test_what_stops_one_stops_all(cells: list[Cell], tmp_path: Path) -> None:
    """A wrong configuration is no matter of one cell."""

    def run(cell: Cell) -> CellResult:
        if cell.replicate == 2:
            raise ConfigError("wrong", where="[tool.kit]", next_command="mend it")
        (tmp_path / f"pid-{os.getpid()}").touch()
        signal.pause()
        raise AssertionError

    with pytest.raises(ConfigError) as stop:
        ran(cells, run)
    assert str(stop.value) == "[tool.kit]: wrong\n  next: mend it"
    for path in tmp_path.glob("pid-*"):
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.name[4:]), 0)


def test_what_cannot_be_handed_over_is_told_as_text(cells: list[Cell]) -> None:
    """An exception may hold anything."""

    def run(cell: Cell) -> CellResult:
        raise SystemExit(threading.Lock())

    with pytest.raises(RuntimeError, match="SystemExit"):
        ran(cells, run)


def test_ctrl_c_in_one_is_ctrl_c_for_all(cells: list[Cell], tmp_path: Path) -> None:
    """What each kept is told."""

    def run(cell: Cell) -> CellResult:
        try:
            if cell.replicate == 1:
                signal.raise_signal(signal.SIGINT)
            signal.pause()
        except KeyboardInterrupt:
            raise Interrupted(tmp_path / str(cell.replicate)) from None
        raise AssertionError

    with pytest.raises(InterruptedWorkers) as stop:
        ran(cells, run)
    assert tmp_path / "1" in stop.value.kept
    assert set(stop.value.kept) <= {tmp_path / "1", tmp_path / "2"}


def test_it_works_beside_other_threads(cells: list[Cell]) -> None:
    """As under a test runner, where Python warns of forks."""
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert len(ran(cells, lambda cell: told(cell, "fine"))) == 5
    finally:
        stop.set()
        thread.join()


def test_a_child_prints_nothing_of_its_parent() -> None:
    """What lies in a buffer at the fork is printed once."""
    program = (
        "import sys\nfrom kit.harness import workers\nsys.stdout.write('once')\n"
        "workers.run_in_workers([1], lambda cell: 7, 1, lambda index, value: None)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "once"


def test_rest_of_the_plan_is_left_where_none_may_start(cells: list[Cell]) -> None:
    """It is asked again when a run is over: what that one cost may leave room for another."""
    asked: list[int] = []
    found: list[int] = []

    def may_start(cell: Cell) -> bool:
        asked.append(cell.replicate)
        return len(found) >= asked.count(cell.replicate) - 1 and cell.replicate < 4

    run_in_workers(
        cells, lambda cell: told(cell, "done"), 2, lambda index, done: found.append(index), may_start
    )
    assert sorted(found) == [0, 1, 2]
    assert 4 in asked
    assert 5 not in asked
