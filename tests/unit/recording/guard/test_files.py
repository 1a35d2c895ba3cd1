from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from kit.recording.guard.allow import Allow, parse_allow
from kit.recording.guard.files import FileGuard, zones

W = os.O_WRONLY | os.O_CREAT


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, with a temporary folder of its own beside it."""
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    return folder


def tape(project: Path, allow: Allow | None = None) -> FileGuard:
    return FileGuard(zones(None, project), allow or Allow())


def scenario(project: Path, workspace: Path) -> FileGuard:
    return FileGuard(zones(workspace, project), Allow())


def test_tape_may_create_and_overwrite_in_its_project(project: Path) -> None:
    """A program that writes its report again does no harm."""
    (project / "report.md").write_text("old")
    guard = tape(project)
    assert guard.opened((str(project / "report.md"), "w", W)) is None
    assert guard.opened((str(project / "new.md"), "w", W)) is None
    assert guard.folder_made((str(project / "out"), 0o777, -1)) is None


@pytest.mark.parametrize("folder", [".git", "cassettes", "baselines"])
def test_tape_may_not_touch_what_is_kept(project: Path, folder: str) -> None:
    """History, recordings and accepted verdicts are closed even in the project."""
    found = tape(project).opened((str(project / folder / "x"), "w", W))
    assert found is not None
    assert found.act == f"write {project}/{folder}/x"
    assert found.rule == f"write:{project}/{folder}/x"


def test_tape_may_delete_only_what_it_created(project: Path) -> None:
    """Deleting an older file is a side effect; deleting one's own is not."""
    (project / "old.txt").write_text("x")
    guard = tape(project)
    assert guard.removed((str(project / "old.txt"), -1)) is not None
    guard.opened((str(project / "own.txt"), "w", W))
    (project / "own.txt").write_text("x")
    assert guard.removed((str(project / "own.txt"), -1)) is None


def test_tape_may_replace_a_file_by_one_it_wrote(project: Path) -> None:
    """The usual atomic write passes; moving an older file away does not."""
    (project / "report.md").write_text("old")
    guard = tape(project)
    guard.opened((str(project / "report.tmp"), "w", W))
    (project / "report.tmp").write_text("new")
    assert guard.renamed((str(project / "report.tmp"), str(project / "report.md"), -1, -1)) is None
    assert guard.renamed((str(project / "report.md"), str(project / "kept.md"), -1, -1)) is None
    (project / "other.md").write_text("x")
    assert guard.renamed((str(project / "other.md"), str(project / "moved.md"), -1, -1)) is not None


def test_operation_that_changes_nothing_passes(project: Path) -> None:
    """Making a folder that is there and removing what is not there are no side effects."""
    guard = tape(project)
    assert guard.folder_made(("/etc", 0o777, -1)) is None
    assert guard.removed(("/etc/kit-not-there", -1)) is None
    assert guard.attributes_changed(("/etc/kit-not-there", 0o600, -1)) is None
    assert guard.renamed(("/etc/kit-not-there", "/etc/kit-neither", -1, -1)) is None


def test_outside_is_closed_for_a_tape(project: Path) -> None:
    """A path outside project, caches and temporary folders may not be written."""
    guard = tape(project)
    assert guard.opened(("/etc/kit-test", "w", W)) is not None
    assert guard.folder_made(("/etc/kit-test", 0o777, -1)) is not None
    assert guard.contents_changed(("/etc/passwd", 0)) is not None
    assert guard.linked(("/etc/passwd", "/etc/kit-test", -1)) is not None
    assert guard.attributes_changed(("/etc/passwd", 0o600, -1)) is not None


def test_scenario_may_write_its_workspace_and_temporary_folder_only(project: Path, tmp_path: Path) -> None:
    """The project itself is closed in a scenario's run."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    guard = scenario(project, workspace)
    (workspace / "old.txt").write_text("x")
    assert guard.opened((str(workspace / "a/b"), "w", W)) is None
    assert guard.removed((str(workspace / "old.txt"), -1)) is None
    assert guard.opened((str(tmp_path / "temp" / "x"), "w", W)) is None
    assert guard.opened((str(project / "x"), "w", W)) is not None
    assert guard.opened((str(tmp_path / "beside"), "w", W)) is not None


def test_link_out_of_the_workspace_is_followed(project: Path, tmp_path: Path) -> None:
    """What a link points to is what counts."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "way-out").symlink_to("/etc")
    guard = scenario(project, workspace)
    found = guard.opened((str(workspace / "way-out/kit-test"), "w", W))
    assert found is not None
    assert "/etc/kit-test" in found.act
    assert guard.removed((str(workspace / "way-out"), -1)) is None


@pytest.mark.parametrize(
    "path",
    [
        "/dev/null",
        "/dev/shm/x",
        "/usr/lib/__pycache__/x.pyc",
        "/opt/app/.pytest_cache/v",
        "~/.cache/x",
        "~/.config/matplotlib/fonts",
    ],
)
def test_innocent_places_are_free(
    project: Path, tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Devices, caches of tools and of the user are free in every run."""
    monkeypatch.setenv("HOME", "/home/kit-test")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("MPLCONFIGDIR", raising=False)
    there = path.replace("~", "/home/kit-test")
    assert tape(project).opened((there, "w", W)) is None
    assert scenario(project, tmp_path / "workspace").opened((there, "w", W)) is None


def test_open_files_need_no_path(project: Path) -> None:
    """A number stands for a file that was judged when it was opened."""
    guard = tape(project)
    assert guard.opened((1, "w", W)) is None
    assert guard.contents_changed((1, 0)) is None


def test_folder_relative_to_an_open_one_is_found(project: Path) -> None:
    """`dir_fd`, which clean-up of temporary folders uses, is resolved."""
    fd = os.open("/etc", os.O_RDONLY)
    try:
        found = tape(project).folder_made(("kit-test", 0o777, fd))
    finally:
        os.close(fd)
    assert found is not None
    assert found.act == "make the folder /etc/kit-test"


@pytest.mark.parametrize(
    ("database", "passes"),
    [
        (":memory:", True),
        ("", True),
        ("file:shared?mode=memory&cache=shared", True),
        ("file:/etc/kit-test.db?mode=ro", True),
        ("/etc/kit-test.db", False),
        ("file:/etc/kit-test.db?mode=rw", False),
        (b"/etc/kit-test.db", False),
    ],
)
def test_database_in_memory_is_no_file(project: Path, database: str | bytes, passes: bool) -> None:
    """Only a database that lies in a closed file is a side effect."""
    assert (tape(project).database((database,)) is None) is passes


def test_declared_path_is_free(project: Path) -> None:
    """A `write:` rule opens a closed place, for deleting too."""
    guard = tape(project, parse_allow(["write:/etc/kit-test"]))
    assert guard.opened(("/etc/kit-test/x", "w", W)) is None
    assert guard.socket_file("/etc/kit-test/s") is None
    assert guard.socket_file("/run/docker.sock") is not None
