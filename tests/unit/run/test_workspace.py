"""The throwaway folder: what lies in it, what never leaves it, and that it goes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.errors import EnvironmentFault
from kit.run.workspace import Workspace, memory_of, workspace
from kit.scenario.schema import Setup


def _setup(**changes: Any) -> Setup:
    return Setup.model_validate({"autonomy": "manual", "available_tools": []} | changes)


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    """A folder with a home and a few links in it."""
    root = tmp_path / "root"
    (root / "workspace/inner").mkdir(parents=True)
    (root / "workspace/note.md").write_text("note")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("secret")
    (root / "workspace/out").symlink_to(tmp_path / "outside")
    (root / "workspace/in").symlink_to("inner")
    (root / "workspace/round").symlink_to("round")
    (root / "workspace/etc").symlink_to("/etc")
    return Workspace(root)


def test_minimal_holds_soul_and_identity_and_empty_holds_nothing(tmp_path: Path) -> None:
    """S2-10: the two states of a workspace."""
    with workspace(_setup(), tmp_path) as place:
        assert set(place.snapshot()) == {"/workspace/SOUL.md", "/workspace/IDENTITY.md"}
    with workspace(_setup(workspace_state="empty"), tmp_path) as place:
        assert place.snapshot() == {}
        assert place.resolve(".").is_dir()


def test_fixtures_lie_where_the_scenario_says(tmp_path: Path) -> None:
    """Files and folders, outside of home and over what `minimal` puts there."""
    (tmp_path / "soul.md").write_text("mine")
    (tmp_path / "repo/src").mkdir(parents=True)
    (tmp_path / "repo/src/a.py").write_text("a = 1\n")
    fixtures = [
        {"path": "/workspace/SOUL.md", "content_fixture": "soul.md"},
        {"path": "/srv/repo", "content_fixture": "repo"},
        {"path": "/tmp/deep/er/soul.log", "content_fixture": "soul.md"},
    ]
    with workspace(_setup(fixtures=fixtures), tmp_path) as place:
        files = place.snapshot()
        assert files["/workspace/SOUL.md"] == "mine"
        assert files["/srv/repo/src/a.py"] == "a = 1\n"
        assert files["/tmp/deep/er/soul.log"] == "mine"


def test_times_and_permissions_are_the_same_on_every_machine(tmp_path: Path) -> None:
    """An agent that lists its files must not see when and how the repository was checked out."""
    (tmp_path / "run.sh").write_text("x")
    (tmp_path / "run.sh").chmod(0o700)
    (tmp_path / "log").write_text("x")
    (tmp_path / "log").chmod(0o600)
    fixtures = [
        {"path": "/workspace/run.sh", "content_fixture": "run.sh"},
        {"path": "/workspace/log", "content_fixture": "log"},
    ]
    with workspace(_setup(fixtures=fixtures), tmp_path) as place:
        run, log = place.resolve("run.sh").stat(), place.resolve("log").stat()
        assert (run.st_mode & 0o777, log.st_mode & 0o777) == (0o755, 0o644)
        assert run.st_mtime == log.st_mtime == place.resolve("/workspace").stat().st_mtime == 1_767_225_600


def test_memory_is_files_and_comes_back_as_memory(tmp_path: Path) -> None:
    """What a scenario sets lies below /workspace/memory, and what an agent leaves there is remembered."""
    with workspace(_setup(memory={"editor": "vim", "v1.2": "x"}), tmp_path) as place:
        assert place.resolve("memory/editor.md").read_text() == "vim"
        place.resolve("memory/city.md").write_text("Roma")
        place.resolve("memory/other.txt").write_text("no memory")
        place.resolve("memory/picture.md").write_bytes(b"\xff\xfe")
        assert memory_of(place.snapshot()) == {"editor": "vim", "v1.2": "x", "city": "Roma"}


def test_the_folder_goes_whatever_happens(tmp_path: Path) -> None:
    """An exception, and folders that the agent locked, leave nothing behind."""
    roots: list[Path] = []
    with pytest.raises(RuntimeError), workspace(_setup(), tmp_path) as place:
        roots.append(place.root)
        locked = place.resolve("locked")
        locked.mkdir()
        (locked / "file").write_text("x")
        locked.chmod(0o500)
        raise RuntimeError
    assert not roots[0].exists()


def test_the_folder_can_be_kept(tmp_path: Path) -> None:
    """A person who wants to look into it finds it."""
    with workspace(_setup(), tmp_path, keep=True) as place:
        pass
    assert place.resolve("SOUL.md").is_file()


def test_a_fixture_that_cannot_be_copied_is_a_fault_of_the_environment(tmp_path: Path) -> None:
    """The message names the fixture and no folder of the machine's temp."""
    (tmp_path / "a").write_text("x")
    fixtures = [
        {"path": "/workspace/a", "content_fixture": "a"},
        {"path": "/workspace/a/b", "content_fixture": "a"},
    ]
    with (
        pytest.raises(EnvironmentFault, match="/workspace/a") as refused,
        workspace(_setup(fixtures=fixtures), tmp_path),
    ):
        pass
    assert "kit-run-" not in str(refused.value)


