"""What a word of `kit diff` means."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.errors import UsageError
from kit.workflow.accept import accept
from kit.workflow.source import find_source, of_model, run_folders
from tests.fakes.stub_project import StubProject


@pytest.fixture
def ran(project: StubProject) -> StubProject:
    """A project that was recorded, accepted and replayed."""
    project.scenario()
    project.record()
    accept(
        project.open(), wanted=(), only=(), model=None, reason="r", dry_run=False, show=lambda entries: None
    )
    project.replay()
    return project


def kinds(project: StubProject, text: str) -> list[list[str]]:
    source = find_source(project.open(), text)
    return [
        [step.kind for step in side.skeleton.steps] if side.skeleton else [] for side in source.runs.values()
    ]


def test_last_is_the_newest_run(ran: StubProject) -> None:
    """And `last~1` the one before it; a name of a folder is that run."""
    folders = run_folders(ran.open())
    assert len(folders) == 3
    assert find_source(ran.open(), "last").name == f"last ({folders[0].name})"
    assert find_source(ran.open(), "last~1").name == f"last~1 ({folders[1].name})"
    assert find_source(ran.open(), folders[2].name).name == f"run {folders[2].name}"
    assert kinds(ran, str(folders[0])) == [["user", "model_call", "answer"]]
    with pytest.raises(UsageError, match="there is no run `last~3`: 3 are kept"):
        find_source(ran.open(), "last~3")


def test_baseline_is_what_was_accepted(ran: StubProject) -> None:
    """With its trace; none accepted yet says what to type."""
    assert kinds(ran, "baseline") == [["user", "model_call", "answer"]]
    for path in (ran.root / "baselines").rglob("*.yaml"):
        path.unlink()
    with pytest.raises(UsageError, match="nothing was accepted yet") as refused:
        find_source(ran.open(), "baseline")
    assert refused.value.next_command == "kit accept --reason …"


def test_a_model_is_replayed_and_leaves_last_alone(ran: StubProject) -> None:
    """Without a cassette, what was accepted of it counts."""
    newest = run_folders(ran.open())[0]
    found = find_source(ran.open(), "stub")
    assert found.name.startswith("stub (replayed, .kit/compared/")
    assert [side.verdict for side in found.runs.values()] == ["pass"]
    assert run_folders(ran.open())[0] == newest
    ran.cassette().unlink()
    assert find_source(ran.open(), "stub").name == "stub (as accepted)"


def test_a_cassette_is_read_as_it_stands(ran: StubProject) -> None:
    """Nothing runs: only calls are in it."""
    path = ran.cassette().relative_to(ran.root)
    assert kinds(ran, str(path)) == [["model_call"]]
    (side,) = find_source(ran.open(), str(path)).runs.values()
    assert (side.is_bare, side.verdict, side.cost_micro_usd) == (True, "pass", 0)


def test_a_variant_is_found_among_recordings(ran: StubProject) -> None:
    """Judges' cassettes are none."""
    terse = ran.cassette().with_name("001_x.terse.yaml")
    terse.write_bytes(ran.cassette().read_bytes())
    assert find_source(ran.open(), "terse").name == "variant terse (as recorded)"
    with pytest.raises(UsageError):
        find_source(ran.open(), "judge")


def test_an_unknown_word_says_what_exists(ran: StubProject) -> None:
    """Runs, baselines, models and variants, so that a typo is seen."""
    with pytest.raises(UsageError, match="`stbu` is no run, baseline, cassette, model or variant") as refused:
        find_source(ran.open(), "stbu")
    why = str(refused.value.why)
    assert run_folders(ran.open())[0].name in why
    assert "baseline, baseline@REF; models stub" in why


def test_an_empty_project_has_nothing(project: StubProject) -> None:
    """Said as such."""
    with pytest.raises(UsageError) as refused:
        find_source(project.open(), "x")
    assert refused.value.why == "there are no runs yet; no baseline yet; no recorded models"


def test_a_foreign_report_is_refused(ran: StubProject) -> None:
    """An older kit wrote others."""
    folder = run_folders(ran.open())[0]
    (folder / "home/stub/report.json").write_text('{"schema_version": 0}', "utf-8")
    with pytest.raises(UsageError, match="was not written by this version of kit"):
        find_source(ran.open(), Path(folder).name)


def test_one_model_of_many(ran: StubProject) -> None:
    """A model that is not there is named with those that are."""
    source = find_source(ran.open(), "baseline")
    assert of_model(source, "stub").runs == source.runs
    with pytest.raises(UsageError, match="baseline has no run of other") as refused:
        of_model(source, "other")
    assert refused.value.why == "it has runs of stub"
