"""`kit record -- python …` and `kit replay -- python …`: what goes wrong, said and kept.

The programs run in processes of their own, as they must; kit itself runs in this one.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.fakes.model_server import ModelServer, completion, reply, serving
from tests.fakes.tiny_project import TinyProject, tiny_project

CHAT = "v1_chat_completions"
TAPE = "tapes/ask.yaml"
ASK = """
import json, os, sys, urllib.request
body = {"model": "stub", "messages": [{"role": "user", "content": sys.argv[1]}]}
url, kind = os.environ["MODEL_URL"] + "/v1/chat/completions", {"Content-Type": "application/json"}
asked = urllib.request.Request(url, json.dumps(body).encode(), kind)
print(json.load(urllib.request.urlopen(asked, timeout=20))["choices"][0]["message"]["content"])
"""
"""Starts sooner than one on httpx."""
ON_HTTPX = """
import os, sys, httpx
body = {"model": "stub", "messages": [{"role": "user", "content": sys.argv[1]}]}
with httpx.Client(verify=False, trust_env=False, timeout=20) as client:
    answer = client.post(os.environ["MODEL_URL"] + "/v1/chat/completions", json=body)
print(answer.json()["choices"][0]["message"]["content"])
"""
COMMAND = ("--", "python", "ask.py", "Paris?")


PATHS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The script's cassette, recorded once for all tests."""
    with serving(**{CHAT: reply(body=completion("It is Paris."))}) as server:
        project = tiny_project(tmp_path_factory.mktemp("tape"), server.url)
        project.environ.update(MODEL_URL=server.url, PATH=PATHS)
        project.write("ask.py", ASK)
        recorded = project.kit("record", *COMMAND)
    assert recorded.code == 0
    assert "1 model call, 0 tool calls | cost $0.000000 | 1 live request\n" in recorded.out
    assert f"cassette cassettes/{TAPE}" in recorded.out
    return (project.root / "cassettes" / TAPE).read_bytes()


@pytest.fixture
def taped(served: TinyProject, model: ModelServer, tape: bytes) -> TinyProject:
    """A project with a script that was recorded."""
    model.answers[CHAT] = reply(body=completion("It is Paris."))
    served.environ.update(MODEL_URL=model.url, PATH=PATHS)
    served.write("ask.py", ASK)
    served.write(f"cassettes/{TAPE}", tape)
    return served


def test_a_script_on_httpx_replays_without_a_server(taped: TinyProject, model: ModelServer) -> None:
    """The conversation, the cost and no live request; another server address changes nothing."""
    taped.write("ask.py", ON_HTTPX)
    assert taped.kit("record", *COMMAND).code == 0
    heard = len(model.requests)
    taped.environ["MODEL_URL"] = "http://127.0.0.1:9"
    replayed = taped.kit("replay", *COMMAND)
    assert replayed.code == 0
    for text in ("--- ask, replayed", "Paris?", "It is Paris.", "0 live requests"):
        assert text in replayed.out
    assert len(model.requests) == heard


def test_the_same_answers_again_are_told_as_such(taped: TinyProject) -> None:
    """As for scenarios."""
    again = taped.kit("record", *COMMAND)
    assert again.code == 0
    assert f"cassette cassettes/{TAPE} (the same answers as before)" in again.out


def test_replay_before_record(taped: TinyProject) -> None:
    """What to type stands there whole."""
    early = taped.kit("replay", "--tape", "other", *COMMAND)
    assert early.code == 3
    assert "cassettes/tapes/other.yaml: nothing was recorded yet" in early.err
    assert "next: kit record --tape other -- python ask.py 'Paris?'" in early.err
    assert list(taped.cassettes()) == [TAPE]


def test_an_error_whose_body_nobody_reads_replaces_no_tape(taped: TinyProject, model: ModelServer) -> None:
    """`urllib` raises at the status: the server failed all the same, whatever the program made of it."""
    before = taped.cassettes()
    model.answers[CHAT] = reply(500, b"boom")
    failed = taped.kit("record", *COMMAND)
    assert failed.code == 4
    assert "the model server failed the run: interaction 1 ended with http 500" in failed.err
    after = taped.cassettes()
    assert after.pop(f"{TAPE}.partial")
    assert after == before


