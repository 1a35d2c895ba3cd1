"""Run the cells of a plan, here or in workers, and say how it goes."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass, field

from kit.agent.load import load_agent
from kit.harness.agent_reads import load_noted
from kit.harness.cell import CellResult, run_cell
from kit.harness.judges import live_judges
from kit.harness.plan import Cell
from kit.harness.setting import agent_name
from kit.harness.world import World
from kit.oracle.result import OracleResult
from kit.workflow.project import Project
from kit.workflow.recovering import displaced_notice

Progress = Callable[[str], None]


@dataclass(slots=True)
class CellRuns:
    """A plan on its way.

    Attributes:
        project: whose cells.
        cells: the plan.
        world: what all cells share.
        progress: told a line before and after each run.
        seen: told each cell and its result as soon as it is there, whatever comes after.
        done: the results so far, by number in the plan.
        may_start: asked before each run; where it refuses, the rest of the plan is left.
    """

    project: Project
    cells: tuple[Cell, ...]
    world: World
    progress: Progress | None = None
    seen: Callable[[Cell, CellResult], None] | None = None
    done: dict[int, CellResult] = field(default_factory=dict)
    may_start: Callable[[Cell], bool] | None = None

    def run(self, workers: int = 1) -> list[CellResult]:
        """All results, in the order of the plan; without those of cells that were not to start.

        Raises:
            ConfigError: the agent cannot be imported, or no judge is configured.
            ModelUnreachable: live, and the model or its judge does not answer; nothing was run.
            KeyboardInterrupt: Ctrl-C; what it left behind was said.
        """
        self._check()
        gc.freeze()  # what was imported stays: no collection need look at it again
        gc.enable()
        try:
            if workers > 1 and len(self.cells) > 1:
                from kit.harness.workers import run_in_workers

                # Each process starts the scripted server for itself: a fork does not take threads with it.
                self.world.servers.stop()
                run_in_workers(
                    self.cells,
                    lambda cell: run_cell(cell, self.world),
                    workers,
                    self._finished,
                    self.may_start,
                )
            else:
                for index, cell in enumerate(self.cells):
                    if self.may_start is not None and not self.may_start(cell):
                        break
                    self._say(f"{cell.name} …")
                    self._keep(index, run_cell(cell, self.world))
        except KeyboardInterrupt as stop:
            self._tell_interrupted(stop)
            raise
        finally:
            gc.unfreeze()
        return [self.done[index] for index in sorted(self.done)]

    def _check(self) -> None:
        """Import every agent, reach every model: a wrong one is found before the first run."""
        settings = self.world.settings
        for name in dict.fromkeys(agent_name(cell, settings) for cell in self.cells):
            (load_noted if self.world.keep else load_agent)(name, settings.root)
        judges = live_judges(self.cells, self.world)
        if self.world.mode == "live":
            self.world.servers.check(settings.model)
        for model in judges if self.world.mode == "live" or self.world.rejudges else ():
            self.world.servers.check(model)

    def _finished(self, index: int, done: CellResult) -> None:
        self._say(f"{self.cells[index].name} …")
        self._keep(index, done)

    def _keep(self, index: int, done: CellResult) -> None:
        self.done[index] = done
        if self.seen is not None:
            self.seen(self.cells[index], done)
        self._say(f"  {done.result.verdict}{_first(done.result)}")

    def _tell_interrupted(self, stop: KeyboardInterrupt) -> None:
        """Say what Ctrl-C left behind: there will be no report."""
        for index, one in sorted(self.done.items()):
            if one.kept is not None:
                self._say(kept_line(self.project, self.cells[index], one))
        # One interrupted run kept one path or None, workers a tuple of them, and a replay nothing.
        kept = getattr(stop, "kept", None) or ()
        for path in kept if isinstance(kept, tuple) else (kept,):
            shown = path.relative_to(self.project.root)
            self._say(f"kept {shown}: the run was interrupted, an earlier recording stays as it was")

    def _say(self, line: str) -> None:
        if self.progress is not None:
            self.progress(line)


def kept_line(project: Project, cell: Cell, done: CellResult) -> str:
    """What became of a live run's recording."""
    if done.kept is None:
        return f"kept nothing of {cell.name}"
    path = done.kept.path.relative_to(project.root).as_posix()
    if done.kept.is_partial:
        return f"kept {path}: the run ended in an error, an earlier recording stays as it was"
    line = f"recorded {path}" + ("" if done.kept.is_changed else " (the same answers as before)")
    return "\n  ".join((line, *displaced_notice(project.root, done.kept.displaced)))


def _first(result: OracleResult) -> str:
    reasons = (*result.errors, *result.failures)
    return f": {reasons[0].splitlines()[0]}" if reasons else ""
