"""The pytest plugin as a user has it: an installed pytest, other plugins, workers, and docs/pytest.md."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.model_server import ModelServer
from tests.fakes.tiny_project import MODEL, TinyProject

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "pytest.md").read_text(encoding="utf-8")
ASKING = f"""
import os, httpx, pytest, urllib.request

def ask(text):
    body = {{"model": "{MODEL}", "messages": [{{"role": "user", "content": text}}]}}
    answer = httpx.post(os.environ["MODEL_URL"] + "/v1/chat/completions", json=body, verify=False)
    return answer.json()["choices"][0]["message"]["content"]
"""


def run(project: TinyProject, server: ModelServer | None, *words: str) -> tuple[int, str]:
    """Runs an installed pytest in a process of its own; without a server its address leads nowhere."""
    url = "http://127.0.0.1:9" if server is None else server.url
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", "-p", "no:asyncio", *words],
        cwd=project.root,
        env={**os.environ, "MODEL_URL": url, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def block(marker: str) -> str:
    """The fenced block of the guide behind `<!-- marker -->`."""
    found = re.search(rf"<!-- {re.escape(marker)} -->\n```\w+\n(.*?)```", GUIDE, re.DOTALL)
    assert found, f"docs/pytest.md has no block {marker}"
    return found.group(1)


def same_everywhere(text: str) -> str:
    """Output without what differs between two machines: times, padding, where a line is cut off."""
    text = re.sub(r"in \d+\.\d+s(?: \([\d:]+\))?", "in N s", text)
    text = re.sub(r"(- Failed: cassettes/)\S*", r"\1", text)
    return re.sub(r"([ =_-])\1+", r"\1", text)


@pytest.mark.slow
def test_the_guides_session_runs_as_shown(served: TinyProject, model: ModelServer) -> None:
    """What a newcomer types shows what docs/pytest.md shows."""
    served.write("test_capital.py", block("file: test_capital.py"))
    parts = re.split(r"^\$ (.*)\n", block("session"), flags=re.MULTILINE)[1:]
    typed = list(zip(parts[::2], parts[1::2], strict=True))
    assert len(typed) == 3
    for command, shown in typed:
        program, *words = shlex.split(command)
        assert program == "pytest"
        _, said = run(served, model, *words)
        assert same_everywhere(said) == same_everywhere(shown), command
    assert len(model.requests) == 1


@pytest.mark.slow
def test_two_workers_record_and_replay(served: TinyProject, model: ModelServer) -> None:
    """Under pytest-xdist each test writes its own file, and the summary names them all."""
    served.write(
        "test_many.py",
        ASKING
        + """
@pytest.mark.kit_cassette
@pytest.mark.parametrize("number", range(8))
def test_it(number, tmp_path):
    assert "Paris" in ask(f"{number} {tmp_path}")
""",
    )
    code, said = run(served, model, "-q", "-n", "2", "--kit-record=all")
    assert code == 0, said
    assert said.count("recorded cassettes/tests/test_many/") == 8
    assert len(served.cassettes()) == 8
    code, said = run(served, None, "-q", "-n", "2")
    assert code == 0, said
    assert len(model.requests) == 8


@pytest.mark.slow
def test_scenarios_run_on_workers_beside_ordinary_tests(served: TinyProject, model: ModelServer) -> None:
    """`--kit` adds to what is collected, and workers agree about it."""
    served.scenario("002_italy", expected={"outcome": "success"})
    assert served.kit("record").code == 0
    served.write("tests/test_plain.py", "def test_it():\n    pass\n")
    code, said = run(served, None, "-q", "-n", "2", "--kit", "tests", "-rA")
    assert code == 0, said
    assert "3 passed" in said
    assert f"PASSED scenarios/quiz/001_france.yaml::{MODEL}" in said
    code, said = run(served, None, "-q", "tests")
    assert "1 passed" in said


@pytest.mark.slow
def test_it_lives_beside_pytest_recording(served: TinyProject, model: ModelServer) -> None:
    """One session with a test of each: both are recorded, both are replayed, each by its own."""
    served.write(
        "test_both.py",
        ASKING
        + """
@pytest.mark.kit_cassette
def test_kit():
    assert "Paris" in ask("kit")

@pytest.mark.vcr
def test_vcr():
    request = urllib.request.Request(os.environ["ASKED"], data=b"vcr", method="POST")
    assert b"Paris" in urllib.request.urlopen(request).read()
""",
    )
    served.write("conftest.py", f"import os\nos.environ['ASKED'] = '{model.url}/v1/chat/completions'\n")
    code, said = run(served, model, "-q", "--kit-record=all", "--record-mode=all")
    assert code == 0, said
    assert (served.root / "cassettes/tests/test_both/test_kit.yaml").is_file()
    assert (served.root / "cassettes/test_both/test_vcr.yaml").is_file()
    model.requests.clear()
    code, said = run(served, None, "-q")
    assert code == 0, said
    assert model.requests == []
