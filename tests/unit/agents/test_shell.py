"""The shell tool on real programs, and its replay without any."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kit.agents.shell import shell_tool
from kit.run.workspace import Workspace
from tests.fakes.home_turns import place
from tests.fakes.runs import recording, replaying, run

FOLDERS = ("/workspace", "/tmp")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace with a note and a secret."""
    made = place(tmp_path)
    (tmp_path / "workspace/doc").mkdir()
    (tmp_path / "workspace/doc/note.md").write_text("milk\nbread\n", encoding="utf-8")
    (tmp_path / "workspace/.env").write_text("milk=4471\n", encoding="utf-8")
    return made


def shell(workspace: Workspace, **more: float) -> Callable[..., str]:
    """The tool."""
    return shell_tool(workspace, FOLDERS, **more)["shell"]


def test_starts_in_the_workspace(workspace: Workspace) -> None:
    """Relative paths start at home, and come back as they were given."""
    assert shell(workspace)(["find", ".", "-name", "*.md"]) == "./doc/note.md"
    assert shell(workspace)(["cat", "doc/note.md"]) == "milk\nbread"


def test_absolute_paths_are_those_of_the_agent(workspace: Workspace) -> None:
    """They lead into the throwaway folder and come back without it."""
    assert shell(workspace)(["find", "/workspace", "-name", "*.md"]) == "/workspace/doc/note.md"
    assert shell(workspace)(["wc", "-l", "/workspace/doc/note.md"]) == "2 /workspace/doc/note.md"


def test_a_pattern_is_no_path(workspace: Workspace) -> None:
    """The first word of grep stays as it is; secrets are left out of what it finds."""
    assert shell(workspace)(["grep", "-r", "milk", "/workspace"]) == "/workspace/doc/note.md:milk"
    assert shell(workspace)(["grep", "-r", "/etc", "."]) == "(no output)"


def test_disk_usage_has_numbers(workspace: Workspace) -> None:
    """The machine's own df, on the file system of the workspace."""
    assert "%" in shell(workspace)(["df", "-h", "/workspace"])


def test_environment_is_scrubbed(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs get five words of environment, no key among them, and no stdin to wait for."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("PATH", str(tmp_path))
    fake = tmp_path / "cat"
    fake.write_text("#!/bin/sh\necho hijacked\n", encoding="utf-8")
    fake.chmod(0o755)
    assert shell(workspace)(["cat"]) == "(no output)"
    assert "OPENAI_API_KEY" in os.environ


def test_failure_names_no_real_path(workspace: Workspace, tmp_path: Path) -> None:
    """What a program complains of is an error in the agent's own words."""
    with pytest.raises(OSError, match="cat failed: ") as failed:
        shell(workspace)(["cat", "/workspace/gone.md"])
    assert "/workspace/gone.md" in str(failed.value)
    assert str(tmp_path) not in str(failed.value)


def test_complaints_stand_behind_what_was_printed(workspace: Workspace) -> None:
    """Half a result is told with what went wrong."""
    said = shell(workspace)(["cat", "doc/note.md", "gone.md"])
    assert said.startswith("milk\nbread\ncat: gone.md: ")


def test_blocked_commands_are_not_started(workspace: Workspace) -> None:
    """The tool guards itself, whatever the policy before it said."""
    with pytest.raises(PermissionError, match="not rm"):
        shell(workspace)(["rm", "-rf", "doc"])
    assert (workspace.root / "workspace/doc/note.md").exists()


def test_time_limit(workspace: Workspace) -> None:
    """A program that does not end is stopped."""
    with pytest.raises(TimeoutError, match="find took longer than 0 s"):
        shell(workspace, time_limit_s=0)(["find", "."])


def test_a_program_that_is_missing(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model hears that this machine does not have it."""

    def missing(*args: object, **kwargs: object) -> None:
        raise FileNotFoundError(2, "No such file", "/usr/bin/df")

    monkeypatch.setattr("subprocess.run", missing)
    with pytest.raises(FileNotFoundError, match="this machine has no df"):
        shell(workspace)(["df"])


def test_replay_starts_nothing(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded live, served under the guard: no program, and what was recorded although the disk changed."""
    folder = tmp_path / "kept"
    folder.mkdir()
    argv = ["find", "/workspace", "-name", "*.md"]
    found, recorded = run(recording(folder), lambda: shell(workspace)(argv))
    assert recorded.interactions[0].request.arguments == {"argv": argv}  # type: ignore[union-attr]
    (workspace.root / "workspace/doc/note.md").unlink()

    def started(*args: object, **kwargs: object) -> None:
        raise AssertionError("a program was started in replay")

    monkeypatch.setattr("subprocess.run", started)
    served, replayed = run(replaying(folder, recorded.interactions), lambda: shell(workspace)(argv))
    assert served == found == "/workspace/doc/note.md"
    assert (replayed.side_effects, replayed.misses, replayed.tool_drift) == ((), (), ())
