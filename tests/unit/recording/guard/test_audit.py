from __future__ import annotations

import concurrent.futures
import contextlib
import os
import shutil
import smtplib
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, cast

import pytest

from kit.errors import SideEffect
from kit.recording import context
from kit.recording.guard.allow import Allow, parse_allow
from kit.recording.guard.audit import Watch, guarded
from kit.recording.guard.passing import inside_stub


class Heard:
    """A session that only listens."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def report(self, kind: Literal["side_effects", "escapes", "reads", "writes"], text: str) -> None:
        """Keeps what the guard tells."""
        self.told.append((kind, text))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with one older file, and a temporary folder of its own beside it."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "old.txt").write_text("old")
    (tmp_path / "temp").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    return folder


@contextlib.contextmanager
def watching(
    mode: Literal["record", "replay"], allow: Allow | None = None, workspace: Path | None = None
) -> Iterator[Heard]:
    heard = Heard()
    with guarded(Watch(mode, heard, allow or Allow(), current=context.current, workspace=workspace)):
        token = context.enter(cast("Any", heard))
        try:
            yield heard
        finally:
            context.leave(cast("Any", heard), token)


def connect() -> None:
    with socket.socket() as sock:
        sock.connect(("127.0.0.1", 9))


def send() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        sock.sendto(b"", ("127.0.0.1", 9))


FORBIDDEN: dict[str, tuple[Callable[[], object], str]] = {
    "write": (lambda: Path("/kit-no/x").write_text("x"), "write /kit-no/x"),
    "append": (lambda: os.open("/kit-no/x", os.O_APPEND | os.O_WRONLY), "write /kit-no/x"),
    "delete": (lambda: Path("old.txt").unlink(), "delete "),
    "rename": (lambda: Path("old.txt").rename("new.txt"), "rename "),
    "move": (lambda: shutil.move("old.txt", "new.txt"), "rename "),
    "mkdir": (lambda: Path("/kit-no").mkdir(), "make the folder /kit-no"),
    "link": (lambda: Path("/kit-no").symlink_to("/etc"), "make the link /kit-no"),
    "chmod": (lambda: Path("/etc").chmod(0o755), "change /etc"),
    "truncate": (lambda: os.truncate("/etc/passwd", 10**6), "change /etc/passwd"),
    "database": (lambda: sqlite3.connect("/kit-no/x.db"), "open the database /kit-no/x.db"),
    "run": (lambda: subprocess.run(["sendmail", "-t"], check=False), "run `sendmail -t`"),
    "system": (lambda: os.system("sendmail -t"), "run `sendmail -t`"),  # noqa: S605 - is stopped
    "spawn": (lambda: os.posix_spawn("/bin/true", ["true"], {}), "run `true`"),
    "mail": (lambda: smtplib.SMTP("mail.example", 25), "connect to mail.example:25"),
    "connect": (connect, "connect to 127.0.0.1:9"),
    "datagram": (send, "connect to 127.0.0.1:9"),
    "kill": (lambda: os.kill(os.getppid(), 15), "send SIGTERM"),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_side_effect_is_stopped_and_named(name: str, project: Path) -> None:
    """Each kind of side effect ends the run, with this file, a line and what was about to happen."""
    effect, expected = FORBIDDEN[name]
    with watching("replay") as heard, pytest.raises(SideEffect) as caught:
        effect()
    assert f"{Path(__file__)}:" in str(caught.value)
    assert f"would {expected}" in str(caught.value)
    assert "[tool.kit.replay]" in str(caught.value)
    assert heard.told == [("side_effects", str(caught.value))]
    assert (project / "old.txt").read_text() == "old"


def test_nothing_is_stopped_outside_a_run(project: Path) -> None:
    """The hook stays in the process and does nothing."""
    with watching("replay"):
        pass
    Path("old.txt").unlink()
    assert not (project / "old.txt").exists()


def test_innocent_things_pass(project: Path) -> None:
    """What programs do all the time is no side effect."""
    with watching("replay") as heard:
        Path("report.md").write_text("x")
        Path("out").mkdir(exist_ok=True)
        Path("out").rmdir()
        Path("/etc").mkdir(exist_ok=True)
        Path("missing").unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a").write_text("x")
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            nowhere.write("x")
        with contextlib.closing(sqlite3.connect(":memory:")) as database:
            database.execute("select 1")
        with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
            client.connect(server.getsockname())
        os.kill(os.getpid(), 0)
        subprocess.run(["uname", "-p"], check=False, capture_output=True)
    assert heard.told == []


def test_declared_side_effects_pass(project: Path) -> None:
    """A rule for each kind lets exactly that pass."""
    allow = parse_allow([f"write:{project}/old.txt", "run:true", "connect:127.0.0.1:9"])
    with watching("replay", allow) as heard:
        subprocess.run(["true"], check=True)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", 9))
        Path("old.txt").unlink()
    assert heard.told == []


def test_swallowed_side_effect_is_still_told(project: Path) -> None:
    """Whoever catches everything is found out by what the session heard, once for each line."""
    with watching("replay") as heard:
        for _ in range(3):
            with contextlib.suppress(BaseException):
                Path("/kit-no/x").write_text("x")
    assert len(heard.told) == 1


def test_side_effect_in_a_thread_without_context_is_stopped(project: Path) -> None:
    """A thread that nobody carried the context to belongs to the only run in force."""
    seen: list[BaseException] = []

    def work() -> None:
        try:
            Path("/kit-no/x").write_text("x")
        except SideEffect as error:
            seen.append(error)

    with watching("replay") as heard:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(seen) == len(heard.told) == 1


def test_side_effect_of_a_library_in_a_pool_is_stopped(project: Path) -> None:
    """Kit's own frames that only carry a job into a thread do not excuse what the job does."""
    with watching("replay") as heard, concurrent.futures.ThreadPoolExecutor(1) as pool:
        job = pool.submit(context.carrying(os.unlink), "old.txt")
        assert isinstance(job.exception(), SideEffect)
    assert len(heard.told) == 1


