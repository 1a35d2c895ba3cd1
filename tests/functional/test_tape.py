from __future__ import annotations

import os
import queue
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.fakes.model_server import ModelServer, chat, in_turn, serving
from tests.fakes.tiny_project import Ran, TinyProject

KIT = (sys.executable, "-c", "from kit.cli.main import main; main()")
PROGRAM = """
import datetime, httpx, os, sys
url, key = os.environ["MODEL_URL"] + "/v1/chat/completions", "sk-test-12345678901234567890"
for word in sys.argv[1:]:
    question = f"{word} at {datetime.datetime.now()}"
    body = {"model": "stub", "messages": [{"role": "user", "content": question}]}
    answer = httpx.post(url, json=body, headers={"Authorization": f"Bearer {key}"}, timeout=None)
    print(answer.json()["choices"][0]["message"]["content"], flush=True)
if os.environ.get("MAIL"):
    import smtplib
    smtplib.SMTP("mail.example", 25)
"""
"""Starts sooner than a whole SDK does."""
WITH_SDK = """
import datetime, os, sys
from openai import OpenAI
client = OpenAI(base_url=os.environ["MODEL_URL"] + "/v1", api_key="sk-test-12345678901234567890")
for word in sys.argv[1:]:
    question = f"{word} at {datetime.datetime.now()}"
    answer = client.chat.completions.create(model="stub", messages=[{"role": "user", "content": question}])
    print(answer.choices[0].message.content, flush=True)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one program and no scenario."""
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model that echoes."""
    with serving() as server:
        yield server


def kit(
    project: Path, verb: str, *arguments: str, server: str = "http://127.0.0.1:9", **environment: str
) -> Ran:
    return TinyProject(project, {"MODEL_URL": server, **environment}).kit_with_program(verb, *arguments)


def program(*words: str) -> tuple[str, ...]:
    return ("--tape", "mine", "--", sys.executable, "program.py", *words)


# The SDK takes two seconds to import; in the suite tests/unit/recording/wrapper/test_parent.py has it.
@pytest.mark.parametrize(
    "text", [PROGRAM, pytest.param(WITH_SDK, marks=pytest.mark.slow)], ids=["httpx", "sdk"]
)
def test_unmodified_program_is_recorded_and_replayed_offline(
    project: Path, model: ModelServer, text: str
) -> None:
    """Recorded once against a server, the program prints the same with none, and says so."""
    (project / "program.py").write_text(text)
    recorded = kit(project, "record", *program("one", "two"), server=model.url)
    assert recorded.code == 0, recorded.err
    assert "2 live requests" in recorded.out
    replayed = kit(project, "replay", *program("one", "two"))
    assert replayed.code == 0, replayed.err
    assert "0 live requests" in replayed.out
    assert recorded.out.splitlines()[:2] == replayed.out.splitlines()[:2]
    assert len(model.requests) == 2


def test_tape_carries_no_secret_and_no_path(project: Path, model: ModelServer) -> None:
    """What would be committed names neither the key nor the machine's folders."""
    kit(project, "record", *program("one"), server=model.url)
    tape = (project / "cassettes/tapes/mine.yaml").read_text()
    assert "sk-test" not in tape
    assert str(project) not in tape


def test_changed_question_is_a_miss(project: Path, model: ModelServer) -> None:
    """The message says what differs and what to type; exit code 3; the server is not asked."""
    kit(project, "record", *program("one"), server=model.url)
    replayed = kit(project, "replay", *program("other"), server=model.url)
    assert replayed.code == 3
    assert "one" in replayed.err
    assert "other" in replayed.err
    assert "kit record --tape mine" in replayed.err
    assert len(model.requests) == 1


def test_a_changed_prompt_goes_on_and_is_no_pass(project: Path, model: ModelServer) -> None:
    """Decision 6 holds for tapes: all calls get the old answers, all changes are told once, exit code 3."""
    prompted = PROGRAM.replace(
        '"messages": [{"role"', '"messages": [{"role": "system", "content": "be brief"}, {"role"'
    )
    (project / "program.py").write_text(prompted)
    kit(project, "record", *program("one", "two"), server=model.url)
    (project / "program.py").write_text(prompted.replace("be brief", "be kind"))
    replayed = kit(project, "replay", *program("one", "two"), server=model.url)
    assert replayed.code == 3
    assert "echo two" in replayed.out
    assert "needs recording: 2 of 2 requests differ from what was recorded" in replayed.err
    assert replayed.err.count("now       be ‹kind›") == 1
    assert "next      kit record --tape mine" in replayed.err
    assert len(model.requests) == 2


def test_mail_is_not_sent_twice(project: Path, model: ModelServer) -> None:
    """The line that would send it is named, with the rule that lets it pass."""
    kit(project, "record", *program("one"), server=model.url)
    replayed = kit(project, "replay", *program("one"), MAIL="1")
    assert replayed.code == 3
    assert "program.py:11 would connect to mail.example:25" in replayed.err
    assert 'add "connect:mail.example:25" to allow' in replayed.err
    assert "Traceback" not in replayed.err


@pytest.mark.slow
def test_program_that_asks_less_leaves_recorded_calls_over(project: Path, model: ModelServer) -> None:
    """An answer that nobody asked for is no pass."""
    kit(project, "record", *program("one", "two"), server=model.url)
    replayed = kit(project, "replay", *program("one"))
    assert replayed.code == 3
    assert "never played" in replayed.err


@pytest.mark.slow
def test_failed_recording_leaves_the_good_one_alone(project: Path, model: ModelServer) -> None:
    """With no server there, or nothing intercepted, the earlier tape stays as it is."""
    kit(project, "record", *program("one"), server=model.url)
    tape = project / "cassettes/tapes/mine.yaml"
    before = tape.read_bytes()
    assert kit(project, "record", *program("one")).code != 0
    assert kit(project, "record", "--tape", "mine", "--", sys.executable, "-c", "1").code == 3
    assert kit(project, "record", "--tape", "mine", "--", sys.executable, "-S", "-c", "1").code == 2
    assert tape.read_bytes() == before


def test_interrupted_recording_goes_beside_the_good_one(project: Path, model: ModelServer) -> None:
    """Ctrl-C loses nothing: the old tape is intact and what was recorded stands beside it."""
    kit(project, "record", *program("one"), server=model.url)
    tape = project / "cassettes/tapes/mine.yaml"
    before = tape.read_bytes()
    running: queue.Queue[subprocess.Popen[str]] = queue.Queue()
    gone: list[object] = []

    def interrupt(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        running.get().send_signal(signal.SIGINT)
        # A signal that is lost fails the test, and does not keep it for ever.
        gone.extend(select.select([handler.connection], [], [], 60)[0])

    with serving(v1_chat_completions=in_turn(chat, interrupt)) as server:
        variables = {**os.environ, "MODEL_URL": server.url}
        variables.pop("CI", None)
        with subprocess.Popen(
            [*KIT, "record", *program("first", "second")],
            cwd=project,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            running.put(process)
            _, errors = process.communicate()
    assert process.returncode != 0
    assert gone, "Ctrl-C was lost"
    assert "interrupted" in errors
    assert tape.read_bytes() == before
    assert "first at" in (project / "cassettes/tapes/mine.yaml.partial").read_text()
