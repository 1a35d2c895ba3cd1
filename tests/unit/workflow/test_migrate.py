"""Migrating recordings after a deliberate edit."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
import time_machine

from kit.cassette.interaction import HttpRequest
from kit.cassette.store import read
from tests.fakes.model_server import ModelServer, completion, reply, serving
from tests.fakes.tiny_project import AGENT, MODEL, TinyProject, tiny_project

CHAT = "v1_chat_completions"
EDIT = ("one short sentence", "one very short sentence")
PERSISTENT = """
def agent(turn):
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": turn.message}]
    try:
        return ask(turn.endpoint, messages)
    except httpx.HTTPError:
        messages[-1]["content"] = "Try again: France?"
        return ask(turn.endpoint, messages)
"""


@pytest.fixture
def model() -> object:
    """A scripted server that answers as `MODEL`."""
    with serving(**{CHAT: reply(body=completion("It is Paris.", model=MODEL))}) as server:
        yield server


@pytest.fixture
def project(tmp_path: Path, model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> TinyProject:
    """Two scenarios, recorded with the prompt before the edit."""
    monkeypatch.delenv("CI", raising=False)
    made = tiny_project(tmp_path, model.url)
    made.scenario("002_france")
    assert made.kit("record", "--model", MODEL).code == 0
    model.requests.clear()
    return made


def test_an_edited_prompt_is_shown_once_and_nothing_is_written(
    project: TinyProject, model: ModelServer
) -> None:
    """In bulk: the place, both texts, how many recordings; `--yes` is another step."""
    project.changed_agent(*EDIT)
    before = project.cassettes()
    ran = project.kit("cassette", "migrate")
    assert ran.code == 0, ran.said
    assert ran.out.count("messages[0].content") == 1
    assert "(in 2 recordings)" in ran.out
    assert "very short" in ran.out
    assert "2/2 recordings can be migrated" in ran.out
    assert f"or record anew: kit record quiz --stale --model {MODEL}\n" in ran.out
    assert project.cassettes() == before
    assert model.requests == []


def test_a_migrated_recording_replays_says_so_and_keeps_its_answers(
    project: TinyProject, model: ModelServer
) -> None:
    """New requests, old answers, a mark in the header, a warning at the gate; no model is asked."""
    project.changed_agent(*EDIT)
    assert project.kit("replay").code == 3
    old = read(project.cassette(model=MODEL))
    assert project.kit("cassette", "migrate", "--yes").code == 0
    new = read(project.cassette(model=MODEL))
    assert [one.response for one in new.interactions] == [one.response for one in old.interactions]
    asked = new.interactions[0].request
    assert isinstance(asked, HttpRequest)
    assert b"very short" in asked.body
    assert new.header.migrated["changed"] == ["system prompt"]
    assert (new.header.recorded, new.header.start) == (old.header.recorded, old.header.start)
    ran = project.kit("replay")
    assert ran.code == 0, ran.said
    assert "migrated: its answers were given to other requests" in ran.said
    assert "stale" in ran.said
    assert model.requests == []


def test_a_fork_is_migrated_with_its_fault(project: TinyProject, model: ModelServer) -> None:
    """What went wrong in it goes wrong again; without, today's agent would never ask the second time."""
    project.agent(PERSISTENT)
    assert project.kit("record", "001", "--model", MODEL).code == 0
    fork = ("replay", "001", "--model", MODEL, "--fault", "1:status=500", "--then", "live", "--as", "tried")
    assert project.kit(*fork).code == 0
    model.requests.clear()
    project.write("tiny_agent.py", AGENT.replace(*EDIT) + PERSISTENT)
    ran = project.kit("cassette", "migrate", "001.tried", "--yes")
    assert ran.code == 0, ran.said
    new = read(project.cassette(model=MODEL).with_name("001_france.tried.yaml"))
    assert new.header.migrated["changed"] == ["system prompt"]
    assert new.header.fork["faults"] == [{"on": "model", "nth": 1, "status": 500}]
    assert project.kit("replay", "001.tried").code == 0
    assert model.requests == []


def test_a_second_migration_is_no_new_loan(project: TinyProject) -> None:
    """What expires does not live on by being migrated again."""
    project.changed_agent(*EDIT)
    project.kit("cassette", "migrate", "--yes")
    first = read(project.cassette(model=MODEL)).header.migrated
    project.changed_agent(EDIT[0], "one long sentence")
    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(days=9)):
        assert project.kit("cassette", "migrate", "--yes").code == 0
    assert read(project.cassette(model=MODEL)).header.migrated == first


def test_a_migrated_recording_expires(project: TinyProject) -> None:
    """From the day after its last it proves nothing, and the command that mends it is named."""
    project.changed_agent(*EDIT)
    project.kit("cassette", "migrate", "--yes")
    path = project.cassette(model=MODEL)
    until = read(path).header.migrated["expires"]
    path.write_text(path.read_text("utf-8").replace(until, "2026-01-02"), "utf-8")
    ran = project.kit("replay", "001")
    assert ran.code == 3
    assert "this recording was migrated on" in ran.said
    assert f"kit record --model {MODEL} 001_france" in ran.said


def test_what_belongs_to_the_conversation_is_refused(project: TinyProject) -> None:
    """Another question got another answer: only a new recording mends it, and the others still migrate."""
    project.changed_agent(*EDIT)
    project.scenario("002_france", conversation=[{"user": "What is the biggest city of France?"}])
    before = project.cassettes()
    ran = project.kit("cassette", "migrate", "--yes")
    assert ran.code == 3
    assert "cannot be migrated: cassettes/quiz/tiny-1b/002_france.yaml" in ran.out
    assert "migrated 1/2 recordings" in ran.out
    changed = [name for name, content in project.cassettes().items() if before[name] != content]
    assert changed == ["quiz/tiny-1b/001_france.yaml"]


def test_nothing_changed_is_nothing_to_migrate(project: TinyProject) -> None:
    """And says so with its count."""
    ran = project.kit("cassette", "migrate", "--yes")
    assert (ran.code, "nothing to migrate: 2/2" in ran.out) == (0, True)


def test_what_was_never_recorded_is_none_of_the_recordings(project: TinyProject) -> None:
    """A scenario that waits for its recording is no refusal: what there is can be migrated."""
    project.changed_agent(*EDIT)
    project.scenario("003_france")
    ran = project.kit("cassette", "migrate", "--yes")
    assert ran.code == 0, ran.said
    assert "migrated 2/2 recordings" in ran.out
    assert "003_france" not in ran.said


def test_an_edited_file_is_not_migrated(project: TinyProject) -> None:
    """What somebody wrote into it was never answered."""
    path = project.cassette(model=MODEL)
    path.write_text(path.read_text("utf-8").replace("It is Paris.", "It is Rome."), "utf-8")
    project.changed_agent(*EDIT)
    ran = project.kit("cassette", "migrate", "001", "--yes")
    assert (ran.code, "edited by hand" in ran.out) == (3, True)


def test_ci_writes_nothing(project: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cassettes change where a person looks (decision 16); looking is free."""
    project.changed_agent(*EDIT)
    monkeypatch.setenv("CI", "true")
    assert project.kit("cassette", "migrate").code == 0
    refused = project.kit("cassette", "migrate", "--yes")
    assert (refused.code, "kit cassette migrate --yes is refused" in refused.err) == (2, True)