def test_runs_side_by_side_are_judged_each_by_its_own(project: Path, tmp_path: Path) -> None:
    """A file that one scenario may write is closed for the other."""
    with watching("replay", workspace=tmp_path / "a") as first:
        with watching("replay", workspace=tmp_path / "b") as second, contextlib.suppress(BaseException):
            (tmp_path / "a").write_text("x")
        (tmp_path / "a").write_text("x")
    assert len(second.told) == 1
    assert first.told == []


def test_forked_child_ends_instead_of_running_the_program_twice(project: Path, tmp_path: Path) -> None:
    """In a forked child a side effect ends the process at once, with exit code 3."""
    with watching("replay"):
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                Path("/kit-no/x").write_text("x")
            os._exit(0)
        _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 3


def test_recording_lets_everything_pass_but_tells_of_escapes(project: Path) -> None:
    """In record a connection that no stub made is told and not stopped; files and processes are free."""
    with watching("record") as heard:
        Path("old.txt").unlink()
        subprocess.run(["true"], check=True)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", 9))
    assert [kind for kind, _ in heard.told] == ["escapes"]
    assert heard.told[0][1].startswith(f"{__file__}:")
    assert heard.told[0][1].endswith("connected to 127.0.0.1:9, past the recording")


def test_stub_may_connect_while_recording(project: Path) -> None:
    """What the recording itself sends is no escape; nor is the program's own server."""
    with watching("record") as heard, socket.create_server(("127.0.0.1", 0)) as server:
        with inside_stub(), pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", 9))
        socket.create_connection(server.getsockname()).close()
    assert heard.told == []


def test_hook_is_added_once() -> None:
    """However many runs a process makes, one hook watches them."""
    code = (
        "import sys\n"
        "real = sys.addaudithook; count = []\n"
        "sys.addaudithook = lambda hook: (count.append(hook), real(hook))\n"
        "from kit.recording.guard.allow import Allow\nclass Witness: pass\n"
        "from kit.recording.guard.audit import Watch, guarded\n"
        "for _ in range(3):\n"
        "    with guarded(Watch('replay', Witness(), Allow(), current=object)):\n"
        "        pass\n"
        "print(len(count))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
