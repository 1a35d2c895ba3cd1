"""The kernel's guard of `kit replay -- COMMAND`, through the command itself."""

from __future__ import annotations

import platform
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fakes import refusing_kernel
from tests.fakes.kernel import IN_C, need, outside
from tests.fakes.model_server import serving
from tests.fakes.tiny_project import Ran, TinyProject
from tests.fakes.wrapped_program import ASK

KIT = (sys.executable, "-c", "from kit.cli.main import main; main()")
AROUND_PYTHON = f"""
{ASK}{IN_C}
print(ask("hi"))
print("file", write(os.environ["OUTSIDE"]), "counter", connect(int(os.environ["COUNTER"])))
"""
OWN_SERVER = f"""
{ASK}{IN_C}
import threading
own = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=lambda: own.accept()[0].sendall(ask("hi").encode()), daemon=True).start()
with socket.create_connection(("localhost", own.getsockname()[1])) as client:
    print(client.makefile().read())
print("in C too", connect(own.getsockname()[1]))
"""
GIVES_UP = f"""
{ASK}{IN_C}
ask("hi")
raise SystemExit(not write(os.environ["OUTSIDE"]))
"""


@dataclass
class World:
    """A project, a file outside it, and a server that counts who comes."""

    project: TinyProject
    outside: Path
    listener: socket.socket

    def record(self, program: str) -> Ran:
        """Records it against a model that echoes, which is then gone."""
        (self.project.root / "program.py").write_text(program)
        with serving() as server:
            self.project.environ["MODEL_URL"] = server.url
            return self.kit("record")

    def kit(self, verb: str) -> Ran:
        """Records or replays the program."""
        return self.project.kit_with_program(verb, "--", sys.executable, "program.py")

    def settings(self, text: str) -> None:
        """Writes `[tool.kit.replay]`."""
        (self.project.root / "pyproject.toml").write_text(f"[tool.kit.replay]\n{text}\n")

    def harm(self) -> tuple[bool, int]:
        """Whether the file was written, and how many connected; both are forgotten."""
        is_written, count = self.outside.exists(), 0
        self.outside.unlink(missing_ok=True)
        try:
            while True:
                self.listener.accept()[0].close()
                count += 1
        except BlockingIOError:
            return is_written, count


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with outside() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        path = folder / "by-c.txt"
        environ = {"OUTSIDE": str(path), "COUNTER": str(listener.getsockname()[1])}
        one = World(TinyProject(tmp_path, environ), path, listener)
        one.settings("")
        yield one


def test_what_goes_around_python_is_stopped(world: World) -> None:
    """C code writes and connects while recording; in replay it does neither, and the run says who held it."""
    need("writes", "network")
    assert world.record(AROUND_PYTHON).code == 0
    assert world.harm() == (True, 1)
    replayed = world.kit("replay")
    assert world.harm() == (False, 0)
    assert "file False counter False" in replayed.out
    assert "\nguards: the audit hook, and the kernel for writes and network" in replayed.out
    assert replayed.code == 0, replayed.err


def test_without_the_kernel_nobody_sees_it(world: World) -> None:
    """`kernel_guard` switches it off; then the blind spots of the hook are what they were, and it is said."""
    world.record(AROUND_PYTHON)
    world.harm()
    world.settings('kernel_guard = "none"')
    replayed = world.kit("replay")
    assert world.harm() == (True, 1)
    assert (
        "\nguards: the audit hook alone; no kernel guard for writes and network: kernel_guard" in replayed.out
    )


def test_a_declared_effect_passes(world: World) -> None:
    """A declared host keeps the machine's network and a declared folder is free; the line says it."""
    need("writes")
    world.record(AROUND_PYTHON)
    world.harm()
    port = world.listener.getsockname()[1]
    world.settings(f'allow = ["write:{world.outside.parent}", "connect:127.0.0.1:{port}"]')
    replayed = world.kit("replay")
    assert world.harm() == (True, 1)
    assert f"no kernel guard for network: connect:127.0.0.1:{port} is declared" in replayed.out


def test_own_server_still_works(world: World) -> None:
    """A program reaches the server it started itself, from Python and from C."""
    need("network")
    assert world.record(OWN_SERVER).code == 0
    replayed = world.kit("replay")
    assert replayed.code == 0, replayed.err
    assert "echo hi\nin C too True" in replayed.out
    assert "kernel for writes and network" in replayed.out


def test_a_program_that_fails_for_it_is_told_how_to_go_on(world: World) -> None:
    """What the kernel refuses has no line in the program, so the end says that it may be the reason."""
    need("writes", "network")
    assert world.record(GIVES_UP).code == 0
    world.harm()
    replayed = world.kit("replay")
    assert replayed.code == 1
    assert "notice: the kernel guarded writes and network: «Permission denied»" in replayed.out
    assert "add write:PATH or connect:HOST:PORT to allow in [tool.kit.replay]" in replayed.out


def test_a_kernel_that_refuses(world: World) -> None:
    """In a container that forbids it the run goes on under the hook alone, and one line says why."""
    if sys.platform != "linux" or platform.machine() not in refusing_kernel.UNSHARE:
        pytest.skip("the filter that plays the container knows only Linux on x86-64 and ARM")
    world.record(AROUND_PYTHON)
    world.harm()
    container = (sys.executable, refusing_kernel.__file__)
    done = world.project.command(*container, *KIT, "replay", "--", sys.executable, "program.py")
    assert done.code == 0, done.err
    assert (
        "\nguards: the audit hook alone; no kernel guard for writes: Landlock: Operation not permitted; "
        "no kernel guard for network: a user namespace: Operation not permitted\n"
    ) in done.out
