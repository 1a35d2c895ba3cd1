"""Scenarios run, replayed or live, and reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kit.cassette.paths import partial_path
from kit.errors import CassetteMissing, ConfigError, ModelUnreachable, ScenarioError, UsageError
from kit.harness.eval_report import EvalReport
from kit.workflow.accept import accept
from kit.workflow.scenarios import RunRequest, run_scenarios
from tests.fakes.stub_project import StubProject


def accepted(project: StubProject) -> None:
    """Accept what a replay says."""
    accept(
        project.open(), wanted=(), only=(), model=None, reason="r", dry_run=False, show=lambda entries: None
    )


def files(root: Path, folder: str) -> dict[str, bytes]:
    """Everything below a folder."""
    return {str(one): one.read_bytes() for one in sorted((root / folder).rglob("*")) if one.is_file()}


def without_time(report: EvalReport) -> dict[str, Any]:
    """A report as JSON, but for the timestamp."""
    values: dict[str, Any] = report.model_dump(mode="json")
    del values["timestamp"]
    return values


def test_record_then_replay(project: StubProject) -> None:
    """A recording keeps its cassettes and says so; a replay gives the same results and keeps nothing."""
    project.scenario()
    project.scenario("002_y")
    recorded = project.record()
    assert recorded.exit_code == 0
    assert recorded.kept == (
        "recorded cassettes/home/stub/001_x.yaml",
        "recorded cassettes/home/stub/002_y.yaml",
    )
    replayed = project.replay()
    assert replayed.kept == ()
    assert [one.mode for one in (*recorded.reports, *replayed.reports)] == ["live", "replay"]
    assert replayed.reports[0].scenarios == recorded.reports[0].scenarios
    assert project.record("001_x").kept == (
        "recorded cassettes/home/stub/001_x.yaml (the same answers as before)",
    )


def test_replay_twice_gives_the_same_report(project: StubProject) -> None:
    """S2-46 1: byte-identical report.json but for the timestamp."""
    project.scenario(judged=True)
    project.record()
    first, second = (project.replay() for _ in range(2))
    assert without_time(first.reports[0]) == without_time(second.reports[0])
    assert first.folder is not None
    written = json.loads((project.root / first.folder / "home/stub/report.json").read_text("utf-8"))
    del written["timestamp"]
    assert written == without_time(first.reports[0])


def test_replay_changes_neither_cassettes_nor_baselines(project: StubProject) -> None:
    """S2-46 13, decision 16: nothing accepted is ever written by a run."""
    project.scenario()
    project.record()
    accepted(project)
    before = files(project.root, "cassettes") | files(project.root, "baselines")
    project.scenario(says="buongiorno")
    assert project.replay().exit_code == 1
    project.replay(agent="asks_politely")
    assert files(project.root, "cassettes") | files(project.root, "baselines") == before


def test_order_of_scenarios_changes_no_verdict(project: StubProject) -> None:
    """S2-46 5: what is asked first has no part in what comes out."""
    project.scenario()
    project.scenario("002_y", says="buongiorno")
    project.record()
    one, other = project.replay("001_x", "002_y"), project.replay("002_y", "001_x")
    verdicts = [{r.scenario_id: r.verdict for r in out.reports[0].scenarios} for out in (one, other)]
    assert verdicts == [{"001_x": "pass", "002_y": "fail"}] * 2


def test_failing_scenario_without_baseline_is_a_warning(project: StubProject) -> None:
    """Decision 14: exit code 0; nobody ever said that it passes."""
    project.scenario(says="buongiorno")
    outcome = project.record()
    (report,) = outcome.reports
    assert (outcome.exit_code, report.gate, report.baseline_diff) == (0, "warn", None)
    assert any("no baseline" in reason for reason in report.gate_reasons)


def test_pass_that_became_fail_blocks(project: StubProject) -> None:
    """Decision 14: exit code 1, and the diff names the scenario."""
    project.scenario()
    project.record()
    accepted(project)
    assert project.replay().reports[0].gate == "pass"
    project.scenario(says="buongiorno")
    outcome = project.replay()
    (report,) = outcome.reports
    assert (outcome.exit_code, report.gate) == (1, "block")
    assert report.baseline_diff == {"worse": ["001_x"]}


def test_cassette_trouble_goes_before_the_gate(project: StubProject) -> None:
    """Decision 14: 3 before 1; the other scenarios run all the same (S2-44)."""
    project.scenario()
    project.scenario("002_y")
    project.record()
    accepted(project)
    project.scenario(says="buongiorno")
    project.cassette("002_y").unlink()
    outcome = project.replay()
    assert outcome.exit_code == 3
    assert [one.verdict for one in outcome.reports[0].scenarios] == ["fail", "error"]


def test_missing_scenario_blocks_only_a_whole_run(project: StubProject) -> None:
    """A scenario that was accepted and is gone blocks; one that was not selected does not."""
    project.scenario()
    gone = project.scenario("002_y")
    project.record()
    accepted(project)
    assert project.replay("001_x").exit_code == 0
    gone.unlink()
    outcome = project.replay()
    assert (outcome.exit_code, outcome.reports[0].baseline_diff) == (1, {"missing": ["002_y"]})


def test_baselines_of_another_checkout(
    project: StubProject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """`baseline_root` says whose `baselines/` count."""
    project.scenario()
    project.record()
    accepted(project)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert project.replay(baseline_root=elsewhere).reports[0].baseline_diff is None
    assert project.replay(baseline_root=project.root).reports[0].baseline_diff == {}


def test_one_report_for_each_suite_and_model(project: StubProject) -> None:
    """Decision 20: models are never pooled."""
    project.write("scenarios/work/suite.yaml", "description: d\ncategories: [happy_path]\n")
    project.scenario()
    project.scenario("001_z", suite="work")
    project.record()
    second = project.cassette(model="other")
    second.parent.mkdir(parents=True)
    second.write_text(project.cassette().read_text("utf-8").replace("model: stub", "model: other"), "utf-8")
    reports = project.replay().reports
    assert [(one.suite, one.model) for one in reports] == [
        ("home", "other"),
        ("home", "stub"),
        ("work", "stub"),
    ]
    assert [len(one.scenarios) for one in reports] == [1, 1, 1]
    assert [(one.suite, one.model) for one in project.replay(model="stub").reports] == [
        ("home", "stub"),
        ("work", "stub"),
    ]


def test_replicates_are_cells_of_one_report(project: StubProject) -> None:
    """Each has its own cassette and its own line (X-04)."""
    project.scenario()
    recorded = project.record(replicates=2)
    assert [one.replicate for one in recorded.reports[0].scenarios] == [1, 2]
    assert [one.replicate for one in project.replay().reports[0].scenarios] == [1, 2]


def test_error_says_where_it_is_kept(project: StubProject) -> None:
    """The line tells that the old recording is intact, and one that kept nothing says so."""
    project.scenario()
    project.record()
    outcome = project.record(agent="asks_nobody")
    assert outcome.exit_code == 3
    assert outcome.kept == ("kept nothing of home/001_x on stub",)
    assert project.cassette().exists()
    assert not partial_path(project.cassette()).exists()


def test_live_run_keeps_nothing(project: StubProject) -> None:
    """`kit run --mode live` is not a recording, so CI may do it."""
    project.scenario()
    assert project.record(keep=False).kept == ()
    assert not project.cassette().exists()


def test_recording_is_refused_in_ci(project: StubProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision 16; replay is what CI does."""
    project.scenario()
    project.record()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(UsageError, match="kit record is refused where CI is set"):
        project.record()
    assert project.replay().exit_code == 0
    assert project.record(keep=False).exit_code == 0


