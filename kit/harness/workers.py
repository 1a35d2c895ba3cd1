"""Cells in processes of their own: one forked for each, so that no cell can see what another left behind.

A fork starts from a process that has imported everything and run nothing, whatever runs beside it. So
neither the order of the cells nor the number of workers can change a verdict (S2-46 5).
"""

from __future__ import annotations

import importlib
import os
import pickle
import selectors
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from kit import clock
from kit.errors import EXIT_ENVIRONMENT, UsageError
from kit.harness.cell import CellResult
from kit.harness.keep import Interrupted
from kit.harness.plan import Cell
from kit.harness.verdict import error_result

GRACE_MS = 5000
"""Real time that interrupted cells have to keep what they recorded."""
_POLL_S = 0.2
_SIZE = 8
"""Bytes of the length before an answer: its end must not wait for a process that the agent left behind."""

RunCell = Callable[[Cell], CellResult]
Finished = Callable[[int, CellResult], None]


class InterruptedWorkers(KeyboardInterrupt):
    """Ctrl-C while workers ran; `kept` holds the partial cassettes of the cells that it interrupted."""

    def __init__(self, kept: tuple[Path, ...]) -> None:
        super().__init__()
        self.kept = kept


@dataclass(slots=True)
class _Worker:
    index: int
    pid: int
    pipe: int
    answer: bytearray = field(default_factory=bytearray)

    def is_complete(self) -> bool:
        size = int.from_bytes(self.answer[:_SIZE], "big")
        return len(self.answer) >= _SIZE and len(self.answer) == _SIZE + size

    def read(self) -> bool:
        """Take what is there; False at the end of the pipe."""
        try:
            while block := os.read(self.pipe, 1 << 20):
                self.answer += block
        except BlockingIOError:
            return True
        return False


def run_in_workers(
    cells: Sequence[Cell],
    run: RunCell,
    workers: int,
    finished: Finished,
    may_start: Callable[[Cell], bool] | None = None,
) -> None:
    """Run cells in at most `workers` processes at a time.

    Args:
        cells: the plan.
        run: runs one cell, in the process of that cell.
        workers: how many at once.
        finished: told the number of a cell in the plan and its result, in the order in which they end.
        may_start: asked before each cell is started; where it refuses and nothing runs any more, the rest of
            the plan is left.

    Raises:
        UsageError: this system cannot fork.
        ConfigError: as `run`; the other cells are ended.
        InterruptedWorkers: Ctrl-C; the cells were told and had a moment to keep what they recorded.
    """
    if not hasattr(os, "fork"):
        raise UsageError("--workers needs a system that can fork a process", next_command="leave it out")
    _warm()
    pool = _Pool(cells, run)
    waiting = list(range(len(cells)))[::-1]
    try:
        while waiting or pool.running:
            while waiting and len(pool.running) < workers:
                if may_start is not None and not may_start(cells[waiting[-1]]):
                    break
                pool.start(waiting.pop())
            if not pool.running:
                break
            for index, (kind, value) in pool.wait():
                if kind == "raised":
                    raise value
                if kind == "interrupted":
                    raise Interrupted(value)
                finished(index, value)
    except KeyboardInterrupt as stop:
        kept = [stop.kept] if isinstance(stop, Interrupted) else []
        raise InterruptedWorkers((*filter(None, kept), *pool.interrupt())) from None
    finally:
        pool.kill()


def _warm() -> None:
    """Import once what each child would for itself: httpx loads its transports with the first client."""
    if "httpx" in sys.modules:
        importlib.import_module("httpcore")


class _Pool:
    """The processes that run at the moment."""

    def __init__(self, cells: Sequence[Cell], run: RunCell) -> None:
        self._cells = cells
        self._run = run
        self._selector = selectors.DefaultSelector()
        self.running: dict[int, _Worker] = {}

    def start(self, index: int) -> None:
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # or the child would print it a second time
        # Between the fork and the next line Ctrl-C would leave a child that nobody knows.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            pid = _fork()
            if pid == 0:
                os.close(reader)
                _work(self._cells[index], self._run, writer, before)
            self.running[index] = _Worker(index, pid, reader)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(writer)
        self._selector.register(reader, selectors.EVENT_READ, index)

    def wait(self, seconds: float = _POLL_S) -> list[tuple[int, tuple[str, Any]]]:
        """What ended meanwhile."""
        ready = {key.data for key, _ in self._selector.select(seconds)}
        ended = []
        for worker in list(self.running.values()):
            # A process that the agent left behind may hold the pipe open after the worker has died.
            pid, status = os.waitpid(worker.pid, os.WNOHANG)
            is_open = worker.read() if pid or worker.index in ready else True
            if worker.is_complete():
                value = pickle.loads(worker.answer[_SIZE:])  # noqa: S301 - written by our own child
            elif pid or not is_open:
                status = status if pid else os.waitpid(worker.pid, 0)[1]
                pid = worker.pid
                value = ("done", self._crash(worker, status))
            else:
                continue
            self._forget(worker)
            if not pid:
                os.waitpid(worker.pid, 0)
            ended.append((worker.index, value))
        return ended

    def interrupt(self) -> tuple[Path, ...]:
        """Tell every cell of Ctrl-C and wait a moment for what it keeps."""
        for worker in self.running.values():
            os.kill(worker.pid, signal.SIGINT)
        kept = []
        until_ms = clock.monotonic_ms() + GRACE_MS
        while self.running and clock.monotonic_ms() < until_ms:
            kept += [value for _, (kind, value) in self.wait() if kind == "interrupted" and value]
        return tuple(kept)

    def kill(self) -> None:
        """End what still runs."""
        for worker in list(self.running.values()):
            os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
            self._forget(worker)
        self._selector.close()

    def _forget(self, worker: _Worker) -> None:
        self._selector.unregister(worker.pipe)
        os.close(worker.pipe)
        del self.running[worker.index]

    def _crash(self, worker: _Worker, status: int) -> CellResult:
        code = os.waitstatus_to_exitcode(status)
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        cell = self._cells[worker.index]
        text = (
            f"the process of this run {how} before the run was over\n"
            "  why:  the agent, or a library of it, ended its process\n"
            f"  next: the same command for {cell.selected.scenario.id} without --workers"
        )
        return CellResult(error_result(cell, text, EXIT_ENVIRONMENT))


def _fork() -> int:
    with warnings.catch_warnings():
        # Python warns of other threads, which may hold locks at this moment; kit's own have ended.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _work(cell: Cell, run: RunCell, writer: int, mask: set[int | signal.Signals]) -> NoReturn:
    """The whole life of a child; it must never return into the parent's program."""
    try:
        answer: tuple[str, Any]
        try:
            signal.signal(signal.SIGINT, _interrupt_once)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            answer = ("done", run(cell))
        except KeyboardInterrupt as stop:
            answer = ("interrupted", stop.kept if isinstance(stop, Interrupted) else None)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the parent raises it
            answer = ("raised", error)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        content = _pickled(answer)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(len(content).to_bytes(_SIZE, "big") + content)
    finally:
        os._exit(0)


def _pickled(answer: tuple[str, Any]) -> bytes:
    try:
        return pickle.dumps(answer)
    except Exception:  # noqa: BLE001 - an exception may hold anything, and its text must reach the parent
        return pickle.dumps(("raised", RuntimeError("".join(traceback.format_exception(answer[1])))))


def _interrupt_once(signum: int, frame: FrameType | None) -> None:
    """The terminal tells the whole group and kit tells each worker: the second must not stop the keeping."""
    del frame
    signal.signal(signum, signal.SIG_IGN)
    raise KeyboardInterrupt
