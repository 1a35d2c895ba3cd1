"""What a person finds in a project after something went wrong: each said with its remedy and exit code."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from kit.recording.journal import Journal
from kit.recording.pending import FOLDER, pending
from tests.fakes.cassettes import header, tool_run
from tests.fakes.disk import FaultyDisk
from tests.fakes.tiny_project import Ran, TinyProject

PATH = "cassettes/quiz/stub/001_france.yaml"
RECORD = ("record", "--model", "stub", "001_france")
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def told(ran: Ran, code: int, *texts: str) -> None:
    """A documented exit code, these words, and no traceback."""
    assert ran.code == code, ran.said
    for text in texts:
        assert text in ran.said
    assert "Traceback" not in ran.said
    assert "a bug in kit" not in ran.said


def test_a_pointer_of_git_lfs(recorded: TinyProject) -> None:
    """Somebody cloned without LFS."""
    recorded.write(PATH, LFS)
    told(recorded.kit("replay"), 3, f"{PATH}: this is a pointer of git LFS", "next: git lfs pull")
    told(recorded.kit("show", PATH), 3, "this is a pointer of git LFS", "next: git lfs pull")
    assert recorded.cassettes() == {"quiz/stub/001_france.yaml": LFS}


def test_a_folder_in_the_place_of_a_cassette(recorded: TinyProject) -> None:
    """Replay says so, and recording writes into no folder but keeps what it paid for."""
    recorded.cassette().unlink()
    recorded.cassette().mkdir()
    told(recorded.kit("replay"), 3, PATH, "cannot be read: Is a directory")
    ran = recorded.kit(*RECORD)
    told(ran, 4, "Is a directory", "what was recorded is not lost", "kit cassette recover")
    told(recorded.kit("cassette", "recover"), 4, "still left:", "Is a directory")
    recorded.cassette().rmdir()
    told(recorded.kit("cassette", "recover"), 0, f"recovered {PATH}: 1 call")
    told(recorded.kit("replay"), 0)


def test_a_file_in_the_place_of_the_folder(tiny: TinyProject) -> None:
    """`cassettes/quiz` is a file."""
    tiny.write("cassettes/quiz", b"")
    told(tiny.kit(*RECORD), 4, "Not a directory", "kit cassette recover")
    (tiny.root / "cassettes" / "quiz").unlink()
    told(tiny.kit("cassette", "recover"), 0, f"recovered {PATH}: 1 call")


@pytest.mark.skipif(os.getuid() == 0, reason="root may read and write everything")
def test_no_permission(recorded: TinyProject) -> None:
    """Reading and writing are refused, each with its remedy."""
    recorded.cassette().chmod(0)
    told(recorded.kit("replay"), 3, "Permission denied", "next: chmod u+r")
    recorded.cassette().chmod(0o644)
    recorded.cassette().parent.chmod(0o500)
    try:
        told(recorded.kit(*RECORD), 4, "Permission denied", "chmod u+w", "kit cassette recover")
    finally:
        recorded.cassette().parent.chmod(0o755)


@pytest.mark.parametrize("error", [errno.EACCES, errno.EIO])
def test_a_cassette_that_cannot_be_read(recorded: TinyProject, error: int) -> None:
    """Whoever runs as root meets it only on a disk that fails."""
    said = []
    for nth in range(1, 9):
        disk = FaultyDisk(nth, "fail", error, below=(recorded.cassette(),))
        with disk.spinning():
            ran = recorded.kit("replay")
        if disk.is_over:
            break
        assert ran.code in {0, 3, 4}, ran.said
        assert "Traceback" not in ran.said
        said += [ran.said] * bool(ran.code)
    assert said
    for text in said:
        assert os.strerror(error) in text
        assert "next: " in text


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
@pytest.mark.parametrize(
    "words", [RECORD, ("replay",), ("accept", "--reason", "fine"), ("cassette", "recover")]
)
def test_a_disk_that_takes_nothing_in_kit_s_own_folder(
    recorded: TinyProject, error: int, words: tuple[str, ...]
) -> None:
    """`.kit/` is full, or on a file system that may only be read: exit code 4 and what helps."""
    folder = recorded.root / ".kit" / FOLDER / "x"
    with pending(folder, recorded.cassette(), header()) as way:
        journal = Journal(way.journals / "run.jsonl")
        journal.start("x", "record")
        journal.interaction(tool_run().interactions[0])
    before = recorded.cassettes()
    with FaultyDisk(1, "fill", error, below=(recorded.root / ".kit",)).spinning():
        ran = recorded.kit(*words)
    assert ran.code == 4, ran.said
    assert os.strerror(error) in ran.said
    assert "Traceback" not in ran.said
    assert "a bug in kit" not in ran.said
    assert recorded.cassettes() == before


def test_a_journal_that_was_left(recorded: TinyProject) -> None:
    """`kit record` says it before it records; `kit replay` and git never see it."""
    folder = recorded.root / ".kit" / FOLDER / "20260101T000000" / "quiz" / "stub" / "001_france"
    with pending(folder, recorded.cassette(), header()) as way:
        journal = Journal(way.journals / "run.jsonl")
        journal.start("001_france", "record")
        journal.interaction(tool_run().interactions[0])
    told(recorded.kit("replay"), 0)
    ran = recorded.kit(*RECORD)
    told(ran, 0, f"kit: an earlier recording was not saved: {PATH}, 1 call", "next: kit cassette recover")
    told(recorded.kit("cassette", "recover"), 0, f"recovered {PATH}.partial: 1 call (its run did not come")
    told(recorded.kit("show", f"{PATH}.partial"), 0)
    told(recorded.kit("replay"), 0)
    assert "nothing was left" in recorded.kit("cassette", "recover").out


def test_stray_temporary_files(recorded: TinyProject) -> None:
    """What a killed writer left beside or below is no cassette, and goes with the next recording."""
    home = recorded.root / ".kit" / "writing"
    from kit import durable

    stray = home / f".{durable._name(recorded.cassette())}-abc"
    stray.write_bytes(b"half a cas")
    told(recorded.kit("replay"), 0)
    told(recorded.kit(*RECORD), 0)
    assert not stray.exists()
    assert [Path(name).name for name in recorded.cassettes()] == ["001_france.yaml"]
