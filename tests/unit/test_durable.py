"""Whole files, one writer at a time."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kit import durable
from kit.errors import EnvironmentFault
from tests.fakes.disk import KILLED, FaultyDisk, ForgetfulDisk, How, in_child

OLD, NEW = b"old\n" * 500, b"new\r\n" * 900


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of a project; nothing is there yet."""
    return tmp_path / "cassettes" / "home" / "stub" / "001.yaml"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The project's `.kit`."""
    return tmp_path / ".kit"


def save(path: Path, content: bytes, home: Path) -> None:
    """What every writer of kit does."""
    with durable.alone(path, home):
        durable.write(path, content, home)


def test_what_is_written_is_there(path: Path, home: Path) -> None:
    """Text is UTF-8, line ends stay, and nothing else is left but the lock."""
    durable.write(path, "é\r\n", home)
    assert path.read_bytes() == b"\xc3\xa9\r\n"
    assert path.stat().st_mode & 0o777 == 0o644
    assert not list((home / "writing").iterdir())
    assert (home / ".gitignore").read_text() == "*\n"


def test_a_home_that_is_not_kits_own_is_refused(path: Path, tmp_path: Path) -> None:
    """In the project's root the note for git would hide the whole project."""
    with pytest.raises(ValueError, match=r"lies in no \.kit"):
        durable.write(path, NEW, tmp_path)
    assert not (tmp_path / ".gitignore").exists()
    assert not path.exists()


