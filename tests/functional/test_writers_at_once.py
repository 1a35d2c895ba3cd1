"""Processes and threads that write one file at once: one after the other, and none lost in silence."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kit.cassette.store import home_of, read, write
from tests.fakes.cassettes import tool_run
from tests.fakes.tiny_project import KIT, TinyProject

WRITER = """
import sys, threading
from pathlib import Path
from kit.cassette.store import seen, write
from tests.fakes.cassettes import tool_run

path, first = Path(sys.argv[1]), int(sys.argv[2])
began = seen(path)
print("ready", flush=True)
sys.stdin.readline()
runs = [tool_run(f"call_{first + number}", salt=first + number) for number in range(3)]
threads = [threading.Thread(target=write, args=(path, run, began)) for run in runs]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_three_processes_of_three_threads(tmp_path: Path) -> None:
    """A reader sees a whole recording each time; all nine are there in the end, one of them in its place."""
    path = tmp_path / "cassettes" / "home" / "stub" / "001.yaml"
    write(path, tool_run("call_0", salt=99))
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(first)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for first in (10, 20, 30)
    ]
    expected = [tool_run(f"call_{first + n}", salt=first + n) for first in (10, 20, 30) for n in range(3)]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    is_over, seen = threading.Event(), []

    def look() -> None:
        while not is_over.is_set():
            seen.append(read(path))

    reader = threading.Thread(target=look)
    reader.start()
    for writer in writers:
        writer.communicate("go\n", timeout=120)
    is_over.set()
    reader.join()
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert seen
    assert all(one in [*expected, tool_run("call_0", salt=99)] for one in seen)
    kept = [read(path), *map(read, (home_of(path) / "displaced").iterdir())]
    assert len(kept) == 9
    assert all(one in kept for one in expected)


def test_two_kits_record_one_scenario_at_once(tiny: TinyProject) -> None:
    """Both say what they did; the file holds one of the two, whole, and replays."""
    kits = [
        subprocess.Popen([str(KIT), "record", "--model", "stub"], cwd=tiny.root, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [kit.communicate(timeout=120)[0].decode() for kit in kits]
    assert [kit.returncode for kit in kits] == [0, 0]
    assert all("recorded cassettes/quiz/stub/001_france.yaml" in text for text in said)
    assert tiny.kit("replay").code == 0
    assert tiny.kit("cassette", "recover").out.startswith("nothing was left")


TESTS = """
import httpx, os, pytest

def ask(text):
    body = {"model": "tiny:1b", "messages": [{"role": "user", "content": text}]}
    with httpx.Client(trust_env=False, timeout=30) as client:
        assert client.post(os.environ["MODEL_URL"] + "/v1/chat/completions", json=body).status_code == 200

@pytest.mark.kit_cassette("same")
def test_one():
    ask("one?")

@pytest.mark.kit_cassette("same")
def test_two():
    ask("two?")
"""


@pytest.mark.slow  # in one process: tests/unit/pytest_plugin/test_tape.py
def test_two_workers_of_xdist_with_one_cassette(served: TinyProject, model: object) -> None:
    """The second recording of a name is an error that names it, whether they met or came in turn."""
    served.write("tests/test_same.py", TESTS)
    url = model.url  # type: ignore[attr-defined]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:randomly", "--kit-record=all", "tests"],
        cwd=served.root,
        env={**os.environ, "MODEL_URL": url},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert done.returncode == 1, done.stdout
    told = ("this is the recording of another test", "another kit recorded it meanwhile")
    assert any(text in done.stdout for text in told), done.stdout
    (kept,) = (served.root / "cassettes").rglob("*.yaml")
    assert len(read(kept).interactions) == 1
