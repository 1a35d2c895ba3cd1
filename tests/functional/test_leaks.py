"""The twelve leaks: ways in which other recorders let a replay reach a server. None does here, each is named.

The programs run as a user runs them; the server is real, in this process, and counts what reaches it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.model_server import ModelServer, serving
from tests.fakes.tiny_project import AGENT, Ran, TinyProject, tiny_project

ASK = """
import os, sys, json, urllib.request, asyncio, threading, contextlib
URL = os.environ["MODEL_URL"]
BODY = {"model": "stub", "messages": [{"role": "user", "content": "hi"}]}
KIND = {"Content-Type": "application/json"}
ASKED = urllib.request.Request(URL + "/v1/chat/completions", json.dumps(BODY).encode(), KIND)
print(json.load(urllib.request.urlopen(ASKED, timeout=20))["model"])
if "record" in os.environ["PART"]:
    sys.exit()
"""
"""Every program asks the model once, which is recorded; what leaks comes after that, in replay only."""


@dataclass
class Doors:
    """A raw TCP server: whoever connects, is counted."""

    port: int
    hits: list[str] = field(default_factory=list)


@contextmanager
def open_door() -> Iterator[Doors]:
    """Accepts connections and closes them."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        doors = Doors(server.getsockname()[1])

        def accept() -> None:
            while True:
                try:
                    conn, peer = server.accept()
                except OSError:
                    return
                doors.hits.append(str(peer))
                conn.close()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield doors
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model that echoes."""
    with serving() as server:
        yield server


@pytest.fixture
def doors() -> Iterator[Doors]:
    """A server that no recording knows of."""
    with open_door() as doors:
        yield doors


@dataclass
class Leak:
    """A program that was recorded, and is replayed with its leak."""

    folder: Path
    model: ModelServer
    doors: Doors

    def kit(self, verb: str, part: str) -> Ran:
        """Runs the program under kit, in a process of its own."""
        environ = {"MODEL_URL": self.model.url, "DOOR": str(self.doors.port), "PART": part}
        project = TinyProject(self.folder, environ)
        return project.kit_with_program(verb, "--tape", "mine", "--", sys.executable, "program.py")

    def stopped(self, program: str) -> str:
        """What is said of the leak: no byte reaches a server, and the exit code is 3 (decision 14)."""
        (self.folder / "program.py").write_text(ASK + program)
        hits = len(self.model.requests)
        done = self.kit("replay", "leak")
        assert done.code == 3, done.said
        assert len(self.model.requests) == hits
        assert self.doors.hits == []
        assert "a bug in kit" not in done.err
        return done.said


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What all the programs ask when they are recorded, recorded once."""
    folder = tmp_path_factory.mktemp("tape")
    (folder / "pyproject.toml").write_text("[tool.kit]\n")
    (folder / "program.py").write_text(ASK)
    with serving() as server:
        done = Leak(folder, server, Doors(9)).kit("record", "record")
    assert done.code == 0, done.said
    return (folder / "cassettes/tapes/mine.yaml").read_bytes()


@pytest.fixture
def leak(tmp_path: Path, model: ModelServer, doors: Doors, tape: bytes) -> Leak:
    """A project in which the harmless part is recorded."""
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    (tmp_path / "cassettes/tapes").mkdir(parents=True)
    (tmp_path / "cassettes/tapes/mine.yaml").write_bytes(tape)
    return Leak(tmp_path, model, doors)


def line_of(leak: Leak, marked: str) -> str:
    """`program.py:N` of the line that holds the text."""
    lines = (leak.folder / "program.py").read_text().splitlines()
    return f"program.py:{next(number for number, line in enumerate(lines, 1) if marked in line)}"


def test_1_plain_threads_with_requests(leak: Leak) -> None:
    """Eight threads with twenty requests that were never recorded."""
    said = leak.stopped("""
import requests
def work(number):
    for turn in range(20):
        with contextlib.suppress(BaseException):
            requests.post(URL + f"/x/{number}/{turn}", json=BODY, timeout=5)
threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
""")
    assert line_of(leak, "requests.post") in said
    assert "POST /x/0/0" in said
    assert "next      kit record --tape mine" in said


