"""What the kernel of this machine grants, and programs that go around Python."""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kit.recording.wrapper import launcher

IN_C = """
import ctypes, os, socket, struct
libc = ctypes.CDLL(None, use_errno=True)
def write(path):
    number = libc.open(os.fsencode(path), os.O_WRONLY | os.O_CREAT, 0o600)
    return number >= 0
def connect(port):
    number = libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0)
    place = struct.pack("=HH4s8x", socket.AF_INET, socket.htons(port), socket.inet_aton("127.0.0.1"))
    return libc.connect(number, place, 16) == 0
"""
"""Functions of the C library that no audit hook sees; each says whether the kernel let it."""


def launched(
    rules: tuple[str, ...], *command: str, python: str = sys.executable, user: int | None = None
) -> tuple[subprocess.CompletedProcess[str], str]:
    """Runs a command through the launcher, as another user where asked; what the kernel refused comes too."""
    # Not in pytest's own folders, which only their owner may enter.
    with tempfile.TemporaryDirectory() as job:
        Path(job).chmod(0o777)
        Path(job, launcher.RULES_FILE).write_text("\0".join((*rules, "")), encoding="utf-8")
        way = Path(job, "launcher.py")
        way.write_text(Path(launcher.__file__).read_text(encoding="utf-8"), encoding="utf-8")
        done = subprocess.run(
            [python, "-I", "-S", "-B", str(way), job, *command],
            capture_output=True,
            text=True,
            check=False,
            cwd=job,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
        report = Path(job, launcher.REPORT_FILE).read_text(encoding="utf-8")
        return done, report.replace("asked:\0", "")


@functools.cache
def refused(part: str) -> str:
    """Why this machine has not that part of the guard; empty where it has it."""
    if sys.platform != "linux":
        return f"{sys.platform} has none"
    return launched((part, "write:/dev"), "true")[1]


def need(*parts: str) -> None:
    """Skips a test, and says why, where the kernel does not grant these parts."""
    for part in parts:
        if refused(part):
            pytest.skip(f"the kernel here has no guard: {refused(part)}")


@contextmanager
def outside() -> Iterator[Path]:
    """A folder outside all temporary ones, where a replay may write nothing."""
    try:
        with tempfile.TemporaryDirectory(prefix=".kit-test-", dir=Path.home()) as folder:
            if Path(folder).is_relative_to("/tmp"):
                pytest.skip("the home folder is a temporary one")
            yield Path(folder)
    except PermissionError:
        pytest.skip("the home folder cannot be written to")
