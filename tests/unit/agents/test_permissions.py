"""Which commands of the QA agent's terminal run by themselves (S4-14, S4-15)."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.agents.permissions import Permissions, read_permissions, why_held
from tests.fakes.qa_cases import REPO, repository

ALLOWED = Permissions("/workspace", ("npm test", "node --test *"))


def held(root: Path, command: str, cwd: str = REPO, permissions: Permissions = ALLOWED) -> str:
    """Why the command waits."""
    return why_held(command, cwd, permissions, repository(root))


@pytest.mark.parametrize("command", ["npm test", "  npm   test ", "'npm' test", "node --test test/a.test.js"])
def test_what_a_pattern_matches_runs(tmp_path: Path, command: str) -> None:
    """Word for word, however it is spaced and quoted."""
    assert held(tmp_path, command) == ""


@pytest.mark.parametrize("command", ["", " ", "\n", "''"])
def test_an_empty_command_is_held(tmp_path: Path, command: str) -> None:
    """No pattern matches an empty string (S4-32), not even one that matches everything."""
    everything = Permissions("/workspace", ("*", ""))
    if command == "''":
        assert held(tmp_path, command) != ""
    else:
        assert held(tmp_path, command, permissions=everything) == "the command is empty"


@pytest.mark.parametrize(
    "command",
    [
        "npm test && rm -rf /workspace",
        "npm test; ls",
        "npm install",
        "npm",
        "npm test -- x",
        "NPM test",
        "npm 'test",
        "npm\ntest",
        "npm test\nrm a.js",
        "npm test | cat",
        "npm test &",
        "npm test $(ls)",
        "npm test `ls`",
        "npm test ''",
        "npm test\0",
        "npm\u00a0test",
        "cd .. && npm test",
        "CI=1 npm test",
        "env npm test",
        "sh -c 'npm test'",
        "'npm test'",
        "./npm test",
        "/usr/bin/npm test",
    ],
)
def test_what_no_pattern_matches_is_held(tmp_path: Path, command: str) -> None:
    """A command has to match as a whole: there is no shell behind it."""
    assert held(tmp_path, command)


@pytest.mark.parametrize(
    "command",
    [
        "node --test /etc/passwd",
        "node --test ../../../etc",
        "node --test a/../../..",
        "node --test --require=/etc/x",
        "node --test --require=/etc/a=b",
        "node --test -C/etc",
        "node --test -xC../../..",
        "node --test file:///etc/passwd",
        "node --test a=/etc/passwd",
        "node --test @/etc/passwd",
        "node --test ~/x",
        "node --test ~root",
    ],
)
def test_a_path_outside_of_the_scope_is_held(tmp_path: Path, command: str) -> None:
    """However well the command matches a pattern."""
    assert "outside of the project's scope /workspace" in held(tmp_path, command)


@pytest.mark.parametrize(
    "command", ["node --test ../b.js", "node --test /workspace/b.js", "node --test a..b"]
)
def test_a_path_in_the_scope_runs(tmp_path: Path, command: str) -> None:
    """The scope is the project's root, and a path starts where the command runs."""
    assert held(tmp_path, command) == ""


@pytest.mark.parametrize("cwd", ["/tmp", "/", "/workspace/../elsewhere"])
def test_a_folder_outside_of_the_scope_is_held(tmp_path: Path, cwd: str) -> None:
    """This kept every case of the source waiting when it cloned to a temporary folder."""
    assert "is outside of the project's scope" in held(tmp_path, "npm test", cwd)


def test_a_link_does_not_lead_out_of_the_scope(tmp_path: Path) -> None:
    """It is where a path ends that counts."""
    workspace = repository(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "workspace" / "link").symlink_to(tmp_path / "other")
    assert why_held("npm test", "/workspace/link", ALLOWED, workspace)


@pytest.mark.parametrize("word", ["link", "link/x.js", "--require=link/x.js"])
def test_a_link_in_the_repository_does_not_lead_out_either(tmp_path: Path, word: str) -> None:
    """Its name has no slash in front and no dots, and still it ends elsewhere."""
    workspace = repository(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "workspace" / "repo" / "link").symlink_to(tmp_path / "other")
    assert "outside of the project's scope" in why_held(f"node --test {word}", REPO, ALLOWED, workspace)


def test_permissions_are_read_from_the_scope_root(tmp_path: Path) -> None:
    """Beside the repository, not in it."""
    workspace = repository(tmp_path)
    (tmp_path / "workspace" / "permissions.json").write_text('{"terminal": {"allow": ["npm test"]}}')
    assert read_permissions(workspace) == Permissions("/workspace", ("npm test",))


def test_without_a_file_every_command_is_held(tmp_path: Path) -> None:
    """Asking is the default (S4-15)."""
    workspace = repository(tmp_path)
    permissions = read_permissions(workspace)
    assert permissions.allow == ()
    assert "no allow pattern" in why_held("npm test", REPO, permissions, workspace)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"terminal": {"allow": "npm test"}}', '{"terminal": {"allow": [1]}}']
)
def test_a_wrong_file_is_an_error(tmp_path: Path, text: str) -> None:
    """It never counts as no file."""
    workspace = repository(tmp_path)
    (tmp_path / "workspace" / "permissions.json").write_text(text)
    with pytest.raises(ValueError, match=r"permissions\.json"):
        read_permissions(workspace)
