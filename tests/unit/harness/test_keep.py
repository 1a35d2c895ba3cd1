"""What a live run leaves behind (decision 9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.agent.protocol import ModelEndpoint
from kit.canonical import digest_file
from kit.cassette.paths import judge_path, partial_path
from kit.cassette.store import read
from kit.harness.keep import Kept, Provenance, keep_interrupted, keep_run
from kit.models.endpoint import ServerFacts
from kit.recording.journal import Journal
from kit.recording.options import SessionResult
from tests.builders import MOMENT, chat, result, run
from tests.fakes.stub_project import StubProject

ENDPOINT = ModelEndpoint("http://model.test/v1", "m:1b", temperature=0.5, seed=2, max_tokens=64)
FACTS = ServerFacts(server="llama.cpp", model_digest="sha256:abc")


@pytest.fixture
def provenance(project: StubProject) -> Provenance:
    """That of the second replicate of 001_x on m:1b."""
    project.scenario()
    cell = project.cell(model="m:1b", replicate=2)
    return Provenance(cell, project.root, ENDPOINT, FACTS, "pkg:agent", MOMENT)


@pytest.fixture
def path(provenance: Provenance) -> Path:
    """Where the run is kept."""
    return provenance.cell.cassette(provenance.root)


@pytest.mark.parametrize("verdict", ["pass", "fail"])
def test_complete_run_becomes_the_cassette(provenance: Provenance, path: Path, verdict: str) -> None:
    """A verdict `fail` is a complete recording too: it is the agent that is wrong."""
    kept = keep_run(provenance, result(verdict), run(chat()), ())
    assert kept == Kept(path, is_partial=False, is_changed=True)
    assert read(path).interactions == (chat(),)
    assert read(path).header.verdict == verdict


def test_error_goes_beside_the_intact_old_one(provenance: Provenance, path: Path) -> None:
    """A recording is never lost to a run that proves nothing."""
    keep_run(provenance, result(), run(chat()), ())
    before = path.read_bytes()
    kept = keep_run(provenance, result("error"), run(chat(answered="other")), ())
    assert kept is not None
    assert (kept.path, kept.is_partial) == (partial_path(path), True)
    assert path.read_bytes() == before
    assert read(partial_path(path)).interactions == (chat(answered="other"),)


def test_pass_behind_an_error_removes_the_partial_one(provenance: Provenance, path: Path) -> None:
    """What is superseded does not lie around."""
    keep_run(provenance, result("error"), run(chat()), ())
    assert partial_path(path).exists()
    keep_run(provenance, result(), run(chat()), ())
    assert path.exists()
    assert not partial_path(path).exists()


def test_error_without_any_interaction_keeps_nothing(provenance: Provenance, path: Path) -> None:
    """An empty file would say nothing."""
    assert keep_run(provenance, result("error"), run(), ()) is None
    assert not path.parent.exists()


def test_same_answers_are_not_a_change(provenance: Provenance, path: Path) -> None:
    """«Unchanged» means equal outside header and volatile (decision 8)."""
    keep_run(provenance, result(), run(chat()), ())
    again = keep_run(provenance, result(), run(chat(started_ms=3, ended_ms=99)), ())
    other = keep_run(provenance, result(), run(chat(answered="other")), ())
    assert again is not None
    assert other is not None
    assert (again.is_changed, other.is_changed) == (False, True)
    assert path.exists()


def test_judge_calls_lie_beside_and_go_with_the_question(provenance: Provenance, path: Path) -> None:
    """Decision 12: judges apart; where nothing was judged, no old judge's cassette stays."""
    keep_run(provenance, result(), run(chat()), (chat(asked="is it?", answered="Yes"),))
    judged = read(judge_path(path))
    assert (judged.header.kind, judged.header.model) == ("judge", "m:1b")
    assert judged.header.base_url == "http://model.test/v1"
    assert (judged.header.agent, judged.header.verdict, judged.header.inputs) == (None, None, {})
    keep_run(provenance, result(), run(chat()), ())
    assert not judge_path(path).exists()


def test_error_leaves_the_judges_cassette_alone(provenance: Provenance, path: Path) -> None:
    """It belongs to the old recording, which stays."""
    keep_run(provenance, result(), run(chat()), (chat(asked="is it?", answered="Yes"),))
    keep_run(provenance, result("error"), run(chat()), ())
    assert judge_path(path).exists()


def test_interrupted_run_is_kept_from_its_journal(provenance: Provenance, path: Path, tmp_path: Path) -> None:
    """Ctrl-C behind the first answer: what was recorded stands in the partial cassette, without verdict."""
    journal = Journal(tmp_path / "journal.jsonl")
    journal.start("001_x", "record")
    journal.interaction(chat())
    assert keep_interrupted(provenance, tmp_path / "journal.jsonl") == partial_path(path)
    kept = read(partial_path(path))
    assert kept.interactions == (chat(),)
    assert (kept.header.verdict, kept.header.cost_micro_usd) == (None, None)
    assert not path.exists()


def test_interruption_before_the_first_answer_keeps_nothing(provenance: Provenance, tmp_path: Path) -> None:
    """No journal, or an empty one: nothing was intercepted."""
    assert keep_interrupted(provenance, tmp_path / "none.jsonl") is None


def test_header_says_where_the_run_comes_from(provenance: Provenance, path: Path) -> None:
    """Decision 11: everything that may make a recording stale is in its header."""
    keep_run(provenance, result(), run(chat()), ())
    header = read(path).header
    assert (header.suite, header.scenario, header.replicate, header.seed) == ("home", "001_x", 2, 2)
    assert (header.model, header.model_digest, header.server) == ("m:1b", "sha256:abc", "llama.cpp")
    assert header.sampling == {"temperature": 0.5, "max_tokens": 64}
    assert (header.start, header.agent, header.cost_micro_usd) == ("2026-01-02T03:04:05Z", "pkg:agent", 10)


def test_header_names_scenario_and_every_fixture(project: StubProject) -> None:
    """A changed fixture changes a digest; of a folder every file counts."""
    project.write("fixtures/one.txt", "one")
    project.write("fixtures/folder/b.txt", "b")
    project.write("fixtures/folder/deep/a.txt", "a")
    setup = {
        "autonomy": "manual",
        "available_tools": ["t"],
        "fixtures": [
            {"path": "/a.txt", "content_fixture": "fixtures/one.txt"},
            {"path": "/folder", "content_fixture": "fixtures/folder"},
        ],
    }
    file = project.scenario(setup=setup)
    made = Provenance(project.cell(), project.root, ENDPOINT, FACTS, "pkg:agent", MOMENT)
    inputs = made.header(None, SessionResult()).inputs
    assert list(inputs) == [
        "scenarios/home/001_x.yaml",
        "fixtures/one.txt",
        "fixtures/folder/b.txt",
        "fixtures/folder/deep/a.txt",
    ]
    assert inputs["scenarios/home/001_x.yaml"] == digest_file(file)
