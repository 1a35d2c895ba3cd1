"""Passes over the golden set, on a project whose model is scripted."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.agent.protocol import ModelEndpoint
from kit.errors import CassetteMissing, ConfigError, ModelUnreachable, UsageError
from kit.golden.history import history_path, read_history
from kit.models.endpoint import ServerFacts
from kit.report.golden import render_golden
from kit.workflow.golden import GoldenOutcome, GoldenRequest, model_under_test, run_golden
from tests.fakes.golden_project import GoldenProject
from tests.fakes.templates import Templates

ALL_TROUBLE = {f"rf-{letter}": ("TALK", "approved") for letter in "abcdef"}


@pytest.fixture
def golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GoldenProject]:
    """Six cases: two hits, a miss, a command nobody approves, no verdict, a crash."""
    for name in ("CI", "GOLDEN_SET_QA_MODEL", "KIT_MODEL", "KIT_BASE_URL", "KIT_JUDGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield GoldenProject(tmp_path)


@pytest.fixture
def kept(golden: GoldenProject, templates: Templates) -> GoldenProject:
    """The same with one recorded pass."""
    templates.copy("golden kept", lambda root: GoldenProject(root).golden(keep=True), golden.root)
    return golden


def kinds(outcome: GoldenOutcome, number: int = 0) -> list[str]:
    """How the cases of a pass ended."""
    return [one.kind for one in outcome.passes[number].measured.outcomes]


def test_f12_one_case_crashes_and_the_others_go_on(golden: GoldenProject) -> None:
    """It counts as a miss of infrastructure, and the total stays six; trouble is told apart (S4-18)."""
    golden.floor(2)
    outcome = golden.golden()
    assert kinds(outcome) == ["hit", "hit", "miss", "awaiting_approval", "no_verdict", "crash"]
    (one,) = outcome.passes
    assert (one.measured.hits, one.measured.of) == (2, 6)
    assert one.floor.is_met
    assert outcome.exit_code == 0
    assert "KeyError: 'boom'" in one.measured.outcomes[5].detail


def test_an_agent_that_crashes_before_it_asks_is_a_crash(golden: GoldenProject) -> None:
    """Nothing was intercepted, and still the others count and the floor decides."""
    golden.case("rf-f", "CRASH EARLY", "approved")
    golden.floor(2)
    outcome = golden.golden()
    assert kinds(outcome)[5] == "crash"
    assert outcome.exit_code == 0


def test_below_the_floor_is_exit_code_1(golden: GoldenProject) -> None:
    """F02, through a whole run."""
    golden.floor(3)
    outcome = golden.golden()
    assert outcome.exit_code == 1
    assert outcome.passes[0].floor.sentence == "2/6 is below the floor 3/6 of stub"


def test_f03_no_run_writes_the_floor_file(golden: GoldenProject) -> None:
    """Above the floor: byte-identical, modification time too."""
    file = golden.floor(1)
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    outcome = golden.golden(keep=True)
    assert outcome.passes[0].floor.hint == "2/6 is above the floor: a person may raise it"
    golden.golden(mode="replay", log=True)
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_f04_no_entry_fails_and_makes_no_file(golden: GoldenProject) -> None:
    """The observed count is reported."""
    outcome = golden.golden()
    assert outcome.exit_code == 1
    assert "there is no floor for stub, observed 2/6" in outcome.passes[0].floor.sentence
    assert not (golden.root / "baselines").exists()


def test_f08_a_wrong_floor_file_costs_no_run(golden: GoldenProject) -> None:
    """It is found before anything is asked."""
    golden.floor(7)
    with pytest.raises(ConfigError, match="invalid floor file"):
        golden.golden()
    assert not (golden.root / ".kit" / "golden").exists()


def test_a_wrong_history_costs_no_run(golden: GoldenProject) -> None:
    """A live pass takes minutes, and what it gave would be told to nobody; replay has no use for the file."""
    golden.floor(2)
    golden.golden(keep=True)
    golden.write("baselines/golden/history.jsonl", "<<<<<<< HEAD\n")
    told: list[str] = []
    request = GoldenRequest(model="stub")
    with pytest.raises(ConfigError, match="not a line of a golden history"):
        run_golden(golden.open(model="stub"), request, told.append)
    assert told == []
    assert golden.golden(mode="replay").exit_code == 0


def test_f10_a_model_that_does_not_answer(golden: GoldenProject) -> None:
    """Nothing is run, and the error is the environment's (exit code 4)."""
    golden.write("pyproject.toml", '[tool.kit]\nbase_url = "http://127.0.0.1:9/v1"\n')
    with pytest.raises(ModelUnreachable) as caught:
        golden.golden("away:1b")
    assert caught.value.exit_code == 4
    assert not history_path(golden.root, "golden").exists()


