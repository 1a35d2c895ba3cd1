"""The judge of a run, live and from its own cassette (decision 12)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.agent.protocol import ModelEndpoint
from kit.cassette.interaction import Interaction
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.errors import ConfigError, Miss, ModelUnreachable
from kit.harness.judging import RecordedJudge
from kit.oracle.critic import JudgeQuestion
from kit.redaction.redactor import Redactor
from tests.fakes.model_server import ModelServer, after, completion, reply, serving

QUESTION = JudgeQuestion("Is it? Yes/No", "frontier", "Is it?", "it is", "Yes")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A judge that says yes."""
    with serving(v1_chat_completions=reply(body=completion("Yes\nit is."))) as running:
        yield running


class Bench:
    """Makes judges and remembers for which tiers an address was asked."""

    def __init__(self, folder: Path, base_url: str) -> None:
        self.folder = folder
        self.endpoint = ModelEndpoint(base_url, "judge:7b", timeout_s=5.0)
        self.tiers: list[str] = []

    def live(self) -> RecordedJudge:
        """A judge that is asked."""
        return RecordedJudge("001_x", self._endpoint, self.folder / "live.jsonl", Redactor(), None, "")

    def replayed(self, recorded: tuple[Interaction, ...]) -> RecordedJudge:
        """A judge whose answers were recorded."""

        def playlist() -> Playlist:
            return Playlist(recorded, Keyer(Redactor()))

        journal = self.folder / "replayed.jsonl"
        return RecordedJudge("001_x", self._endpoint, journal, Redactor(), playlist, "kit record 001_x")

    def _endpoint(self, tier: str) -> ModelEndpoint:
        self.tiers.append(tier)
        return self.endpoint


@pytest.fixture
def bench(tmp_path: Path, server: ModelServer) -> Bench:
    """Judges at the server."""
    return Bench(tmp_path, f"{server.url}/v1")


def test_nothing_happens_before_the_first_question(bench: Bench) -> None:
    """Most scenarios ask no judge: then none has to be configured, and no session and no file begins."""
    with bench.live() as judge:
        pass
    assert bench.tiers == []
    assert list(bench.folder.iterdir()) == []
    assert (judge.interactions, judge.leftovers) == ((), ())


def test_live_answer_is_recorded_and_replays_offline(bench: Bench, server: ModelServer) -> None:
    """The judge's word comes from its model once, and from the recording for ever."""
    with bench.live() as judge:
        answer = judge(QUESTION)
    assert (answer.text, answer.model, answer.failure) == ("Yes\nit is.", "judge:7b", None)
    assert bench.tiers == ["frontier"]
    assert [one.lane for one in judge.interactions] == ["model"]
    with bench.replayed(judge.interactions) as again:
        assert again(QUESTION) == answer
    assert again.leftovers == ()
    assert len(server.requests) == 1


def test_question_that_was_never_judged_is_a_miss(bench: Bench, server: ModelServer) -> None:
    """Another answer or rubric makes another prompt; the old word is never served for it (exit code 3)."""
    with bench.live() as judge:
        judge(QUESTION)
    other = JudgeQuestion("Is it red? Yes/No", "frontier", "Is it red?", "it is", "Yes")
    with bench.replayed(judge.interactions) as again, pytest.raises(Miss, match="kit record 001_x"):
        again(other)
    assert again.leftovers == judge.interactions
    assert len(server.requests) == 1


def test_unreachable_judge(tmp_path: Path, free_port: int) -> None:
    """Nothing answers: an error of the environment (exit code 4), not a word of the judge."""
    bench = Bench(tmp_path, f"http://127.0.0.1:{free_port}/v1")
    with bench.live() as judge, pytest.raises(ModelUnreachable) as away:
        judge(QUESTION)
    assert away.value.exit_code == 4


def test_slow_judge_gave_no_answer(tmp_path: Path) -> None:
    """A time-out is told as an answer's failure, so that the condition does not hold and the run goes on."""
    with serving(v1_chat_completions=after(0.5, reply(body=completion("Yes")))) as server:
        bench = Bench(tmp_path, f"{server.url}/v1")
        bench.endpoint = ModelEndpoint(bench.endpoint.base_url, "judge:7b", timeout_s=0.1)
        with bench.live() as judge:
            answer = judge(QUESTION)
    assert answer.text == ""
    assert answer.failure is not None
    assert answer.failure.startswith("TimeoutError: judge:7b")


def test_wrong_configuration_asks_nobody(bench: Bench, server: ModelServer) -> None:
    """A judge that would judge itself is refused before a session begins."""

    def refuse(tier: str) -> ModelEndpoint:
        raise ConfigError("model m would judge its own answers")

    judge = RecordedJudge("001_x", refuse, bench.folder / "j.jsonl", Redactor(), None, "")
    with judge, pytest.raises(ConfigError):
        judge(QUESTION)
    assert server.requests == []
    assert list(bench.folder.iterdir()) == []
