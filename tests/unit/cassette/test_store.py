"""Cassettes on disk."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from kit import durable
from kit.cassette import store
from kit.cassette.emit import dumps
from kit.cassette.interaction import Interaction
from kit.cassette.paths import partial_path
from kit.errors import CassetteInvalid, CassetteMissing, EnvironmentFault
from tests.fakes.cassettes import cassette, tool_run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a cassette of a project goes; nothing is there yet."""
    return tmp_path / "cassettes" / "home" / "stub" / "001.yaml"


def test_what_is_written_is_read(path: Path) -> None:
    """The folder is made, and the file holds the cassette."""
    assert store.write(path, tool_run()) == store.WriteResult(path, changed=True)
    assert store.read(path) == tool_run()
    assert path.stat().st_mode & 0o777 == 0o644


def test_unchanged_means_equal_outside_header_and_volatile(path: Path) -> None:
    """The same answers recorded again rewrite the file and say that nothing changed."""
    store.write(path, tool_run(salt=1))
    assert not store.write(path, tool_run("another_call_id", salt=2)).changed
    assert store.read(path) == tool_run("another_call_id", salt=2)
    assert store.write(path, cassette(tool_run().interactions[0])).changed


def test_a_missing_cassette_says_what_to_type(path: Path) -> None:
    """Nothing recorded is no stack trace."""
    with pytest.raises(CassetteMissing) as caught:
        store.read(path)
    assert caught.value.next_command == "kit record 001"


@pytest.mark.parametrize(
    ("content", "what", "where"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "git LFS", "001.yaml"),
        (b"kit: cassette 1\n\xff\xfe\n", "UTF-8", "001.yaml:2"),
        (b"", "empty", "001.yaml"),
    ],
)
def test_files_that_are_no_text_are_recognised(path: Path, content: bytes, what: str, where: str) -> None:
    """Each has its own sentence and its next command."""
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    with pytest.raises(CassetteInvalid, match=what) as caught:
        store.read(path)
    assert str(caught.value.where).endswith(where)
    assert caught.value.next_command


def test_a_folder_in_its_place_is_an_error_of_the_cassette(path: Path) -> None:
    """An unreadable path is said, not a stack trace."""
    path.mkdir(parents=True)
    with pytest.raises(CassetteInvalid, match="cannot be read"):
        store.read(path)


def test_a_crash_while_writing_harms_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the rename the old recording is whole, and no half file is left."""
    store.write(path, tool_run())

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(KeyboardInterrupt):
        store.write(path, cassette())
    assert store.read(path) == tool_run()
    assert [file.name for file in path.parent.iterdir()] == ["001.yaml"]


def test_a_full_disk_is_a_fault_of_the_environment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the cassette, and the old one is whole."""
    store.write(path, tool_run())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EnvironmentFault, match="No space left") as caught:
        store.write(path, cassette())
    assert caught.value.where == str(path)
    assert store.read(path) == tool_run()


def test_an_interrupted_recording_stands_beside_the_intact_one(path: Path) -> None:
    """What was recorded so far is kept, the old cassette stays."""
    store.write(path, tool_run())
    partial = store.write_partial(path, cassette(tool_run().interactions[0]))
    assert partial == partial_path(path)
    assert store.read(partial) == cassette(tool_run().interactions[0])
    assert store.read(path) == tool_run()


def test_writers_wait_for_each_other(path: Path) -> None:
    """Many writers at once leave one whole file."""
    runs = [tool_run(f"call_{number}", salt=number) for number in range(8)]
    threads = [threading.Thread(target=store.write, args=(path, run)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.read(path) in runs


def test_a_writer_that_never_lets_go_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting has an end, with the name of the cassette."""
    monkeypatch.setattr(durable, "LOCK_SECONDS", 0)
    with durable.alone(path, store.home_of(path)), pytest.raises(EnvironmentFault, match="another kit"):
        store.write(path, cassette())


def test_what_another_kit_recorded_meanwhile_is_not_lost(path: Path) -> None:
    """Both runs began before anything was there: the second writer keeps the first's recording too."""
    began = store.seen(path)
    store.write(path, tool_run(salt=1), began)
    second = store.write(path, tool_run(salt=2), began)
    assert store.read(path) == tool_run(salt=2)
    assert second.displaced is not None
    assert second.displaced.parent == store.home_of(path) / "displaced"
    assert store.read(second.displaced) == tool_run(salt=1)


def test_what_was_there_before_is_replaced_without_a_word(path: Path) -> None:
    """Recording again is what the person asked for; so is writing the same bytes twice."""
    store.write(path, tool_run(salt=1))
    again = store.write(path, tool_run(salt=2), store.seen(path))
    assert again.displaced is None
    assert store.write(path, tool_run(salt=2), store.Seen("")).displaced is None
    assert not (store.home_of(path) / "displaced").exists()


def test_a_cassette_that_nobody_may_read_can_be_recorded_anew(path: Path) -> None:
    """Only the writing matters; what was in it cannot be compared."""
    store.write(path, tool_run())
    path.chmod(0o200)
    assert store.write(path, tool_run()).changed is (os.getuid() != 0)
    assert path.stat().st_mode & 0o777 == 0o200


def test_git_sees_the_cassette_and_nothing_else(path: Path, tmp_path: Path) -> None:
    """Locks and temporary files never get into a commit."""
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True, capture_output=True)
    store.write(path, tool_run())
    status = [*git, "status", "--porcelain", "--untracked-files=all"]
    shown = subprocess.run(status, check=True, capture_output=True, text=True).stdout
    assert shown == "?? cassettes/home/stub/001.yaml\n"
    assert store.home_of(path) == tmp_path / ".kit"


def test_an_interaction_that_cannot_be_written_harms_nothing(path: Path) -> None:
    """The file is opened only when its whole text is there."""
    store.write(path, tool_run())
    odd = tool_run().interactions[1]
    wrong = Interaction(1, "tool", odd.request, type(odd.response)(result=object()), 0, 0)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        store.write(path, cassette(wrong))
    assert path.read_text("utf-8") == dumps(tool_run())