@pytest.mark.parametrize(
    ("path", "real"),
    [
        ("note.md", "workspace/note.md"),
        ("/workspace/note.md", "workspace/note.md"),
        ("./inner/../note.md", "workspace/note.md"),
        ("new/deep/file", "workspace/new/deep/file"),
        ("/tmp/x", "tmp/x"),
        ("/tmp/../srv/x", "srv/x"),
        ("//tmp//x", "tmp/x"),
        ("", "workspace"),
        ("/", "."),
        ("in/file", "workspace/inner/file"),
    ],
)
def test_paths_of_the_agent_lie_in_the_folder(place: Workspace, path: str, real: str) -> None:
    """Absolute paths start at the folder, relative ones at home; links inside are followed."""
    assert place.resolve(path) == (place.root / real).resolve()


@pytest.mark.parametrize(
    "path",
    [
        "../etc/passwd", "..", "inner/../../x", "/..", "/../etc/passwd", "/workspace/../../x", "out",
        "out/secret", "etc/passwd", "in/../out/secret", "round", "round/x", "a\0b",
    ],
)  # fmt: skip
def test_nothing_leads_out_of_the_folder(place: Workspace, path: str) -> None:
    """`..` above the start, links to the outside and circles are refused, in the agent's own words."""
    with pytest.raises(PermissionError) as refused:
        place.resolve(path)
    assert repr(path) in str(refused.value)
    assert str(place.root) not in str(refused.value)


def test_what_is_given_out_holds_no_link(place: Workspace) -> None:
    """A link that is turned around after the look cannot redirect what was resolved before."""
    real = place.resolve("in/file")
    link = place.root / "workspace/in"
    link.unlink()
    link.symlink_to("/etc")
    real.write_text("x")
    assert (place.root / "workspace/inner/file").read_text() == "x"
    with pytest.raises(PermissionError):
        place.resolve("in/file")


_PARTS = st.lists(st.sampled_from(["..", ".", "", "a", "out", "in", "etc", "inner", "workspace"]), max_size=7)


@given(parts=_PARTS, absolute=st.booleans())
def test_no_path_at_all_leads_out(
    parts: list[str], absolute: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever is asked for, what is given out lies inside."""
    root = tmp_path_factory.getbasetemp() / "kit-resolve"
    if not root.exists():
        (root / "workspace/inner").mkdir(parents=True)
        (root / "workspace/out").symlink_to("/usr")
        (root / "workspace/in").symlink_to("inner")
        (root / "etc").symlink_to("/etc")
    place = Workspace(root)
    try:
        real = place.resolve(("/" if absolute else "") + "/".join(parts))
    except PermissionError:
        return
    assert Path(os.path.realpath(real)).is_relative_to(place.root)


def test_a_snapshot_knows_text_binaries_and_links_and_reads_no_pipe(place: Workspace) -> None:
    """A binary is None, a link is said and not followed, a pipe does not block."""
    (place.root / "workspace/picture").write_bytes(b"\xff\x00")
    os.mkfifo(place.root / "workspace/pipe")
    (place.root / "workspace/self").symlink_to(place.root / "workspace/note.md")
    files = place.snapshot()
    assert files["/workspace/note.md"] == "note"
    assert files["/workspace/picture"] is None
    assert files["/workspace/pipe"] is None
    assert files["/workspace/self"] == "link to /workspace/note.md"
    assert files["/workspace/etc"] == "link to /etc"
    assert not any(path.startswith("/workspace/out/") for path in files)
    assert list(files) == sorted(files)


def test_the_real_path_can_be_taken_out_of_a_text(place: Workspace) -> None:
    """What a person reads speaks of the agent's paths."""
    assert place.hide(f"cannot open {place.root}/workspace/x") == "cannot open /workspace/x"
    assert place.hide(f"{place.root}") == "/"
