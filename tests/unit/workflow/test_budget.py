"""How far a limit of money reaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.cassette.paths import judge_path
from kit.cassette.store import read
from kit.errors import ConfigError, UsageError
from kit.harness.cell import CellResult
from kit.harness.judges import judge_cost
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


def test_the_judge_alone_is_what_counts_where_only_it_is_asked(project: StubProject) -> None:
    """The agent's recording was paid long ago, and its model need not even have a price."""
    for name in ("001_x", "002_y"):
        project.scenario(name, judged=True)
    budget = Budget(project.open(), 10, ["stub-judge"], judge_only=True)
    assert budget.may_start(project.cell("001_x"))
    budget.add(project.cell("001_x"), _done(1_000, judge=4))
    budget.add(project.cell("001_x"), _done(None, judge=4))
    assert (budget.spent_micro_usd, budget.stopped) == (8, None)
    assert not budget.may_start(project.cell("002_y"))
    assert budget.stopped == "home/002_y on stub is expected to cost $0.000004"


def test_what_a_judge_alone_is_expected_to_cost(project: StubProject) -> None:
    """What it cost for this answer, else for another of the suite, else for another model's answer."""
    prices = '"*" = { input_usd = 1, output_usd = 1 }\n'
    project.write("pyproject.toml", f"{SETTINGS}[tool.kit.prices]\n{prices}")
    for name in ("001_x", "002_y"):
        project.scenario(name, judged=True)
        project.record(name)

    def is_within(limit: int, name: str = "001_x", model: str = "stub") -> bool:
        budget = Budget(project.open(), limit, ["stub-judge"], judge_only=True)
        return budget.may_start(project.cell(name, model))

    judge = judge_path(project.cassette())
    agent = project.cassette().read_text("utf-8")
    cost = judge_cost(read(judge).interactions, project.open().settings)
    assert cost
    assert is_within(cost)
    assert not is_within(cost - 1)
    project.cassette().write_text(agent.replace("cost-micro-usd: ", "cost-micro-usd: 9"), encoding="utf-8")
    assert is_within(cost)
    said = judge.read_text("utf-8")
    judge.unlink()
    assert is_within(cost)
    assert not is_within(cost - 1)
    judge_path(project.cassette("002_y")).unlink()
    assert is_within(0)
    other = judge_path(project.cassette(model="other:1b"))
    other.parent.mkdir()
    other.write_text(said.replace("model: stub-judge", "model: a-judge"), encoding="utf-8")
    assert is_within(cost)
    assert not is_within(cost - 1)


def test_unknown_price_is_an_error(project: StubProject) -> None:
    """It names the model and what to write."""
    with pytest.raises(ConfigError, match=r"the price of gpt-9 is unknown"):
        Budget(project.open(), 100, ["stub", "gpt-9"])
