"""What kit asks of git; a project without git, or a machine without it, just has no answer."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

TIMEOUT_S = 10

_OF_A_HOOK = frozenset(
    {
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_WORK_TREE",
    }
)
"""Set by git for its hooks, these point at the outer repository and would beat the folder asked about."""


def is_repository(root: Path) -> bool:
    """Whether `root` lies in a working tree of git."""
    return _ask(root, "rev-parse", "--is-inside-work-tree") == "true"


def commit(root: Path) -> str | None:
    """The commit checked out, for headers and reports: ten hex digits, `-dirty` behind where files differ.

    Untracked files do not count: a fresh recording would otherwise call every tree dirty.

    Returns:
        None without git, outside a repository, or before its first commit.
    """
    found = _ask(root, "rev-parse", "--verify", "HEAD")
    if not found:
        return None
    changes = _ask(root, "status", "--porcelain", "--untracked-files=no")
    return f"{found[:10]}-dirty" if changes else found[:10]


def user(root: Path) -> str | None:
    """Who works here, as owner of an accepted baseline: git's user.name, else user.email, else None."""
    return _ask(root, "config", "user.name") or _ask(root, "config", "user.email") or None


def _ask(root: Path, *arguments: str) -> str | None:
    """What git prints, stripped; None where it fails, hangs or is missing."""
    environment = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
    environment["LC_ALL"] = "C"
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(root), *arguments],
            capture_output=True,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None
