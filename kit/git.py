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


def find_commit(root: Path, ref: str) -> str | None:
    """The whole id of the commit that a branch, tag or other revision names; None where there is none."""
    return _ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}") or None


def refs(root: Path) -> tuple[str, ...]:
    """Branches and tags, the newest first, for a message that says what exists."""
    names = _ask(root, "for-each-ref", "--sort=-creatordate", "--format=%(refname:short)")
    return tuple(names.splitlines()) if names else ()


def files_at(root: Path, commit_id: str, folder: str) -> dict[str, bytes] | None:
    """The files below a folder as a commit has them, by path relative to `root`; symbolic links left out.

    Args:
        root: a folder of the working tree.
        commit_id: what `find_commit` gave.
        folder: relative to `root`.

    Returns:
        Empty where the commit has no such folder; None where git does not answer.
    """
    listed = _run(root, "ls-tree", "-r", "-z", commit_id, "--", f"{folder}/")
    if listed is None:
        return None
    entries = []
    for line in listed.decode("utf-8", "surrogateescape").split("\0"):
        head, _, path = line.partition("\t")
        mode, kind, blob = head.split(" ") if head else ("", "", "")
        if kind == "blob" and mode != "120000":
            entries.append((path, blob))
    content = _run(root, "cat-file", "--batch", given="".join(f"{blob}\n" for _, blob in entries).encode())
    return None if content is None else _split_batch([path for path, _ in entries], content)


def _split_batch(paths: list[str], content: bytes) -> dict[str, bytes]:
    found = {}
    at = 0
    for path in paths:
        end = content.index(b"\n", at)
        size = int(content[at:end].rsplit(b" ", 1)[1])
        found[path] = content[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return found


def _ask(root: Path, *arguments: str) -> str | None:
    """What git prints, stripped; None where it fails, hangs or is missing."""
    printed = _run(root, *arguments)
    return None if printed is None else printed.decode("utf-8", "replace").strip()


def _run(root: Path, *arguments: str, given: bytes = b"") -> bytes | None:
    environment = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
    environment["LC_ALL"] = "C"
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(root), *arguments],
            capture_output=True,
            check=False,
            env=environment,
            input=given,
            timeout=TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
