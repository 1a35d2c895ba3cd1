"""`kit record` on a disk that fails, fills up or goes away at any moment: nothing half, nothing lost."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.cassette.paths import partial_path
from kit.cassette.store import read
from tests.fakes.disk import KILLED, FaultyDisk, How, in_child
from tests.fakes.tiny_project import Ran, TinyProject

ASKED = """    answer.raise_for_status()
    with open("asked", "w") as file:
        file.write("the model was asked")
"""
RECORD = ("record", "--model", "stub")


@pytest.fixture
def recorded(tiny: TinyProject) -> TinyProject:
    """Recorded once; the next recording is another, and leaves a mark when the model has answered."""
    assert tiny.kit(*RECORD).code == 0
    tiny.changed_agent("    answer.raise_for_status()\n", ASKED)
    agent = (tiny.root / "tiny_agent.py").read_text("utf-8")
    tiny.write("tiny_agent.py", agent.replace("one short sentence", "one brief sentence"))
    return tiny


def disk(tiny: TinyProject, nth: int, how: How, error: int = errno.EIO) -> FaultyDisk:
    """A disk under the folders that kit writes."""
    return FaultyDisk(nth, how, error, below=(tiny.root / ".kit", tiny.root / "cassettes"))


def moments(tiny: TinyProject, step: int) -> Iterator[int]:
    """Numbers of the calls that a recording makes, every `step`-th of them."""
    counted = disk(tiny, 0, "fail")
    before = tiny.cassette().read_bytes()
    with counted.spinning():
        assert tiny.kit(*RECORD).code == 0
    assert counted.count > 60
    assert {"write", "fsync", "replace", "flock", "open"} <= set(counted.names)
    for nth in range(1, counted.count + 1, step):
        tiny.write("cassettes/quiz/stub/001_france.yaml", before)
        partial_path(tiny.cassette()).unlink(missing_ok=True)
        (tiny.root / "asked").unlink(missing_ok=True)
        yield nth


def is_new(path: Path) -> bool:
    """Whether a file is a recording of the changed agent; it must be a whole one in any case."""
    return path.exists() and b"brief" in read(path).interactions[0].request.body  # type: ignore[union-attr]


def check(tiny: TinyProject) -> None:
    """The old recording is whole or the new one; what the model was asked for is there, or comes back."""
    path = tiny.cassette()
    assert read(path).interactions
    was_asked = (tiny.root / "asked").exists()
    recovered = tiny.kit("cassette", "recover")
    assert recovered.code == 0, recovered.said
    assert read(path).interactions
    if was_asked:
        assert is_new(path) or is_new(partial_path(path)), recovered.said
    assert not list((tiny.root / ".kit" / "journals").rglob("*.jsonl"))
    assert [one.name for one in path.parent.iterdir() if one.name.startswith(".")] == []


def in_order(ran: Ran) -> None:
    """A documented exit code, and words for a person."""
    assert ran.code in {0, 1, 3, 4}, ran.said
    assert "Traceback" not in ran.said
    assert "a bug in kit" not in ran.said


def failing(tiny: TinyProject, how: How, error: int, step: int) -> None:
    """One recording for each moment."""
    for nth in moments(tiny, step):
        with disk(tiny, nth, how, error).spinning():
            ran = tiny.kit(*RECORD)
        in_order(ran)
        check(tiny)


def killed(tiny: TinyProject, how: How, step: int) -> None:
    """One recording for each moment, in a process of its own that ends there."""
    for nth in moments(tiny, step):

        def doomed(nth: int = nth) -> None:
            with disk(tiny, nth, how).spinning():
                tiny.kit(*RECORD)

        assert in_child(doomed) in {0, KILLED}
        check(tiny)


def test_a_failing_disk(recorded: TinyProject) -> None:
    """At a few moments; behind the slow marker at all of them."""
    failing(recorded, "fail", errno.EIO, 23)


def test_a_disk_that_fills_up(recorded: TinyProject) -> None:
    """From one moment on nothing can be written any more."""
    failing(recorded, "fill", errno.ENOSPC, 29)


def test_a_kill(recorded: TinyProject) -> None:
    """`kill -9` at a few moments."""
    killed(recorded, "kill", 31)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "error"), [("fail", errno.EIO), ("fail", errno.ENOSPC), ("fill", errno.ENOSPC)]
)
def test_a_fault_at_every_call(recorded: TinyProject, how: How, error: int) -> None:
    """Each call of a recording fails once, for itself or for good."""
    failing(recorded, how, error, 1)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["kill", "kill after", "tear"])
def test_a_kill_at_every_call(recorded: TinyProject, how: How) -> None:
    """Before a call, behind it, and in the middle of a write."""
    killed(recorded, how, 1)


def test_a_read_only_file_system(recorded: TinyProject) -> None:
    """Said at once, with what helps; the recording that is there is as it was."""
    before = recorded.cassettes()
    with disk(recorded, 1, "fill", errno.EROFS).spinning():
        ran = recorded.kit(*RECORD)
    assert ran.code == 4
    assert "Read-only file system" in ran.said
    assert "next: make this file system writable" in ran.said
    assert recorded.cassettes() == before
    assert not (recorded.root / "asked").exists()