def test_progress_is_told_before_and_after_each_run(project: StubProject) -> None:
    """A live run takes minutes; who waits reads what runs and how it ended, with the first reason."""
    project.scenario()
    project.scenario("002_y", says="buongiorno")
    told: list[str] = []
    run_scenarios(project.open(), RunRequest(mode="live"), told.append)
    assert told[:3] == ["home/001_x on stub …", "  pass", "home/002_y on stub …"]
    assert told[3].startswith("  fail: final_response.contains_any")
    assert len(told) == 4


def test_nothing_runs_where_anything_is_wrong(project: StubProject) -> None:
    """S2-46 7, 10, 11, 15: each is an error of its own, before a model is asked or a file is written."""
    project.scenario()
    with pytest.raises(CassetteMissing):
        project.replay()
    with pytest.raises(UsageError, match="nightly"):
        project.record(only=("nightly",))
    with pytest.raises(UsageError, match="999"):
        project.record("999")
    with pytest.raises(UsageError):
        project.record(only=("security",))
    with pytest.raises(ConfigError):
        project.record(agent="nobody")
    project.write("scenarios/home/002_y.yaml", "id: 002_y\n")
    with pytest.raises(ScenarioError):
        project.record("001_x")
    assert not (project.root / "cassettes").exists()


def test_unreachable_model_ends_the_command(project: StubProject) -> None:
    """Every run would fail alike: exit code 4, and nothing was run."""
    project.scenario()
    opened = project.open(model="m:1b", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnreachable):
        run_scenarios(opened, RunRequest(mode="live", keep=True))
    assert not (project.root / "cassettes").exists()


def test_warnings_of_scenario_files_are_handed_on(project: StubProject) -> None:
    """S2-14: an `expected` with an outcome alone is allowed and probably not meant."""
    project.scenario(expected={"outcome": "success"})
    (warning,) = project.record().warnings
    assert warning.where.startswith("scenarios/home/001_x.yaml")
    assert project.replay().warnings == (warning,)