@pytest.mark.parametrize("verb", ["record", "replay"])
@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--tape", "../up", *COMMAND), "'../up' is no name of a tape: letters, digits, `_`, `-` and `.`"),
        (("001_france", *COMMAND), "scenarios and a program behind `--` exclude each other"),
        (("--only", "happy_path", *COMMAND), "scenarios and a program behind `--` exclude each other"),
        (("--",), "no program stands behind `--`"),
    ],
)
def test_words_that_make_no_sense_together(
    taped: TinyProject, verb: str, words: tuple[str, ...], text: str
) -> None:
    """Exit code 2, and nothing runs."""
    before = taped.cassettes()
    refused = taped.kit(verb, *words)
    assert refused.code == 2
    assert text in refused.err
    assert taped.cassettes() == before


def test_a_program_that_is_not_there(taped: TinyProject) -> None:
    """Named; nothing is kept."""
    refused = taped.kit("record", "--", "no-such-program")
    assert refused.code == 2
    assert "there is no program 'no-such-program'" in refused.err


def test_a_side_effect_is_stopped_with_file_and_line(taped: TinyProject) -> None:
    """The program would run another again: stopped, exit code 3, the cassette as it was."""
    taped.write("ask.py", f"{ASK}import subprocess\nsubprocess.run(['true'])\n")
    assert taped.kit("record", *COMMAND).code == 0
    before = taped.cassettes()
    stopped = taped.kit("replay", *COMMAND)
    assert stopped.code == 3
    line = ASK.count("\n") + 2
    assert f"ask.py:{line} would run `true`: a side effect is not repeated in replay" in stopped.err
    assert 'add "run:true" to allow in [tool.kit.replay]' in stopped.err
    assert taped.cassettes() == before


def test_a_program_that_got_worse(taped: TinyProject) -> None:
    """It ended well when it was recorded, and fails now: exit code 1."""
    taped.write("ask.py", f"{ASK}raise SystemExit('no luck')\n")
    worse = taped.kit("replay", *COMMAND)
    assert worse.code == 1
    assert "the program exited with 1; when it was recorded it ended well" in worse.err


def test_a_program_that_failed_when_it_was_recorded(taped: TinyProject) -> None:
    """Recorded as it failed, and said each time; that it fails still is no news."""
    taped.write("ask.py", f"{ASK}raise SystemExit('no luck')\n")
    recorded = taped.kit("record", *COMMAND)
    assert recorded.code == 0
    assert "the program itself exited 1" in recorded.out
    replayed = taped.kit("replay", *COMMAND)
    assert replayed.code == 0
    assert "the program itself exited 1" in replayed.out


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (
            reply(500, b'{"error": "boom"}'),
            "the model server failed the run: interaction 1 ended with http 500: boom",
        ),
        (
            reply(body=completion("Paris", model="other:7b")),
            "the model `other:7b` answered interaction 1, asked",
        ),
    ],
)
def test_a_failing_server_replaces_no_tape(
    taped: TinyProject, model: ModelServer, answer: object, text: str
) -> None:
    """Exit code 4; the failed run stands beside the good tape until one ends well."""
    taped.write("ask.py", ON_HTTPX)
    before = taped.cassettes()
    model.answers[CHAT] = answer  # type: ignore[assignment]
    failed = taped.kit("record", *COMMAND)
    assert failed.code == 4
    assert text in failed.err
    assert f"kept as cassettes/{TAPE}.partial; an earlier recording stays as it was" in failed.out
    after = taped.cassettes()
    assert after.pop(f"{TAPE}.partial")
    assert after == before
    model.answers[CHAT] = reply(body=completion("It is Paris."))
    assert taped.kit("record", *COMMAND).code == 0
    assert taped.cassettes().keys() == before.keys()


def test_a_program_that_asks_no_model(taped: TinyProject) -> None:
    """Nothing was intercepted: no pass, and the good tape stays."""
    before = taped.cassettes()
    taped.write("ask.py", "print('Paris')\n")
    recorded = taped.kit("record", *COMMAND)
    assert recorded.code == 3
    assert "nothing was intercepted: kit saw no call to a model" in recorded.err
    replayed = taped.kit("replay", *COMMAND)
    assert replayed.code == 3
    assert "recorded but never played: interaction 1" in replayed.err
    assert "next: kit record -- python ask.py 'Paris?'" in replayed.err
    assert taped.cassettes() == before


def test_results_for_a_program(taped: TinyProject) -> None:
    """The same bytes each time, without a path of this machine."""
    first, second = taped.kit("replay", "--json", *COMMAND), taped.kit("replay", "--json", *COMMAND)
    assert first.code == 0
    assert first.out == second.out
    assert f'"path": "cassettes/{TAPE}"' in first.out
    assert str(taped.root) not in first.out
