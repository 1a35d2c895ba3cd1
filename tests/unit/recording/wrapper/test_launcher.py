"""What the launcher gets from the kernel, in processes of their own: it cannot be undone."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from kit.recording.wrapper import launcher
from tests.fakes.kernel import IN_C, launched, need, outside

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces and Landlock are Linux's")

OWN_SERVER = """
import socket
for flags in (0, socket.AI_ADDRCONFIG):
    found = socket.getaddrinfo("localhost", 0, socket.AF_INET, socket.SOCK_STREAM, flags=flags)
    own = socket.create_server(found[0][4])
    print("own", connect(own.getsockname()[1]))
"""


def c_program(text: str) -> tuple[str, str, str]:
    return sys.executable, "-c", IN_C + text


def test_writes_are_limited_to_folders() -> None:
    """C code writes, renames and removes below a permitted folder, across folders too, and nowhere else."""
    need("writes")
    with outside() as closed, outside() as open_, outside() as other:
        text = f"""
print(write({f"{closed}/a"!r}), write({f"{open_}/a"!r}))
os.rename({f"{open_}/a"!r}, {f"{other}/a"!r})
os.remove({f"{other}/a"!r})
"""
        rules = ("writes", f"write:{open_}", f"write:{other}", "write:/not/there")
        done, report = launched(rules, *c_program(text))
        assert (done.stdout, done.stderr, report) == ("False True\n", "", "")
        assert list(closed.iterdir()) == []


def test_redirected_output_is_where_it_was(tmp_path: Path) -> None:
    """A program that opens `/dev/stdout` reaches the file a shell sent it to, wherever that lies."""
    need("writes")
    with outside() as closed:
        (tmp_path / launcher.RULES_FILE).write_text("writes\0write:/dev\0")
        with (closed / "out").open("w") as out:
            way = (sys.executable, "-I", "-S", launcher.__file__, str(tmp_path))
            subprocess.run([*way, "sh", "-c", "echo told > /dev/stdout"], stdout=out, check=True)
        assert (closed / "out").read_text() == "told\n"


def test_network_is_a_loopback_of_its_own() -> None:
    """A server outside hears nothing from C code; the program's own is reached, also as `localhost`."""
    need("network")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        text = OWN_SERVER + f"print('foreign', connect({listener.getsockname()[1]}))"
        done, report = launched(("network",), *c_program(text))
        assert (done.stdout, done.stderr, report) == ("own True\nown True\nforeign False\n", "", "")
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_anybody_may_and_stays_who_he_is() -> None:
    """As nobody, by a user namespace: the user, the group and the owner of its files are the same inside."""
    need("network", "writes")
    python = "/usr/bin/python3"
    if os.geteuid() != 0 or not Path(python).exists():
        pytest.skip("only root becomes nobody, and needs a Python that nobody may read")
    text = f"""{IN_C}{OWN_SERVER}
open("mine", "w").close()
print(os.getuid(), os.getgid(), os.stat("mine").st_uid, os.stat("mine").st_gid)
"""
    rules = ("network", "writes", "write:/tmp", "write:/var/tmp")
    done, report = launched(rules, python, "-c", text, python=python, user=65534)
    assert (done.stdout, done.stderr, report) == (
        "own True\nown True\n65534 65534 65534 65534\n",
        "",
        "",
    )


def test_low_ports_are_as_free_as_before(tmp_path: Path) -> None:
    """A container that lets anybody serve on port 80 still does so in the network of its own."""
    need("network")
    if os.geteuid() != 0:
        pytest.skip("only root sets from which port on anybody may serve")
    lowest = "/proc/sys/net/ipv4/ip_unprivileged_port_start"
    (tmp_path / launcher.RULES_FILE).write_text("network\0")
    within = f"{sys.executable} -I -S {launcher.__file__} {tmp_path} cat {lowest}"
    done, _ = launched(("network",), "sh", "-c", f"echo 80 > {lowest} || exit 77; exec {within}")
    if done.returncode == 77:
        pytest.skip("/proc/sys cannot be written to here")
    assert done.stdout == "80\n"


def test_nothing_asked_is_nothing_changed() -> None:
    """Without a rule the program starts as it would have: with the default signals, and its own exit code."""
    done, report = launched((), "sh", "-c", "kill -PIPE $$")
    assert (done.returncode, report) == (-signal.SIGPIPE, "")
    done, report = launched((), "sh", "-c", "exit 7")
    assert (done.returncode, report) == (7, "")


@pytest.mark.parametrize(("program", "number"), [("no-such-program", 2), ("/etc/passwd", 13)])
def test_a_program_that_cannot_be_started(program: str, number: int) -> None:
    """The parent learns why from the report, not from an exit code that a program may have too."""
    done, report = launched((), program)
    assert (done.returncode, report) == (launcher.NOT_STARTED, f"errno:{number}\0")


def test_a_step_is_rehearsed_in_a_copy() -> None:
    """What fails there, in whatever way, leaves this process as it was, and says why."""
    code = f"""
import sys; sys.path.insert(0, {str(Path(launcher.__file__).parent)!r})
import os, launcher
def refuse(): raise OSError(1, "a user namespace: no")
def crash(): raise ValueError(3)
def die(): os.kill(os.getpid(), 31)
seen = []
for step in (refuse, crash, die, lambda: seen.append(1)): print(launcher.rehearsed(step))
print(seen)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second, third, *rest = done.stdout.splitlines()
    assert (first, second) == ("a user namespace: no", "ValueError(3)")
    assert third.startswith("the try ended with status")
    assert rest == ["None", "[]"]