def test_mode_and_link_stay(path: Path, home: Path, tmp_path: Path) -> None:
    """What a person has set up is not undone by a save."""
    real = tmp_path / "elsewhere.yaml"
    real.write_bytes(OLD)
    real.chmod(0o640)
    path.parent.mkdir(parents=True)
    path.symlink_to(real)
    save(path, NEW, home)
    assert path.is_symlink()
    assert real.read_bytes() == NEW
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_home_on_another_disk(path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the new file lies beside the old one until it is whole."""
    replace = os.replace
    sources: list[Path] = []

    def across(source: Path, target: Path) -> None:
        sources.append(source)
        if source.parent != target.parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        replace(source, target)

    monkeypatch.setattr(os, "replace", across)
    save(path, NEW, home)
    assert path.read_bytes() == NEW
    assert [source.parent for source in sources] == [home / "writing", path.parent]
    assert [file.name for file in path.parent.iterdir()] == ["001.yaml"]


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC])
@pytest.mark.parametrize("is_there", [True, False])
def test_a_fault_at_every_system_call(path: Path, home: Path, error: int, is_there: bool) -> None:
    """The old file or the new one stands there, whole; no stray is left; the next save works."""
    nth, called = 0, set()
    while True:
        nth += 1
        path.unlink(missing_ok=True)
        if is_there:
            save(path, OLD, home)
        disk = FaultyDisk(nth, error=error)
        raised = False
        with disk.spinning():
            try:
                save(path, NEW, home)
            except OSError:
                raised = True
        if disk.is_over:
            break
        called.add(disk.names[nth - 1])
        found = path.read_bytes() if path.exists() else None
        assert found in {OLD if is_there else None, NEW}
        assert raised or found == NEW
        save(path, NEW, home)
        assert not list((home / "writing").iterdir())
    assert nth > 12
    assert called >= {"open", "write", "fsync", "close", "replace", "fchmod", "flock"}


@pytest.mark.parametrize(
    "how",
    [
        "kill",
        pytest.param("kill after", marks=pytest.mark.slow),
        pytest.param("tear", marks=pytest.mark.slow),
    ],
)
def test_a_kill_at_every_system_call(path: Path, home: Path, how: How) -> None:
    """Whole, old or new; the lock of the killed one holds nobody up, and its stray is removed."""
    nth = 0
    while True:
        nth += 1
        save(path, OLD, home)
        disk = FaultyDisk(nth, how=how)

        def doomed(disk: FaultyDisk = disk) -> None:
            with disk.spinning():
                save(path, NEW, home)

        if in_child(doomed) != KILLED:
            break
        assert path.read_bytes() in {OLD, NEW}
        save(path, NEW, home)
        assert path.read_bytes() == NEW
        assert not list((home / "writing").iterdir())
        assert [file.name for file in path.parent.iterdir()] == ["001.yaml"]
    assert nth > 12


def _crashes(
    path: Path, home: Path, root: Path, *, is_deaf: bool = False
) -> tuple[list[tuple[int, bytes | None]], int]:
    before = ForgetfulDisk.of(root)
    disk = ForgetfulDisk.of(root)
    disk.is_deaf = is_deaf
    with disk.noting():
        save(path, NEW, home)
    states = [(count, files.get(str(path))) for count, files in disk.states(before)]
    return states, len(disk.ops)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_power_cut_at_every_moment(path: Path, home: Path, tmp_path: Path, is_there: bool) -> None:
    """Whatever was not synced is lost: the old file is whole or the new one, after the save the new."""
    if is_there:
        save(path, OLD, home)
    states, calls = _crashes(path, home, tmp_path)
    assert {found for _, found in states} == {OLD if is_there else None, NEW}
    assert {found for count, found in states if count == calls} == {NEW}


@pytest.mark.parametrize("forgotten", ["file", "folder", "made folder"])
def test_the_power_cut_finds_a_writer_that_forgets_a_sync(
    path: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: str
) -> None:
    """The model can fail: without one of its syncs the same save loses the file."""
    sync_folder = durable.sync_folder
    is_deaf = forgotten == "file"
    if is_deaf:
        save(path, OLD, home)
    else:
        kept = path.parent if forgotten == "made folder" else None
        monkeypatch.setattr(
            durable, "sync_folder", lambda folder: sync_folder(folder) if folder == kept else None
        )
    states, calls = _crashes(path, home, tmp_path, is_deaf=is_deaf)
    assert {found for count, found in states if count == calls} != {NEW}
    if is_deaf:
        assert {found for _, found in states} > {OLD, NEW}


def test_writers_come_one_after_the_other(path: Path, home: Path) -> None:
    """Many threads, each with a file of its own size: a reader sees a whole one each time."""
    contents = [bytes([48 + number]) * (50_000 + number) for number in range(8)]
    save(path, contents[0], home)
    seen: list[bytes] = []
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            seen.append(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    writers = [threading.Thread(target=save, args=(path, content, home)) for content in contents]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    is_over.set()
    reader.join()
    assert seen
    assert set(seen) <= set(contents)
    assert path.read_bytes() in contents


HOLDER = """
import sys, time
from pathlib import Path
from kit import durable
with durable.alone(Path(sys.argv[1]), Path(sys.argv[2])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_lock_of_a_killed_process_holds_nobody_up(
    path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it lives others wait, and say so in the end; once it is killed the lock is free."""
    command = [sys.executable, "-c", HOLDER, str(path), str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        monkeypatch.setattr(durable, "LOCK_SECONDS", 0)
        with pytest.raises(EnvironmentFault, match="another kit has been writing this file") as told:
            save(path, NEW, home)
        assert str(home / "locks") in str(told.value.next_command)
        assert "then the same command again" in str(told.value.next_command)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    save(path, NEW, home)
    assert path.read_bytes() == NEW


@pytest.mark.parametrize("name", ["001.yaml", "home"])
def test_something_else_in_its_place(path: Path, home: Path, name: str) -> None:
    """A folder where the file goes, or a file where a folder goes, is said."""
    if name == "home":
        path.parent.parent.parent.mkdir(parents=True)
        path.parent.parent.write_bytes(b"")
    else:
        path.mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        save(path, NEW, home)
    assert not list((home / "writing").glob(".*"))


@pytest.mark.parametrize("error", [errno.EINVAL, errno.ENOTSUP])
def test_a_file_system_that_cannot_sync_folders(
    path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """Nothing can be done, and nothing is said."""
    fsync = os.fsync

    def refuses(fd: int) -> None:
        if Path(f"/proc/self/fd/{fd}").resolve().is_dir():
            raise OSError(error, os.strerror(error))
        fsync(fd)

    monkeypatch.setattr(os, "fsync", refuses)
    save(path, NEW, home)
    assert path.read_bytes() == NEW


def test_an_ignore_file_that_a_full_disk_left_empty_is_mended(home: Path) -> None:
    """Otherwise git would see locks and half-written files from then on."""
    home.mkdir()
    (home / ".gitignore").touch()
    assert durable.private_folder(home, "locks") == home / "locks"
    assert (home / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (errno.ENOSPC, "free some space on this disk"),
        (errno.EROFS, "make this file system writable"),
        (errno.EACCES, "chmod u+w"),
        (errno.EISDIR, "move the folder"),
    ],
)
def test_a_refusal_says_what_helps(error: int, text: str) -> None:
    """What, where and the next thing to do."""
    told = durable.fault("the cassette cannot be written", "a/b.yaml", OSError(error, "It is so", "a/.tmp"))
    assert str(told).startswith("a/b.yaml: the cassette cannot be written: It is so (a/.tmp)")
    assert text in str(told.next_command)
    assert durable.fault("x", "y", OSError("odd")).next_command is None
    assert durable.is_of_the_disk(OSError(error, "It is so"))
    assert not durable.is_of_the_disk(OSError("odd"))
