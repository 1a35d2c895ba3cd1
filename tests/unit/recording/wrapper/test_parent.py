from __future__ import annotations

import os
import signal
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from kit.cassette.interaction import HttpRequest, HttpResponse
from kit.errors import EnvironmentFault, UsageError
from kit.recording.guard.allow import parse_allow
from tests.fakes.model_server import ModelServer, chat, in_turn, serving
from tests.fakes.wrapped_program import Stage

OPENAI = """
import datetime, os, random, tempfile, uuid
from openai import OpenAI
client = OpenAI(base_url=os.environ["MODEL_URL"] + "/v1", api_key="sk-test-12345678901234567890")
for question in ("what time is it", "roll a dice"):
    prompt = f"{question} {datetime.datetime.now()} {random.random()} {uuid.uuid4()} " + os.getcwd()
    prompt += str({"a", "b", "c", "d"}) + tempfile.gettempdir()
    answer = client.chat.completions.create(model="stub", messages=[{"role": "user", "content": prompt}])
    print(answer.choices[0].message.content.replace(tempfile.gettempdir(), "temporary folder"))
"""


@pytest.mark.slow
def test_unmodified_sdk_program_replays_without_its_model(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A program on the openai SDK prints the same, byte for byte, with the server gone."""
    command = stage.script(OPENAI)
    with serving() as server:
        monkeypatch.setenv("MODEL_URL", server.url)
        recorded = stage.record(*command)
        assert len(server.requests) == 2
    first = capfd.readouterr().out
    replayed = stage.replay(recorded, *command)
    assert capfd.readouterr().out == first
    assert (recorded.unproven, replayed.unproven) == (None, None)
    assert (recorded.session.live_requests, replayed.session.live_requests) == (2, 0)
    assert (recorded.returncode, replayed.returncode) == (0, 0)
    assert [one.number for one in replayed.session.interactions] == [1, 2]
    assert replayed.session.leftovers == ()
    assert replayed.session.misses == replayed.session.side_effects == ()


def test_recording_carries_no_path_and_no_key_of_this_machine(stage: Stage, model: ModelServer) -> None:
    """Working directory and temporary folder are aliases in what is recorded, secrets are masks."""
    recorded = stage.record(*stage.script("ask(os.getcwd() + ' sk-proj-abcdefghijklmnopqrstuvwx1234')"))
    (only,) = recorded.session.interactions
    assert isinstance(only.request, HttpRequest)
    assert isinstance(only.response, HttpResponse)
    assert b"/kit-workspace" in only.request.body
    for kept in (only.request.body, only.response.body):
        assert str(stage.folder).encode() not in kept
        assert b"sk-proj-" not in kept


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ("import smtplib; smtplib.SMTP('mail.example', 25)", "connect to mail.example:25"),
        ("open('/kit-no/report.txt', 'w')", "write /kit-no/report.txt"),
        ("import subprocess; subprocess.run(['sendmail', '-t'])", "run `sendmail -t`"),
        ("os.remove('kept.txt')", "delete "),
    ],
)
def test_side_effect_is_stopped_in_replay_with_its_line(
    stage: Stage, model: ModelServer, capfd: pytest.CaptureFixture[str], effect: str, told: str
) -> None:
    """The program ends with exit code 3, and the message names its own file and line, without a traceback."""
    (stage.folder / "kept.txt").write_text("x")
    command = stage.script(f"print(ask('hi'))\nif 'GO' in os.environ:\n    {effect}\n")
    recorded = stage.record(*command)
    os.environ["GO"] = "1"
    try:
        replayed = stage.replay(recorded, *command)
    finally:
        del os.environ["GO"]
    shown = capfd.readouterr().err
    assert replayed.returncode == 3
    assert replayed.session.side_effects[0].startswith(f"program.py:9 would {told}")
    assert "program.py:9 would" in shown
    assert "Traceback" not in shown
    assert (stage.folder / "kept.txt").exists()


def test_declared_side_effect_happens_again(stage: Stage, model: ModelServer) -> None:
    """What the user allows is not stopped."""
    command = stage.script("ask('hi')\nimport subprocess\nsubprocess.run(['true', 'x'], check=True)\n")
    replayed = stage.replay(stage.record(*command), *command, allow=parse_allow(["run:true"]))
    assert (replayed.returncode, replayed.session.side_effects) == (0, ())


def test_whoever_swallows_everything_is_found_out(stage: Stage, model: ModelServer) -> None:
    """A bare except hides a miss and a side effect from nobody."""
    command = stage.script(
        "for task in (lambda: ask(os.environ.get('WORD', 'hi')), lambda: open('/kit-no/x', 'w')):\n"
        "    try:\n        task()\n    except:\n        pass\n"
    )
    recorded = stage.record(*command)
    os.environ["WORD"] = "hello"
    try:
        replayed = stage.replay(recorded, *command)
    finally:
        del os.environ["WORD"]
    assert replayed.returncode == 0
    assert len(replayed.session.misses) == len(replayed.session.side_effects) == 1
    assert [one.number for one in replayed.session.leftovers] == [1]


def test_uncaught_miss_is_a_message_and_exit_code_3(
    stage: Stage, model: ModelServer, capfd: pytest.CaptureFixture[str]
) -> None:
    """A request that was never recorded ends the program with one line; the explanation is in the result."""
    recorded = stage.record(*stage.script("ask('hi')"))
    capfd.readouterr()
    replayed = stage.replay(recorded, *stage.script("ask('hello')"))
    assert replayed.returncode == 3
    shown = capfd.readouterr().err
    assert shown == f"kit: {replayed.session.misses[0].splitlines()[0]}\n"


def test_interrupted_recording_keeps_what_it_had(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C in the middle of the second answer reaches the program; the first exchange is whole."""
    monkeypatch.setattr("kit.recording.wrapper.process._terminal_tells_both", lambda: False)

    def interrupt(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        handler.rfile.read(1)

    with serving(v1_chat_completions=in_turn(chat, interrupt)) as server:
        monkeypatch.setenv("MODEL_URL", server.url)
        recorded = stage.record(
            *stage.script("for word in ('one', 'two'):\n    print(ask(word), flush=True)")
        )
    assert recorded.returncode == -signal.SIGINT
    assert recorded.interrupted
    assert str(recorded.unproven).startswith("the run was interrupted")
    assert "KeyboardInterrupt" in capfd.readouterr().err
    first = recorded.session.interactions[0]
    assert isinstance(first.response, HttpResponse)
    assert first.response.status == 200
    assert first.response.failure is None


def test_killed_program_leaves_what_it_recorded_but_proves_nothing(stage: Stage, model: ModelServer) -> None:
    """Without an end mark the run is no proof, and the reason is said."""
    command = stage.script("ask('hi')\nimport signal\nos.kill(os.getpid(), signal.SIGKILL)")
    recorded = stage.record(*command)
    assert len(recorded.session.interactions) == 1
    assert not recorded.ended
    assert recorded.unproven is not None
    assert "was ended by SIGKILL before Python could finish" in recorded.unproven


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ((sys.executable, "-c", "print(1)"), "next: ask through a client that kit records, which are httpx"),
        ((sys.executable, "-c", "1/0"), "with 1)\n  next: mend the program, which failed before"),
        (("true",), "no Python process began that kit could enter (`true` exited with 0)"),
        (("sh", "-c", f"{sys.executable} -S -c 1"), "no Python process began that kit could enter"),
        ((sys.executable, "-c", "import os; os._exit(5)"), "exited with 5 before Python could finish"),
    ],
)
def test_nothing_intercepted_is_said_with_the_reason(
    stage: Stage, command: tuple[str, ...], why: str
) -> None:
    """A run that recorded nothing never looks like one that did."""
    recorded = stage.record(*command)
    assert recorded.unproven is not None
    assert why in recorded.unproven