def test_2_an_executor_with_two_cassettes_open(tmp_path: Path, model: ModelServer) -> None:
    """A worker that belongs to neither of two open replays is refused, and says where it was made."""
    (tmp_path / "program.py").write_text("""
import sys, os, threading, httpx, queue
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tests.fakes.runs import replaying
from kit.recording.session import start
jobs, told = queue.Queue(), []
def worker():
    try:
        httpx.get(jobs.get() + "/x")
    except BaseException as error:
        told.append(str(error))
pool = ThreadPoolExecutor(1)
thread = threading.Thread(target=worker)
thread.start()
with start(replaying(Path("."), ())) as first, start(replaying(Path("."), ())) as second:
    jobs.put(os.environ["MODEL_URL"])
    thread.join()
    try:
        pool.submit(httpx.get, os.environ["MODEL_URL"] + "/y").result()
    except BaseException as error:
        told.append(str(error))
print(*told, *first.result.escapes, *second.result.escapes, *second.result.misses, sep="\\n")
""")
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env={**os.environ, "MODEL_URL": model.url, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert model.requests == []
    assert done.stdout.count("belongs to none of the 2 runs in force: its thread 'Thread-1 (worker)'") == 3
    assert "was made before any of the runs began" in done.stdout
    assert "GET /y" in done.stdout


@pytest.mark.slow
def test_3_a_task_that_outlives_its_run(tmp_path: Path, model: ModelServer) -> None:
    """A scenario's agent leaves a thread behind; what it asks after the run is stopped: exit code 3."""
    project = tiny_project(tmp_path)
    late = """
import threading, os
def late(gate=threading.Event()):
    threading.main_thread().join(0.5)
    httpx.get(os.environ["LATE_URL"] + "/late")
"""
    leaving = AGENT.replace(
        "    messages = [{",
        "    if 'LATE_URL' in os.environ: threading.Thread(target=late).start()\n    messages = [{",
        1,
    )
    (project.root / "tiny_agent.py").write_text(late + leaving)
    recorded = project.installed_kit("record", "--model", "stub")
    assert recorded.code == 0, recorded.said
    project.environ["LATE_URL"] = model.url
    replayed = project.installed_kit("replay")
    assert model.requests == []
    assert replayed.code == 3, replayed.said
    assert "tiny_agent.py:" in replayed.said
    assert "outlived its run" in replayed.said


UNMARKED = """
import os, httpx, pytest
URL = os.environ["MODEL_URL"] + "/v1/chat/completions"
def ask(text):
    return httpx.post(URL, json={"model": "stub", "messages": [{"role": "user", "content": text}]}).json()
@pytest.mark.kit_cassette
def test_marked():
    assert ask(os.environ.get("QUESTION", "hi"))
"""


def pytest_in(folder: Path, model: ModelServer, *words: str, **environ: str) -> tuple[int, str]:
    """An installed pytest."""
    environment = {**os.environ, "MODEL_URL": model.url, **environ}
    environment.pop("CI", None)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio", "-p", "no:randomly", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_4_a_test_without_marker(tmp_path: Path, model: ModelServer) -> None:
    """Beside a recorded test it may not reach the network; the message says how to record or to allow it."""
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    (tmp_path / "test_it.py").write_text(UNMARKED)
    assert pytest_in(tmp_path, model, "--kit-record=missing")[0] == 0
    (tmp_path / "test_it.py").write_text(UNMARKED + "def test_forgotten():\n    assert ask('more')\n")
    hits = len(model.requests)
    code, said = pytest_in(tmp_path, model)
    assert code == 1
    assert len(model.requests) == hits
    assert "test_it.py:5 would connect to 127.0.0.1" in said
    assert "record it, with @pytest.mark.kit_cassette" in said
    assert pytest_in(tmp_path, model, "--kit-unmarked=free")[0] == 0


@pytest.mark.parametrize("kind", ["asyncio", "threading", "aiohttp"])
def test_5_a_websocket(kind: str, leak: Leak) -> None:
    """Through `websockets`, asynchronous and in threads, and through aiohttp."""
    opening = {
        "asyncio": (
            "import websockets\nasync def main():\n    await websockets.connect(WS)\nasyncio.run(main())"
        ),
        "threading": "import websockets.sync.client\nwebsockets.sync.client.connect(WS)",
        "aiohttp": (
            "import aiohttp\nasync def main():\n    async with aiohttp.ClientSession() as client:\n"
            "        await client.ws_connect(WS)\nasyncio.run(main())"
        ),
    }
    said = leak.stopped(f"WS = 'ws://127.0.0.1:' + os.environ['DOOR']\n{opening[kind]}\n")
    assert f"{line_of(leak, 'connect(WS)')} would connect to 127.0.0.1:{leak.doors.port}" in said
    assert f'add "connect:127.0.0.1:{leak.doors.port}" to allow' in said


def test_6_grpc(leak: Leak) -> None:
    """Its sockets are made in C, where no hook sees them; its calls are seen."""
    pytest.importorskip("grpc", reason="grpcio is with the clients: make test-clients")
    said = leak.stopped("""
import grpc
channel = grpc.insecure_channel("127.0.0.1:" + os.environ["DOOR"])
channel.unary_unary("/pkg.Service/Method")(b"x", timeout=5)
""")
    assert f"{line_of(leak, 'unary_unary')} would connect to 127.0.0.1:{leak.doors.port} over gRPC" in said


def test_7_an_unknown_client(leak: Leak) -> None:
    """A socket of its own."""
    said = leak.stopped("""
import socket
sock = socket.socket()
sock.connect(("127.0.0.1", int(os.environ["DOOR"])))
""")
    assert f"{line_of(leak, 'sock.connect')} would connect to 127.0.0.1:{leak.doors.port}" in said


def test_8_a_host_on_no_list(leak: Leak) -> None:
    """There is no list of hosts that pass: another host is a miss, and its name is not even looked up."""
    said = leak.stopped("""
import socket, requests
socket.getaddrinfo = lambda *asked, **more: print("LOOKED UP", asked)
requests.get("http://telemetry.invalid/collect", timeout=5)
""")
    assert "LOOKED UP" not in said
    assert "GET /collect" in said
    assert f"{line_of(leak, 'telemetry')}, to telemetry.invalid" in said
    assert "next      kit record --tape mine" in said


@pytest.mark.parametrize("child", ["python", "curl"])
def test_9_a_subprocess(child: str, leak: Leak) -> None:
    """A Python child is guarded like its parent; another program is stopped."""
    if child == "curl":
        said = leak.stopped("""
import subprocess
subprocess.run(["curl", "-s", URL + "/x"])
""")
        assert f"{line_of(leak, 'subprocess.run')} would run `curl -s" in said
        assert 'add "run:curl -s" to allow' in said
        return
    (leak.folder / "child.py").write_text(
        "import os, urllib.request\nurllib.request.urlopen(os.environ['MODEL_URL'] + '/from-the-child')\n"
    )
    said = leak.stopped("""
import subprocess
subprocess.run([sys.executable, "child.py"])
""")
    assert "GET /from-the-child" in said
    assert "child.py:2, to 127.0.0.1" in said


def test_10_localhost(leak: Leak) -> None:
    """Loopback is not free: a local model server lives there."""
    said = leak.stopped("""
import socket
socket.create_connection(("localhost", int(os.environ["DOOR"])))
""")
    assert f"{line_of(leak, 'localhost')} would connect to" in said
    assert str(leak.doors.port) in said


@pytest.mark.slow
def test_11_a_miss_where_missing_recordings_are_made(tmp_path: Path, model: ModelServer) -> None:
    """What is missing is a cassette, never a request: a miss inside of one is an error and not sent."""
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    (tmp_path / "test_it.py").write_text(UNMARKED)
    assert pytest_in(tmp_path, model, "--kit-record=missing")[0] == 0
    hits = len(model.requests)
    kept = (tmp_path / "cassettes/tests/test_it/test_marked.yaml").read_bytes()
    code, said = pytest_in(tmp_path, model, "--kit-record=missing", QUESTION="something else")
    assert code == 1
    assert len(model.requests) == hits
    assert "test_it.py:5" in said
    assert "pytest --kit-record=all test_it.py::test_marked" in said
    assert (tmp_path / "cassettes/tests/test_it/test_marked.yaml").read_bytes() == kept


def test_12_an_sdk_that_swallows_the_error(leak: Leak) -> None:
    """Retries and a bare `except` do not hide that it was never recorded."""
    said = leak.stopped("""
from openai import OpenAI
client = OpenAI(base_url=URL + "/v1", api_key="sk-test", max_retries=3)
try:
    client.chat.completions.create(model="stub", messages=[{"role": "user", "content": "another"}])
except:
    print("fine")
""")
    assert "fine" in said
    assert line_of(leak, "completions.create") in said
    assert "next      kit record --tape mine" in said


def test_in_record_an_escape_is_an_error(leak: Leak, tape: bytes) -> None:
    """What came over it is in no cassette, so the recording proves nothing (decision 7)."""
    program = """
import socket
socket.create_connection(("127.0.0.1", int(os.environ["DOOR"]))).close()
"""
    (leak.folder / "program.py").write_text(ASK + program)
    done = leak.kit("record", "leak")
    assert done.code == 3, done.said
    assert f"{line_of(leak, 'create_connection')} connected to 127.0.0.1:{leak.doors.port}" in done.err
    assert (leak.folder / "cassettes/tapes/mine.yaml").read_bytes() == tape
