"""Ctrl-C and CI: what is kept of an interrupted recording, and who may record at all."""

from __future__ import annotations

import os
import signal
import subprocess
import threading

import pytest

from tests.fakes.model_server import ModelServer, completion, held, in_turn, reply
from tests.fakes.tiny_project import KIT, MODEL, TinyProject

CHAT = "v1_chat_completions"


def says(text: str) -> bytes:
    return completion(text, model=MODEL)


def test_ctrl_c_loses_nothing(served: TinyProject, model: ModelServer) -> None:
    """The finished scenario is recorded, the interrupted one stands beside its old recording; code 130.

    A process of its own, for a signal goes to one.
    """
    served.scenario("002_italy", conversation=[{"user": "Italy's capital?"}, {"user": "Is that sure?"}])
    model.answers[CHAT] = in_turn(*(reply(body=says(text)) for text in ("Paris.", "Rome.", "Rome, yes.")))
    assert served.kit("record").code == 0
    old = served.cassettes()

    gate, reached = threading.Event(), threading.Event()
    model.answers[CHAT] = in_turn(
        reply(body=says("Paris!")), reply(body=says("Rome!")), held(gate, reached, reply(body=says("never")))
    )
    with subprocess.Popen(
        [str(KIT), "record"],
        cwd=served.root,
        env=dict(os.environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert reached.wait(30)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=20)
    gate.set()

    assert run.returncode == 130
    assert err == "kit: interrupted\n"
    assert "recorded cassettes/quiz/tiny-1b/001_france.yaml" in out
    assert (
        "kept cassettes/quiz/tiny-1b/002_italy.yaml.partial: the run was interrupted, "
        "an earlier recording stays as it was" in out
    )
    new = served.cassettes()
    assert b"Paris!" in new["quiz/tiny-1b/001_france.yaml"]
    assert new["quiz/tiny-1b/002_italy.yaml"] == old["quiz/tiny-1b/002_italy.yaml"]
    partial = new["quiz/tiny-1b/002_italy.yaml.partial"]
    assert b"Rome!" in partial
    assert b"never" not in partial
    assert served.kit("replay").code == 0
    shown = served.kit("show", "cassettes/quiz/tiny-1b/002_italy.yaml.partial")
    assert shown.code == 0
    assert "Rome!" in shown.out


def test_ctrl_c_ends_a_replay_too(tiny: TinyProject) -> None:
    """The same line and the same code, whatever the command."""
    assert tiny.kit("record", "--model", "stub").code == 0
    tiny.agent(
        "\nimport os, signal\nusual = agent\n"
        "def agent(turn):\n    os.kill(os.getpid(), signal.SIGINT)\n    return usual(turn)\n"
    )
    ran = tiny.installed_kit("replay")
    assert (ran.code, ran.err) == (130, "kit: interrupted\n")


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        (("record", "--model", "stub"), "record"),
        (("accept", "--reason", "fine"), "accept"),
        (("record", "--", "python", "agent.py"), "record"),
        (("replay", "001_france", "--until", "1", "--then", "live"), "replay --then live"),
        (("run", "--mode", "live", "--keep", "--model", "stub"), "run --mode live --keep"),
        (("cassette", "import", "old.yaml", "--out", "cassettes/tapes/old.yaml"), "cassette import"),
        (("cassette", "migrate", "--yes"), "cassette migrate --yes"),
        (("cassette", "prune", "--yes"), "cassette prune --yes"),
    ],
)
def test_ci_changes_nothing_that_was_accepted(tiny: TinyProject, words: tuple[str, ...], verb: str) -> None:
    """Refused with exit code 2 where CI is set, before anything runs; the message names both ways on."""
    assert tiny.kit("record", "--model", "stub").code == 0
    before = tiny.cassettes()
    tiny.environ["CI"] = "true"
    refused = tiny.kit(*words)
    assert refused.code == 2
    assert f"kit {verb} is refused where CI is set" in refused.err
    assert "record_in_ci = true in [tool.kit]" in refused.err
    assert tiny.cassettes() == before
    assert not (tiny.root / "baselines").exists()
    assert tiny.kit("replay").code == 0


def test_ci_may_record_where_the_project_says_so(tiny: TinyProject) -> None:
    """And `CI=false` is no CI."""
    tiny.environ["CI"] = "false"
    assert tiny.kit("record", "--model", "stub").code == 0
    tiny.environ["CI"] = "1"
    tiny.write("pyproject.toml", "[tool.kit]\nrecord_in_ci = true\n")
    assert tiny.kit("record", "--model", "stub").code == 0
    assert tiny.kit("accept", "--reason", "fine").code == 0