def test_calls_that_are_none_of_a_model_are_counted_with_the_way_out(
    stage: Stage, model: ModelServer
) -> None:
    """A model with an API of its own is plain HTTP, until the project names its address."""
    assert model.url
    asking = "import httpx; httpx.post(os.environ['MODEL_URL'] + '/own/generate', json={'text': 'hi'})"
    command = stage.script(asking)
    unproven = str(stage.record(*command).unproven)
    assert unproven.startswith("kit saw 1 other call and none to a model (")
    assert "name its address as base_url in [tool.kit]" in unproven


def test_recording_without_any_answer_proves_nothing(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no server there, the failed calls are no recording to replace a good one by."""
    with serving() as server:
        monkeypatch.setenv("MODEL_URL", server.url)
    recorded = stage.record(*stage.script("ask('hi')"))
    assert str(recorded.unproven).startswith("no model answered: ConnectError")


@pytest.mark.parametrize("option", ["-S", "-I", "-E"])
def test_option_that_keeps_kit_out_is_refused_beforehand(stage: Stage, option: str) -> None:
    """A replay that kit cannot enter would go live, so it does not even start."""
    with pytest.raises(UsageError, match=f"nothing would be intercepted: with `{option}`"):
        stage.record(stage.python, option, "-c", "raise SystemExit(9)")


def test_missing_program_is_a_usage_error(stage: Stage) -> None:
    """No program, no run; for `python` the interpreter of kit is proposed."""
    with pytest.raises(UsageError, match="there is no program 'kit-no-such'"):
        stage.record("kit-no-such")
    (stage.folder / "program.py").write_text("")
    with pytest.raises(UsageError, match="cannot be executed") as caught:
        stage.record(str(stage.folder / "program.py"))
    assert f"kit record -- {sys.executable}" in str(caught.value)


def test_script_with_a_python_first_line_runs(stage: Stage, model: ModelServer) -> None:
    """`kit record -- ./script.py` needs no interpreter on the command line."""
    stage.script("print(ask('hi'))")
    script = stage.folder / "tool"
    script.write_text(f"#!{stage.python}\nimport program\n")
    script.chmod(0o755)
    assert len(stage.record(str(script)).session.interactions) == 1


def test_python_that_kit_cannot_enter_is_an_environment_fault(stage: Stage, tmp_path: Path) -> None:
    """A `sitecustomize` that fails must not let the program run on."""
    blocker = tmp_path / "blocker"
    (blocker / "kit").mkdir(parents=True)
    (blocker / "kit" / "__init__.py").write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(blocker))
        with pytest.raises(EnvironmentFault, match="another package named `kit` in the way"):
            stage.record(stage.python, "-c", "print('ran')")


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_python_children_are_recorded_and_replayed_too(
    stage: Stage, model: ModelServer, capfd: pytest.CaptureFixture[str], method: str
) -> None:
    """Workers of a pool write to the same recording, and are guarded like their parent."""
    command = stage.script(
        "import multiprocessing\n"
        "if __name__ == '__main__':\n"
        f"    with multiprocessing.get_context('{method}').Pool(2) as pool:\n"
        "        print(pool.map(ask, ['a', 'b', 'c']))\n"
        "    print(ask('d'))\n"
    )
    recorded = stage.record(*command)
    first = capfd.readouterr().out
    assert len(recorded.session.interactions) == recorded.session.live_requests == 4
    model.requests.clear()
    replayed = stage.replay(recorded, *command)
    assert capfd.readouterr().out == first
    assert len(replayed.session.interactions) == 4
    assert (replayed.unproven, replayed.session.misses, model.requests) == (None, (), [])


def test_program_that_becomes_another_python_is_followed(stage: Stage, model: ModelServer) -> None:
    """After `os.exec` the same process goes on recording."""
    stage.script("print(ask('hi'))", "second.py")
    command = stage.script("import sys\nos.execv(sys.executable, [sys.executable, 'second.py'])")
    recorded = stage.record(*command)
    assert (recorded.ended, recorded.unproven, len(recorded.session.interactions)) == (True, None, 1)
