"""A judge has a cassette and a staleness of its own (decision 12)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fakes.tiny_project import TinyProject

JUDGED = "quiz/stub/001_france.judge.yaml"
RUBRIC = "Does the answer name the capital? Yes/No"


def expected(rubric: str) -> dict[str, Any]:
    critic = {"prompt": rubric, "threshold": "Yes"}
    return {"outcome": "success", "final_response": {"contains_any": ["Paris"], "llm_critic": critic}}


@pytest.fixture
def judged(tiny: TinyProject) -> TinyProject:
    """A project whose stub judge says yes to what names Paris, with one scenario recorded."""
    rules = [
        {"name": "yes", "when": {"user": {"contains": "is Paris"}}, "answer": {"text": "Yes\nIt names it."}},
        {"name": "no", "when": {"user": {"contains": "answer"}}, "answer": {"text": "No\nIt does not."}},
    ]
    tiny.write("fixtures/stub/judge.yaml", json.dumps({"model": "stub-judge", "rules": rules}))
    tiny.write("pyproject.toml", '[tool.kit]\njudge = "stub-judge"\n')
    tiny.scenario(expected=expected(RUBRIC))
    assert tiny.kit("record", "--model", "stub").code == 0
    return tiny


def test_the_judge_is_recorded_beside_the_run(judged: TinyProject) -> None:
    """Its own file; both replay without a server."""
    assert sorted(judged.cassettes()) == [JUDGED, "quiz/stub/001_france.yaml"]
    assert b"Does the answer name" not in judged.cassettes()["quiz/stub/001_france.yaml"]
    replayed = judged.kit("replay")
    assert replayed.code == 0
    assert "success_rate  1/1" in replayed.out


def test_a_changed_rubric_stales_the_judge_alone(judged: TinyProject) -> None:
    """The message says so: the agent's own recording still holds."""
    before = judged.cassettes()
    judged.scenario(expected=expected("Is the answer polite? Yes/No"))
    stale = judged.kit("replay")
    assert stale.code == 3
    assert "final_response.llm_critic could not be judged: rubric, answer or judge changed" in stale.out
    assert "the agent's own recording still holds" in stale.out
    assert "MISS  quiz/001_france on stub (judge), step 1" in stale.out
    assert "never played" not in stale.out
    assert judged.cassettes() == before


def test_a_judge_that_says_no_fails_the_scenario(judged: TinyProject) -> None:
    """Recorded as it is, with its reason."""
    judged.changed_agent("return ask(turn.endpoint, messages)", "return ask(turn.endpoint, messages)[6:]")
    recorded = judged.kit("record", "--model", "stub")
    assert recorded.code == 0
    assert "final_response.llm_critic" in recorded.out
    assert "It does not." in recorded.out


def test_a_lost_judgement_is_an_error_of_the_cassette(judged: TinyProject) -> None:
    """Named by its file, with the command that records it."""
    (judged.root / "cassettes" / JUDGED).unlink()
    lost = judged.kit("replay")
    assert lost.code == 3
    assert f"cassettes/{JUDGED}: nothing was recorded yet" in lost.out
    assert "next: kit record --judge-only --model stub 001_france" in lost.out


@pytest.mark.parametrize("words", [("replay",), ("record", "--model", "stub")])
def test_nobody_judges_himself(judged: TinyProject, words: tuple[str, ...]) -> None:
    """A judge equal to the model under test is a mistake in the settings, found before anything runs."""
    before = judged.cassettes()
    judged.write("pyproject.toml", '[tool.kit]\njudge = "stub"\n')
    refused = judged.kit(*words)
    assert refused.code == 2
    assert "[tool.kit]: model stub would judge its own answers" in refused.err
    assert "next: set judge or tiers in [tool.kit], or KIT_JUDGE" in refused.err
    assert judged.cassettes() == before


def test_without_a_judge_nothing_is_judged(judged: TinyProject) -> None:
    """No judge configured: exit code 2 and where to name one."""
    judged.write("pyproject.toml", "[tool.kit]\n")
    refused = judged.kit("replay")
    assert refused.code == 2
    assert "no model is configured to judge answers (tier frontier)" in refused.err
    assert 'add `frontier = "…"` to [tool.kit.tiers]' in refused.err


def test_a_judge_that_is_away_stops_the_recording_before_it_begins(judged: TinyProject) -> None:
    """The model answers, its judge does not: nothing is asked, nothing kept."""
    before = judged.cassettes()
    settings = (
        '[tool.kit]\njudge = "far:1b"\n[tool.kit.models."far:1b"]\nbase_url = "http://127.0.0.1:9/v1"\n'
    )
    judged.write("pyproject.toml", settings)
    refused = judged.kit("record", "--model", "stub")
    assert refused.code == 4
    assert "no model server answers at http://127.0.0.1:9/v1" in refused.err
    assert "ollama pull far:1b" in refused.err
    assert judged.cassettes() == before
