"""What a replay serves, and when it goes on although something changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from kit.errors import Miss
from kit.recording.journal import read_journal
from kit.recording.options import SessionResult
from tests.fakes.model_server import serving
from tests.fakes.runs import recording, replaying, run

URL = "http://model.test/v1/chat/completions"


def talk(url: str, system: str, *said: str, **parameters: Any) -> list[str]:
    """An agent that sends the conversation so far with each question."""
    messages = [{"role": "system", "content": system}]
    heard = []
    for text in said:
        messages.append({"role": "user", "content": text})
        answer = httpx.post(url, json={"model": "stub", "messages": messages, **parameters})
        heard.append(answer.json()["choices"][0]["message"]["content"])
        messages.append({"role": "assistant", "content": heard[-1]})
    return heard


@pytest.fixture
def recorded(tmp_path: Path) -> SessionResult:
    """Three questions to one model."""
    with serving() as server:
        url = f"{server.url}/v1/chat/completions"
        return run(recording(tmp_path), lambda: talk(url, "be brief", "a", "b", "c"))[1]


def test_a_changed_prompt_goes_on_to_the_end(tmp_path: Path, recorded: SessionResult) -> None:
    """Every request gets the recorded answer of its place, and every one is told, in the journal too."""
    options = replaying(tmp_path, recorded.interactions, is_conditional=True)
    heard, result = run(options, lambda: talk(URL, "be kind", "a", "b", "c"))
    assert heard == ["echo a", "echo b", "echo c"]
    assert [one.interaction for one in result.divergences] == [1, 2, 3]
    assert {one.changes for one in result.divergences} == {("system prompt",)}
    assert (result.misses, result.leftovers) == ((), ())
    assert [item.number for item in result.interactions] == [1, 2, 3]
    assert read_journal(options.journal).result.divergences == result.divergences


def test_it_stops_where_the_conversation_changed(tmp_path: Path, recorded: SessionResult) -> None:
    """What was said is another thing than how it was asked: the second request is a miss as always."""
    options = replaying(tmp_path, recorded.interactions, is_conditional=True)

    def program() -> None:
        with pytest.raises(Miss):
            talk(URL, "be kind", "a", "x")

    _, result = run(options, program)
    assert [one.interaction for one in result.divergences] == [1]
    assert len(result.misses) == 1
    assert [item.number for item in result.leftovers] == [2, 3]


def test_nobody_gets_it_without_asking(tmp_path: Path, recorded: SessionResult) -> None:
    """A judge's rubric, and whoever does not look at divergences, must not be answered on a condition."""

    def program() -> None:
        with pytest.raises(Miss):
            talk(URL, "be kind", "a")

    _, result = run(replaying(tmp_path, recorded.interactions), program)
    assert result.divergences == ()


def test_an_exact_match_comes_first(tmp_path: Path, recorded: SessionResult) -> None:
    """Only what changed is a divergence."""
    options = replaying(tmp_path, recorded.interactions, is_conditional=True)
    heard, result = run(options, lambda: talk(URL, "be brief", "a", "b", "c"))
    assert heard == ["echo a", "echo b", "echo c"]
    assert result.divergences == ()


def test_one_answer_is_given_once(tmp_path: Path, recorded: SessionResult) -> None:
    """A request that was asked once too often is a miss, however it changed."""
    options = replaying(tmp_path, recorded.interactions, is_conditional=True)

    def program() -> None:
        talk(URL, "be brief", "a")
        with pytest.raises(Miss):
            talk(URL, "be kind", "a")

    _, result = run(options, program)
    assert result.divergences == ()
    assert len(result.misses) == 1
