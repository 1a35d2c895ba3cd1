"""How far a limit of money reaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import ConfigError, UsageError
from kit.harness.cell import CellResult
from kit.oracle.result import OracleResult
from kit.workflow.budget import Budget, parse_usd
from tests.fakes.stub_project import SETTINGS, StubProject

PRICE = '[tool.kit.prices]\n"stub" = { input_usd = 1, output_usd = 1 }\n'


@pytest.mark.parametrize(("text", "micro_usd"), [("0", 0), ("0.5", 500_000), ("12", 12_000_000)])
def test_amounts_are_integers(text: str, micro_usd: int) -> None:
    """Money is counted in micro-USD (decision 15)."""
    assert parse_usd(text) == micro_usd


@pytest.mark.parametrize("text", ["", "one", "-1", "NaN", "Infinity"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    """Nothing is recorded for a limit that nobody can keep."""
    with pytest.raises(UsageError, match="is no amount in USD"):
        parse_usd(text)


def _done(cost: int | None, verdict: str = "pass", judge: int | None = 0) -> CellResult:
    result = OracleResult(
        scenario_id="001_x",
        passed=verdict == "pass",
        trace_path=Path(),
        verdict=verdict,  # type: ignore[arg-type]
        suite="home",
        category="happy_path",
        model="stub",
        cost_micro_usd=cost,
    )
    return CellResult(result, None, judge)


def test_next_run_is_expected_to_cost_what_the_dearest_did(project: StubProject) -> None:
    """What runs beside counts as spent; when it was cheaper, the next may start after all."""
    for name in ("001_x", "002_y", "003_z"):
        project.scenario(name)
    cells = [project.cell(name) for name in ("001_x", "002_y", "003_z")]
    budget = Budget(project.open(), 100, ["stub"])
    assert budget.may_start(cells[0])
    budget.add(cells[0], _done(30, judge=10))
    assert budget.spent_micro_usd == 40
    assert budget.may_start(cells[1])
    assert not budget.may_start(cells[2])
    assert budget.stopped == "home/003_z on stub is expected to cost $0.000040"
    budget.add(cells[1], _done(10))
    assert budget.may_start(cells[2])
    assert budget.stopped is None
    assert budget.told() == "spent $0.000050 of $0.000100"


def test_own_recording_tells_best(project: StubProject) -> None:
    """The header says what the same run cost last time, under today's limit."""
    project.write("pyproject.toml", SETTINGS + PRICE)
    project.scenario()
    project.record()
    cost = int(project.cassette().read_text("utf-8").partition("cost-micro-usd: ")[2].partition("\n")[0])
    assert cost > 0
    assert Budget(project.open(), cost, ["stub"]).may_start(project.cell())
    assert not Budget(project.open(), cost - 1, ["stub"]).may_start(project.cell())


def test_cost_that_nobody_counts_ends_the_plan(project: StubProject) -> None:
    """An error may have cost what was expected; a run without counts leaves the limit unknown."""
    project.scenario()
    cell = project.cell()
    budget = Budget(project.open(), 100, ["stub"])
    budget.may_start(cell)
    budget.add(cell, _done(None, "error"))
    assert budget.may_start(cell)
    budget.add(cell, _done(None))
    assert not budget.may_start(cell)
    assert budget.stopped is not None
    assert "does not count tokens" in budget.stopped


def test_unknown_price_is_an_error(project: StubProject) -> None:
    """It names the model and what to write."""
    with pytest.raises(ConfigError, match=r"the price of gpt-9 is unknown"):
        Budget(project.open(), 100, ["stub", "gpt-9"])
