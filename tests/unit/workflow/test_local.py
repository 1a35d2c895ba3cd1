"""The harness of S2.H for a program."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kit.errors import CassetteMissing, ConfigError, UsageError
from kit.harness.eval_report import EvalReport
from kit.workflow.accept import accept
from kit.workflow.local import LocalHarness
from tests.fakes.stub_project import StubProject


def run(harness: LocalHarness, *scenarios: Path, baseline: Path | None = None) -> EvalReport:
    """Awaits a replay."""
    return asyncio.run(harness.run(list(scenarios), baseline=baseline))


def test_run_gives_the_report_of_kit_run(project: StubProject) -> None:
    """S2-41: load, execute, evaluate; the default is replay."""
    one, two = project.scenario(), project.scenario("002_y", says="buongiorno")
    project.record()
    report = run(LocalHarness(), one, two)
    assert (report.suite, report.model, report.mode) == ("home", "stub", "replay")
    assert [result.verdict for result in report.scenarios] == ["pass", "fail"]
    assert report.summary["success_rate"] == {"passed": 1, "of": 2}


def test_run_one_is_for_debugging(project: StubProject) -> None:
    """One scenario, live without keeping anything, then replayed."""
    one = project.scenario()
    harness = LocalHarness(start=project.root)
    live = asyncio.run(harness.run_one(one, mode="live"))
    assert live.verdict == "pass"
    assert not project.cassette().exists()
    project.record()
    assert asyncio.run(harness.run_one(one)).verdict == "pass"


def test_baseline_is_a_checkout(project: StubProject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Its `baselines/` says what was accepted; the project's own by default."""
    one = project.scenario()
    project.record()
    accept(project.open(), wanted=(), only=(), model=None, reason="r", dry_run=False, show=lambda _: None)
    assert run(LocalHarness(), one).gate == "pass"
    assert run(LocalHarness(), one, baseline=tmp_path_factory.mktemp("empty")).gate == "warn"


def test_model_is_the_one_asked_for(project: StubProject) -> None:
    """Another model's cassettes are never played in its place."""
    one = project.scenario()
    project.record()
    with pytest.raises(CassetteMissing, match="m:1b"):
        run(LocalHarness(model="m:1b"), one)


def test_no_scenario_and_scenarios_of_two_suites(project: StubProject) -> None:
    """S2-46 10: nothing selected is an error; a report is of one suite."""
    project.write("scenarios/work/suite.yaml", "description: d\ncategories: [happy_path]\n")
    one, two = project.scenario(), project.scenario("001_z", suite="work")
    project.record()
    with pytest.raises(UsageError, match="no scenario is selected"):
        run(LocalHarness())
    with pytest.raises(UsageError, match="several suites: home, work"):
        run(LocalHarness(), one, two)


def test_scenarios_run_at_once_stay_apart(project: StubProject) -> None:
    """Two runs awaited together give what each gives alone."""
    one, two = project.scenario(), project.scenario("002_y", says="buongiorno")
    project.record()

    async def both() -> list[str]:
        harness = LocalHarness()
        results = await asyncio.gather(harness.run_one(one), harness.run_one(two))
        return [result.verdict for result in results]

    assert asyncio.run(both()) == ["pass", "fail"]


def test_wrong_settings_are_said_at_once(project: StubProject) -> None:
    """Not at the first run."""
    project.write("pyproject.toml", '[tool.kit]\nmodle = "x"\n')
    with pytest.raises(ConfigError):
        LocalHarness()
