"""Record what a command means."""

from __future__ import annotations

import re

import pytest

from kit.cassette.paths import judge_path
from kit.errors import UsageError
from kit.workflow.record import RecordRequest, record
from kit.workflow.to_record import Reasons
from kit.workflow.unfinished import find_unfinished
from tests.fakes.stub_project import SETTINGS, StubProject


def test_plan_of_the_caller_is_recorded_alone(project: StubProject) -> None:
    """Nothing is selected then, and nothing is left to go on with."""
    project.scenario("001_x")
    project.scenario("002_y")
    cell = project.cell("002_y", replicate=2)
    done = record(project.open(), RecordRequest(cells=(cell,)))
    assert done.kept == ("recorded cassettes/home/stub/002_y@2.yaml",)
    with pytest.raises(UsageError):
        find_unfinished(project.open())


def test_error_is_left_for_resume(project: StubProject) -> None:
    """A run that proved nothing is not recorded: the next `--resume` tries it again."""
    project.scenario("001_x")
    done = record(project.open(agent="tests.fakes.agents:asks_nobody"), RecordRequest())
    assert done.exit_code == 3
    assert done.kept[-1] == "1 of the planned runs is not recorded\n  next: kit record --resume"
    unfinished = find_unfinished(project.open())
    assert unfinished.agent == "tests.fakes.agents:asks_nobody"
    again = record(project.open(), RecordRequest(unfinished=unfinished))
    assert again.exit_code == 0
    assert again.notes == ("going on: 0 runs are recorded, 1 are left, on stub",)
    assert again.kept == ("recorded cassettes/home/stub/001_x.yaml",)


def test_what_is_gone_on_with_is_said_first(project: StubProject) -> None:
    """Before a run of it costs anything; and what was begun is known as soon as it is."""
    project.scenario("001_x")
    record(project.open(agent="tests.fakes.agents:asks_nobody"), RecordRequest())
    unfinished = find_unfinished(project.open())
    assert unfinished.is_begun
    said: list[str] = []
    done = record(project.open(), RecordRequest(unfinished=unfinished), said.append)
    assert said[0] == "going on: 0 runs are recorded, 1 are left, on stub"
    assert done.notes == ()


def test_plan_whose_scenarios_are_all_gone_is_forgotten(project: StubProject) -> None:
    """Else every later `--resume` would meet it again, and none that went on."""
    file = project.scenario("001_x")
    record(project.open(agent="tests.fakes.agents:asks_nobody"), RecordRequest())
    file.unlink()
    project.scenario("002_y")
    done = record(project.open(), RecordRequest(unfinished=find_unfinished(project.open())))
    assert done.exit_code == 0
    assert done.notes[1] == "no longer there, and left out: home/001_x"
    with pytest.raises(UsageError, match="no recording was interrupted"):
        find_unfinished(project.open())


def test_missing_records_only_what_has_no_cassette(project: StubProject) -> None:
    """And where nothing is missing, nothing runs and exit code is 0."""
    project.scenario()
    project.record()
    project.scenario("002_y")
    request = RecordRequest(reasons=Reasons(missing=True))
    assert record(project.open(), request).kept == ("recorded cassettes/home/stub/002_y.yaml",)
    again = record(project.open(), request)
    assert (again.reports, again.folder, again.exit_code) == ((), None, 0)
    assert again.notes == ("nothing to record: every selected scenario has a cassette",)


@pytest.mark.parametrize("reasons", [Reasons(), Reasons(missing=True), Reasons(stale=True, failed=True)])
def test_a_variant_is_refused_for_every_reason(project: StubProject, reasons: Reasons) -> None:
    """A plain run is never recorded in its place, nor over it."""
    project.scenario()
    project.record()
    fork = project.cell(variant="tried").cassette(project.root)
    fork.write_bytes(project.cassette().read_bytes())
    before = fork.read_bytes(), project.cassette().read_bytes()
    project.scenario(description="another")
    with pytest.raises(UsageError, match="not recorded by itself"):
        record(project.open(), RecordRequest(wanted=("001_x.tried",), reasons=reasons))
    assert (fork.read_bytes(), project.cassette().read_bytes()) == before


def test_nothing_left_is_no_error(project: StubProject) -> None:
    """A nightly `kit record --missing --stale` ends well where all is recorded."""
    project.scenario()
    project.record()
    done = record(project.open(), RecordRequest(reasons=Reasons(missing=True, stale=True)))
    assert (done.exit_code, done.folder) == (0, None)
    assert done.notes == ("nothing to record: no selected run is missing or stale",)


def test_recording_is_refused_in_ci(project: StubProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision 16, for every way to record, the judge alone included."""
    project.scenario()
    monkeypatch.setenv("CI", "true")
    for request in (
        RecordRequest(),
        RecordRequest(judge_only=True),
        RecordRequest(reasons=Reasons(stale=True)),
    ):
        with pytest.raises(UsageError, match="kit record is refused where CI is set"):
            record(project.open(), request)


def test_limit_of_the_judge_alone_counts_no_agent(project: StubProject) -> None:
    """What the agents cost was spent when they were recorded: the limit is for what is asked now."""
    dear = '"stub" = { input_usd = 900, output_usd = 900 }\n'
    prices = f'{dear}"stub-judge" = {{ input_usd = 1, output_usd = 1 }}\n'
    project.write("pyproject.toml", f"{SETTINGS}[tool.kit.prices]\n{prices}")
    for name in ("001_x", "002_y"):
        project.scenario(name, judged=True)
        project.record(name)
        judge_path(project.cassette(name)).unlink()
    done = record(project.open(), RecordRequest(judge_only=True, budget_micro_usd=500))
    assert done.exit_code == 0
    assert judge_path(project.cassette("002_y")).exists()
    assert done.kept[-1].startswith("spent $0.000")
    stopped = record(project.open(), RecordRequest(judge_only=True, budget_micro_usd=1))
    assert stopped.exit_code == 130


def test_a_limit_is_told_before_an_error(project: StubProject) -> None:
    """An interruption counts before all (decision 14): the plan is not at its end."""
    prices = '"stub" = { input_usd = 9, output_usd = 9 }\n'
    project.write("pyproject.toml", f"{SETTINGS}[tool.kit.prices]\n{prices}")
    project.scenario("001_x")
    project.scenario("002_y")
    project.record()
    header = project.cassette("001_x").read_text("utf-8")
    project.cassette("001_x").write_text(re.sub("cost-micro-usd: .*", "cost-micro-usd: 0", header), "utf-8")
    opened = project.open(agent="tests.fakes.agents:asks_nobody")
    done = record(opened, RecordRequest(budget_micro_usd=1))
    assert [one.exit_code for report in done.reports for one in report.scenarios] == [3]
    assert done.exit_code == 130


def test_limit_counts_the_judge_too(project: StubProject) -> None:
    """Its tokens are money like those of the agent's model."""
    prices = '"stub" = { input_usd = 0, output_usd = 0 }\n"stub-judge" = { input_usd = 9, output_usd = 9 }\n'
    file = project.root / "pyproject.toml"
    file.write_text(f"{file.read_text('utf-8')}\n[tool.kit.prices]\n{prices}", encoding="utf-8")
    project.scenario("001_x", judged=True)
    project.scenario("002_y", judged=True)
    done = record(project.open(), RecordRequest(budget_micro_usd=1))
    assert done.exit_code == 130
    assert done.kept[0] == "recorded cassettes/home/stub/001_x.yaml"
    assert done.kept[-2].startswith("spent $0.000")
    assert "stopped, since home/002_y on stub is expected to cost" in done.kept[-2]
