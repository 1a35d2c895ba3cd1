"""Where a path really ends, and what its name gives away."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.agents.bounds import holds_secrets, is_memory, out_of_bounds, seen
from tests.fakes.home_turns import place


def test_seen_follows_links_and_stays_in_the_agents_words(tmp_path: Path) -> None:
    """No path of the machine is told; what leaves the workspace is nothing."""
    inner = tmp_path / "root"
    inner.mkdir()
    workspace = place(inner)
    (inner / "workspace/in").symlink_to(inner / "workspace/note.md")
    (inner / "workspace/out").symlink_to(tmp_path)
    assert seen("in", workspace) == "/workspace/note.md"
    assert seen("/", workspace) == "/"
    assert seen("out", workspace) == ""


def test_out_of_bounds_says_why(tmp_path: Path) -> None:
    """The reason names the path as given and what is allowed."""
    workspace = place(tmp_path)
    assert out_of_bounds("a/b", ("/workspace",), workspace) == ""
    assert out_of_bounds("/tmp", ("/workspace",), workspace) == "/tmp is outside of /workspace"


@pytest.mark.parametrize(
    "path", [".env", "a/.ENV.prod", "x.pem", "/tmp/id_ed25519", ".ssh/known_hosts", ".gnupg"]
)
def test_secret_names(tmp_path: Path, path: str) -> None:
    """Case does not matter, folders of keys count as a whole."""
    assert holds_secrets(path, place(tmp_path))


@pytest.mark.parametrize("path", ["environment.md", "keys.md", "id_rsa.pub.md", ".envelope", "monkey"])
def test_innocent_names(tmp_path: Path, path: str) -> None:
    """A word inside a name is no secret."""
    assert not holds_secrets(path, place(tmp_path))


def test_memory_folder(tmp_path: Path) -> None:
    """The folder itself and what lies in it, not its neighbours."""
    workspace = place(tmp_path)
    assert is_memory("memory", workspace)
    assert is_memory("/workspace/memory/a.md", workspace)
    assert not is_memory("memory2/a.md", workspace)
