"""Leaving a recording at some call, faults derived from it, samples by their number: the real commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kit.cassette.store import read
from tests.fakes.model_server import ModelServer
from tests.fakes.tiny_project import MODEL, Ran, TinyProject

TURNS = [
    {"user": "What is the capital of France?"},
    {"user": "And once more: France?"},
    {"user": "And a last time: France?"},
]


def stage(project: TinyProject) -> Path:
    """Three turns, recorded; returns the cassette."""
    project.scenario(conversation=TURNS)
    assert project.kit("record", "--model", MODEL).code == 0
    return project.cassette(model=MODEL)


def asked(server: ModelServer) -> list[str]:
    """The last message of each request that reached the server."""
    return [json.loads(body)["messages"][-1]["content"] for path, body in server.requests if body]


def verdict(ran: Ran) -> tuple[int, Any]:
    """Exit code, and the one verdict of a report."""
    ((one,),) = ([*each["scenarios"]] for each in json.loads(ran.out))
    return ran.code, one["verdict"]


def test_until_a_call_served_then_live(served: TinyProject, model: ModelServer) -> None:
    """Only what comes after the call reaches the model; the old cassette stays, the new one replays alone."""
    source = stage(served)
    before = source.read_bytes()
    model.requests.clear()
    ran = served.kit("replay", "001", "--model", MODEL, "--until", "2", "--then", "live", "--json")
    assert verdict(ran) == (0, "pass"), ran.said
    assert asked(model) == [TURNS[2]["user"]]
    assert source.read_bytes() == before
    kept = source.with_name("001_france.fork-2.yaml")
    cassette = read(kept)
    assert [one.number for one in cassette.interactions] == [1, 2, 3]
    assert [one.request for one in cassette.interactions] == [
        one.request for one in read(source).interactions
    ]
    assert cassette.header.fork == {"of": source.relative_to(served.root).as_posix(), "until": 2}
    assert cassette.header.start == read(source).header.start
    model.requests.clear()
    assert verdict(served.kit("replay", "001.fork-2", "--json")) == (0, "pass")
    assert model.requests == []


def test_a_plain_replay_does_not_play_forks(served: TinyProject, model: ModelServer) -> None:
    """What somebody tried is no part of the suite."""
    stage(served)
    fork = ("replay", "001", "--model", MODEL, "--until", "1", "--then", "live", "--as", "tried")
    assert served.kit(*fork).code == 0
    ran = served.kit("replay")
    assert "001_france" in ran.out
    assert "tried" not in ran.out


def test_a_beginning_that_the_agent_no_longer_takes_is_an_error(
    served: TinyProject, model: ModelServer
) -> None:
    """A changed prompt never goes live in the part that is to be served."""
    stage(served)
    served.changed_agent("short sentence", "long sentence")
    model.requests.clear()
    ran = served.kit("replay", "001", "--model", MODEL, "--until", "2", "--then", "live")
    assert ran.code == 3, ran.said
    assert asked(model) == []
    assert not served.cassette(model=MODEL).with_name("001_france.fork-2.yaml").exists()


@pytest.mark.parametrize(
    ("fault", "code", "outcome"), [("2:status=503", 0, "failure"), ("2:delay_ms=5000", 0, "success")]
)
def test_a_fault_at_a_recorded_call(
    served: TinyProject, model: ModelServer, fault: str, code: int, outcome: str
) -> None:
    """Derived from the recording, without a change of the scenario and without the model."""
    stage(served)
    model.requests.clear()
    ran = served.kit("replay", "001", "--model", MODEL, "--fault", fault, "--json")
    ((one,),) = ([*each["scenarios"]] for each in json.loads(ran.out))
    assert (ran.code, one["outcome"]) == (code, outcome), ran.said
    assert one["variant"].startswith("fault-2-")
    assert model.requests == []


def test_a_fault_and_what_comes_after_it_live(served: TinyProject, model: ModelServer) -> None:
    """The fork keeps its fault: it replays with it, from its own cassette."""
    served.agent(
        "\ndef agent(turn):\n"
        "    messages = [{'role': 'user', 'content': turn.message}]\n"
        "    try:\n"
        "        return ask(turn.endpoint, messages)\n"
        "    except httpx.HTTPError:\n"
        "        return ask(turn.endpoint, [{'role': 'user', 'content': 'Try again: France?'}])\n"
    )
    stage(served)
    model.requests.clear()
    fork = ("replay", "001", "--model", MODEL, "--fault", "2:status=500", "--then", "live")
    ran = served.kit(*fork)
    assert ran.code == 0, ran.said
    assert asked(model) == ["Try again: France?", TURNS[2]["user"]]
    model.requests.clear()
    again = served.kit("replay", "001.fork-1-2-status-500", "--json")
    ((one,),) = ([*each["scenarios"]] for each in json.loads(again.out))
    assert (one["outcome"], one["model_calls"]) == ("error_handled", 3), again.said
    assert model.requests == []


def test_a_fork_is_made_anew_by_the_command_that_kit_tells(served: TinyProject, model: ModelServer) -> None:
    """`kit record` would make a plain run of it, so it refuses; replay says the same where it is stale."""
    source = stage(served)
    fault = ("--until", "1", "--then", "live", "--fault", "3:delay_ms=5000", "--as", "slow")
    assert served.kit("replay", "001", "--model", MODEL, *fault).code == 0
    fork = source.with_name("001_france.slow.yaml")
    before = served.cassettes()
    header = read(fork).header
    words = f"kit replay 001_france --model {MODEL} {' '.join(fault[:4])} {' '.join(fault[4:])}"
    model.requests.clear()
    for narrowed in ((), ("--stale",), ("--failed",), ("--missing",)):
        ran = served.kit("record", "001.slow", "--model", MODEL, *narrowed)
        assert ran.code == 2, ran.said
        assert f"next: {words}\n" in ran.said
    ran = served.kit("run", "001.slow", "--mode", "live", "--model", MODEL)
    assert (ran.code, model.requests, served.cassettes()) == (2, [], before), ran.said
    served.scenario(conversation=TURNS, description="Another")
    stale = served.kit("replay", "001.slow")
    assert (stale.code, f"next: {words}\n" in stale.said) == (0, True), stale.said
    assert served.kit(*words.split()[1:]).code == 0
    assert read(fork).header.fork == header.fork
    assert "stale" not in served.kit("replay", "001.slow").said


def test_a_fork_that_nobody_made_is_not_recorded_either(served: TinyProject, model: ModelServer) -> None:
    """The command that makes it stands there, and none that records the plain run."""
    stage(served)
    ran = served.kit("replay", "001.nope")
    assert ran.code == 3
    assert f"next: kit replay 001_france --model {MODEL} --until STEP --then live --as nope\n" in ran.said


def test_samples_are_addressed_by_their_number(served: TinyProject, model: ModelServer) -> None:
    """`--repeat` keeps each; `@n` plays or records one of them, and a missing one says how to get it."""
    assert served.kit("record", "--model", MODEL, "--repeat", "3").code == 0
    names = [name.rpartition("/")[2] for name in served.cassettes()]
    assert names == ["001_france.yaml", "001_france@2.yaml", "001_france@3.yaml"]
    ran = served.kit("replay", "001@2", "--json")
    ((one,),) = ([*each["scenarios"]] for each in json.loads(ran.out))
    assert (one["replicate"], one["verdict"]) == (2, "pass")
    before = served.cassettes()
    assert served.kit("record", "001@4", "--model", MODEL).code == 0
    assert sorted(served.cassettes().keys() - before.keys()) == ["quiz/tiny-1b/001_france@4.yaml"]
    gone = served.kit("replay", "001@9", "--model", MODEL)
    assert gone.code == 3
    assert f"kit record 001_france@9 --model {MODEL}" in gone.said


@pytest.mark.parametrize(
    "words",
    [
        ("--until", "2"),
        ("--then", "live"),
        ("--until", "99", "--then", "live"),
        ("--fault", "2:teapot"),
        ("--fault", "nonsense"),
        ("--until", "2", "--then", "later"),
    ],
)
def test_wrong_words_run_nothing(served: TinyProject, model: ModelServer, words: tuple[str, ...]) -> None:
    """Exit code 2, no request, no file."""
    stage(served)
    before = served.cassettes()
    model.requests.clear()
    ran = served.kit("replay", "001", "--model", MODEL, *words)
    assert (ran.code, model.requests, served.cassettes()) == (2, [], before), ran.said


def test_forks_are_not_made_in_ci(
    served: TinyProject, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fork is a recording (decision 16)."""
    stage(served)
    monkeypatch.setenv("CI", "true")
    ran = served.kit("replay", "001", "--model", MODEL, "--until", "1", "--then", "live")
    assert ran.code == 2, ran.said