def test_f14_trouble_in_every_case_is_suspect(tmp_path: Path, golden: GoldenProject) -> None:
    """It fails, and says where to look."""
    for id_, (behaviour, expected) in ALL_TROUBLE.items():
        golden.case(id_, behaviour, expected)
    golden.floor(1)
    outcome = golden.golden()
    (one,) = outcome.passes
    assert one.measured.is_suspect
    assert outcome.exit_code == 1
    assert "harness problem suspected" in render_golden(outcome)
    golden.floor(0)
    held = golden.golden()
    assert held.exit_code == 0, "F09: a floor of 0 gates nothing"
    assert "harness problem suspected" in render_golden(held)


def test_kept_passes_replay_to_the_same_counts_offline(
    golden: GoldenProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any network and without the programs that the terminal ran."""
    live = golden.golden(keep=True, passes=2)
    assert len(live.kept) == 12
    assert (golden.root / "cassettes/golden/stub/rf-a@2.yaml").is_file()

    def refused(*_: Any) -> None:
        raise AssertionError("replay opened a socket")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setenv("PATH", "/nonexistent")
    played = golden.golden(mode="replay")
    for one, other in zip(live.passes, played.passes, strict=True):
        assert one.measured.outcomes == other.measured.outcomes
    assert [one.measured.source for one in played.passes] == ["recorded", "recorded"]
    assert played.kept == ()


def test_keeping_goes_on_where_it_stopped(kept: GoldenProject) -> None:
    """What has a cassette is played, not asked again, and counts all the same."""
    files = sorted((kept.root / "cassettes").rglob("*.yaml"))
    stamps = {file: file.stat().st_mtime_ns for file in files}
    files[2].unlink()
    again = kept.golden(keep=True)
    assert again.kept == ("recorded cassettes/golden/stub/rf-c.yaml",)
    assert kinds(again)[:3] == ["hit", "hit", "miss"]
    assert all(file.stat().st_mtime_ns == stamps[file] for file in files if file != files[2])


def test_a_case_that_a_pass_lacks_is_an_error(kept: GoldenProject) -> None:
    """Never left out in silence: exit code 3, and the total stays."""
    kept.floor(0)
    (kept.root / "cassettes/golden/stub/rf-a.yaml").unlink()
    played = kept.golden(mode="replay")
    assert kinds(played)[0] == "blocked"
    assert played.passes[0].measured.of == 6
    assert played.exit_code == 3


def test_a_recording_that_is_no_longer_what_was_recorded_is_told(kept: GoldenProject) -> None:
    """A verdict written in by hand, or a repository that has changed, moves counts without a model."""
    assert kept.golden(mode="replay").passes[0].notices == ()
    kept.write("fixtures/repo/a.js", "let b")
    cassette = kept.root / "cassettes/golden/stub/rf-c.yaml"
    text = cassette.read_text("utf-8")
    assert text.count("changes_requested it is") >= 1
    cassette.write_text(text.replace("changes_requested it is", "rejected it is"), encoding="utf-8")
    notices = kept.golden(mode="replay").passes[0].notices
    assert "rf-c: cassettes/golden/stub/rf-c.yaml was edited by hand since it was recorded" in notices
    assert any(notice.startswith("rf-a: ") and "fixtures/repo/a.js" in notice for notice in notices)


def test_nothing_recorded(golden: GoldenProject) -> None:
    """Is a missing cassette, with or without a model's name."""
    for model in (None, "stub"):
        with pytest.raises(CassetteMissing):
            golden.golden(model, mode="replay")


def test_replay_plays_every_recorded_model(kept: GoldenProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless one is named, by option or environment."""
    assert len(kept.golden(None, mode="replay").passes) == 1
    monkeypatch.setenv("GOLDEN_SET_QA_MODEL", "other:1b")
    with pytest.raises(CassetteMissing) as caught:
        kept.golden(None, mode="replay")
    assert caught.value.why == "there is stub"
    assert caught.value.next_command == "kit golden --keep --model other:1b"


def test_each_replicate_runs_with_its_seed_and_the_suites_sampling(golden: GoldenProject) -> None:
    """Decision 21: pass n with seed n, at the suite's temperature."""
    golden.golden(keep=True, passes=2)
    folder = golden.root / "cassettes/golden/stub"
    second = (folder / "rf-b@2.yaml").read_text(encoding="utf-8")
    assert "  sampling: {temperature: 0.7, max_tokens: 300}\n  seed: 2\n" in second
    assert "    temperature: 0.7\n    seed: 2\n    max_tokens: 300\n" in second


def test_recordings_are_refused_in_ci(golden: GoldenProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision 16."""
    monkeypatch.setenv("CI", "true")
    with pytest.raises(UsageError, match="golden --keep is refused"):
        golden.golden(keep=True)


def test_recorded_passes_are_logged_once(kept: GoldenProject) -> None:
    """On demand; the scripted model's live passes are not: nothing was measured."""
    file = history_path(kept.root, "golden")
    assert not file.exists()
    assert kept.golden(mode="replay", log=True).logged == 1
    assert kept.golden(mode="replay", log=True).logged == 0
    (logged,) = read_history(file)
    assert (logged.model, logged.source, logged.hits, logged.of) == ("stub", "recorded", 2, 6)


def test_a_live_pass_of_a_real_model_is_logged(golden: GoldenProject) -> None:
    """Whether it held its floor or not."""
    from kit.models.stub import StubServer

    script = (golden.root / "fixtures/stub/golden.yaml").read_text(encoding="utf-8")
    golden.write("real/golden.yaml", script.replace("model: stub", "model: real"))
    with StubServer(golden.root / "real") as server:
        golden.write("pyproject.toml", f'[tool.kit]\nbase_url = "{server.base_url}"\n')
        outcome = golden.golden("real")
    assert outcome.logged == 1
    (logged,) = read_history(history_path(golden.root, "golden"))
    assert (logged.source, logged.hits) == ("live", 2)


def test_a_server_that_goes_away_between_passes(
    golden: GoldenProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was measured before is told and logged; the exit code is that of a server that is away."""
    from kit.models.endpoint import check_reachable

    asked: list[str] = []

    def once(endpoint: ModelEndpoint) -> ServerFacts:
        asked.append(endpoint.model)
        if len(asked) > 1:
            raise ModelUnreachable("no model server answers")
        return check_reachable(endpoint)

    monkeypatch.setattr("kit.models.endpoint.check_reachable", once)
    golden.floor(3)
    outcome = golden.golden(passes=3)
    assert len(outcome.passes) == 1
    assert outcome.exit_code == 4
    assert "stopped after 1 of the passes: no model server answers" in render_golden(outcome)


def test_the_model_under_test() -> None:
    """As told, else by the environment, else the source's default (S4-11)."""
    environ = {"GOLDEN_SET_QA_MODEL": "env:1b"}
    assert model_under_test("told:1b", environ) == "told:1b"
    assert model_under_test(None, environ) == "env:1b"
    assert model_under_test(None, {}) == "qwen2.5-coder:latest"


def seeded(golden: GoldenProject, model: str = "stub") -> str:
    """A seed command of another system: one case, with its permissions beside the worktree."""
    golden.write("away/tree/a.js", "let a")
    golden.write("away/permissions.json", '{"terminal": {"allow": ["true"]}}')
    case = {"id": "rf-seeded", "projectId": "p", "sessionId": "s", "worktreePath": "away/tree"}
    case |= {"story": "RF_1: APPROVE", "task": "judge", "expectedVerdict": "approved"}
    golden.write("seed.py", f"print({json.dumps({'model': model, 'cases': [case]})!r})")
    return f"{sys.executable} seed.py"


def test_a_seed_takes_the_place_of_the_suites_cases(golden: GoldenProject) -> None:
    """The object is in the output; the floor's total is another."""
    golden.floor(1, of=1)
    outcome = golden.golden(seed=seeded(golden))
    assert kinds(outcome) == ["hit"]
    assert outcome.exit_code == 0
    assert outcome.seed is not None
    assert json.loads(outcome.seed)["cases"][0]["projectId"] == "p"
    golden.floor(1, of=6)
    assert "is of 6, the set has 1" in golden.golden(seed=seeded(golden)).passes[0].floor.sentence


def test_a_seed_can_stand_in_the_settings(golden: GoldenProject) -> None:
    """Replay has no use for it."""
    hook = seeded(golden).replace("\\", "/")
    golden.golden(keep=True)
    golden.write("pyproject.toml", f'[tool.kit.golden]\nseed = "{hook}"\n')
    assert kinds(golden.golden()) == ["hit"]
    assert len(kinds(golden.golden(mode="replay"))) == 6


def test_a_seed_for_another_model_is_refused(golden: GoldenProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model of a run is fixed (S4-30); where none was asked for, the seed's is it: empty is none."""
    hook = seeded(golden, "other:1b")
    with pytest.raises(ConfigError, match="prepared cases for other:1b, asked was stub"):
        golden.golden(seed=hook)
    assert golden.golden(None, seed=seeded(golden)).passes[0].measured.model == "stub"
    monkeypatch.setenv("GOLDEN_SET_QA_MODEL", "")
    assert golden.golden(None, seed=seeded(golden)).passes[0].measured.model == "stub"


def test_an_empty_seed_is_not_left_out_in_silence(golden: GoldenProject) -> None:
    """`--seed "$SEED"` without the variable would measure other cases than somebody thinks."""
    with pytest.raises(ConfigError, match="the seed of the golden set is empty"):
        golden.golden(seed="")


def test_seeded_cases_are_not_kept(golden: GoldenProject) -> None:
    """Nothing in the project could replay them."""
    with pytest.raises(UsageError, match="not kept"):
        golden.golden(seed=seeded(golden), keep=True)


def test_a_golden_run_needs_its_suite(golden: GoldenProject) -> None:
    """A name that is none is told with those there are."""
    golden.write("pyproject.toml", '[tool.kit.golden]\nsuite = "gold"\n')
    with pytest.raises(UsageError, match="called `gold`"):
        golden.golden()
