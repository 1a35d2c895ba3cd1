"""Scenarios as tests: a file is a scenario, an item one recorded run of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kit.pytest_plugin.plan import PLAN, Plan

if TYPE_CHECKING:
    from kit.harness.plan import Cell
    from kit.oracle.result import OracleResult


class ScenarioFile(pytest.File):
    """One file below `scenarios/<suite>/`; empty where the command does not mean it."""

    def collect(self) -> Iterator[ScenarioItem]:
        """An item for each recorded run, and one for a run that is missed because nothing was recorded."""
        plan = self.config.stash[PLAN]
        for cell in plan.cells.get(self.path, ()):
            yield ScenarioItem.from_parent(self, name=item_name(cell), cell=cell)


class ScenarioItem(pytest.Item):
    """One recorded run of a scenario.

    It is played in pytest's set-up and judged in its call: so a verdict `error` (environment, harness or
    cassette) is an error of the test, in JUnit files too, and only a verdict `fail` a failure (decision 13).
    """

    def __init__(self, *, cell: Cell, **construction: Any) -> None:
        super().__init__(**construction)
        self.cell = cell
        self._result: OracleResult | None = None

    def setup(self) -> None:
        """Play the run against its cassette.

        Raises:
            Failed: there is no verdict.
        """
        from kit.errors import KitError
        from kit.harness.cell import run_cell

        plan = self.config.stash[PLAN]
        try:
            self._result = result = run_cell(self.cell, plan.world).result
        except KitError as error:
            raise failed(f"{self.cell.name}: {error}") from None
        if result.notices:
            self.add_report_section("setup", "kit", "\n".join(result.notices))
        if result.verdict == "error":
            raise failed("\n".join((f"{self.cell.name}: no verdict", *result.errors, *self._trace(plan))))

    def runtest(self) -> None:
        """Say what the oracles said.

        Raises:
            Failed: a condition does not hold; lists every one.
        """
        result = self._result
        if result is None or result.verdict == "pass":
            return
        if result.verdict == "skip":
            pytest.skip("; ".join(result.notices) or "the run was skipped")
        count = len(result.failures)
        head = f"{self.cell.name}: {count} condition{'' if count == 1 else 's'} {_HOLD[count == 1]}"
        points = (f"  - {reason}" for reason in result.failures)
        raise failed("\n".join((head, *points, *self._trace(self.config.stash[PLAN]))))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where and what, for reports."""
        return self.path, None, self.cell.name

    def _trace(self, plan: Plan) -> tuple[str, ...]:
        from kit.harness.world import folder_of

        result = self._result
        path = folder_of(self.cell, plan.world) / (result.trace_path if result else "")
        return (f"trace: {path.relative_to(plan.project.root)}",) if path.is_file() else ()


_HOLD = {True: "does not hold", False: "do not hold"}


def item_name(cell: Cell) -> str:
    """What stands behind the file in an id: `stub`, `gpt-oss:20b.other@2`; the path as in `cassettes/`."""
    variant = "" if cell.variant is None else f".{cell.variant}"
    return f"{cell.model}{variant}{f'@{cell.replicate}' if cell.replicate != 1 else ''}"


def failed(text: str) -> BaseException:
    """What pytest reports as the text alone, without a traceback through kit."""
    return pytest.fail.Exception(text, pytrace=False)


def is_scenario_file(path: Path, plan: Plan) -> bool:
    """Whether a file lies where scenarios lie; a suite's own file counts, so that it may be named too."""
    return path.suffix == ".yaml" and path.parent.parent == plan.project.root / "scenarios"
