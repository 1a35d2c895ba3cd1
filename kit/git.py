"""What kit asks of git; a project without git, or a machine without it, just has no answer."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
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
        Empty where the commit has no such folder; None where git does not answer, or lost one of them.
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


def _split_batch(paths: list[str], content: bytes) -> dict[str, bytes] | None:
    found, at = dict[str, bytes](), 0
    for path in paths:
        end = content.index(b"\n", at)
        size = content[at:end].rsplit(b" ", 1)[1]
        if not size.isdigit():  # `missing`
            return None
        found[path] = content[end + 1 : end + 1 + int(size)]
        at = end + 1 + int(size) + 1
    return found


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of a history.

    Attributes:
        id: all its hex digits.
        tree: id of its content; that of `write_tree` just before it was made.
        date: when it was first written, ISO 8601; stays through a rebase.
        message: whole.
    """

    id: str
    tree: str
    date: str
    message: str


def history(root: Path, revisions: str) -> tuple[Commit, ...] | None:
    """The commits that a range names (`main..HEAD`), the oldest first; None where git knows no such range."""
    printed = _run(
        root, "log", "--reverse", "--format=%H%n%T%n%aI%n%B%x00", "--end-of-options", revisions, "--"
    )
    if printed is None:
        return None
    entries = printed.decode("utf-8", "replace").split("\0")
    return tuple(Commit(*entry.lstrip("\n").split("\n", 3)) for entry in entries if entry.strip())


def head(root: Path) -> Commit | None:
    """The commit checked out; None before the first one."""
    found = history(root, "HEAD^!")
    return found[-1] if found else None


def comment_mark(root: Path) -> str:
    """What lines begin with that git takes out of a commit message."""
    found = _ask(root, "config", "core.commentString") or _ask(root, "config", "core.commentChar")
    return found if found and found != "auto" else "#"


def merge_base(root: Path, one: str, other: str) -> str | None:
    """The commit where two revisions parted; None where they never met."""
    return _ask(root, "merge-base", one, other) or None


def is_replaying_commits(root: Path) -> bool:
    """Whether a rebase, cherry-pick or `git am` is under way: its commits are not somebody's own work."""
    names = ("rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD")
    paths = [_ask(root, "rev-parse", "--path-format=absolute", "--git-path", name) for name in names]
    return any(path and Path(path).exists() for path in paths)


def write_tree(root: Path) -> str | None:
    """The id of what is staged, as the next commit will have it; None where it cannot be (a conflict)."""
    return _ask(root, "write-tree", of_index=True)


def staged(root: Path) -> tuple[str, ...] | None:
    """Files below `root` that the next commit changes, both names of a renamed one; None outside git."""
    return _names(root, "diff", "--cached", "--name-only", "--no-renames", "--relative", "-z")


def unstaged(root: Path) -> tuple[str, ...] | None:
    """Tracked files below `root` that lie there otherwise than they are staged; None outside git."""
    return _names(root, "diff", "--name-only", "--no-renames", "--relative", "-z")


def untracked(root: Path) -> tuple[str, ...] | None:
    """Files below `root` that git neither knows nor ignores; None outside git."""
    return _names(root, "ls-files", "--others", "--exclude-standard", "-z")


def known_or_new(root: Path, paths: Sequence[str]) -> frozenset[str] | None:
    """Those of some files that git tracks, or would take in: all that it does not ignore.

    Args:
        root: a folder of the working tree.
        paths: relative to `root`.

    Returns:
        None outside git.
    """
    if not paths:
        return frozenset()
    found = _names(
        root,
        *("--literal-pathspecs", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--"),
        *paths,
    )
    return None if found is None else frozenset(found)


@dataclass(frozen=True, slots=True)
class Sides:
    """The versions of a file between which git could not decide, as ids of their content.

    Attributes:
        base: where the two began; None where both added the file.
        ours: of the branch checked out; in a rebase that is what is rebased onto. None where it is deleted.
        theirs: of the other; in a rebase one's own commit. None where it is deleted.
    """

    base: str | None = None
    ours: str | None = None
    theirs: str | None = None


def conflicts(root: Path, folder: str, *, are_staged: bool = False) -> dict[str, Sides] | None:
    """The files below a folder that git could not merge, by path relative to `root`; None outside git.

    Args:
        root: a folder of the working tree.
        folder: relative to `root`.
        are_staged: those whose conflict somebody ended by `git add` since, instead.
    """
    entries = _names(root, "ls-files", "--resolve-undo" if are_staged else "--unmerged", "-z", "--", folder)
    if entries is None:
        return None
    found: dict[str, dict[str, str]] = {}
    for entry in entries:
        head, _, path = entry.partition("\t")
        _, blob, stage = head.split(" ")
        found.setdefault(path, {})[("base", "ours", "theirs")[int(stage) - 1]] = blob
    return {path: Sides(**sides) for path, sides in found.items()}


def staged_blob(root: Path, path: str) -> str | None:
    """The id of a file's content as it is staged; None where it is not, or in conflict."""
    entries = _names(root, "ls-files", "--stage", "-z", "--", path) or ()
    heads = [entry.partition("\t")[0].split(" ") for entry in entries]
    return next((blob for _, blob, stage in heads if stage == "0"), None)


def content(root: Path, blob: str, path: str) -> bytes | None:
    """What git keeps under an id, as it would lie at `path`; None where it keeps nothing."""
    filtered = _run(root, "cat-file", "--filters", f"--path={path}", blob)
    return filtered if filtered is not None else _run(root, "cat-file", "blob", blob)


def stage(root: Path, path: str) -> bool:
    """Stage a file as it lies there, or that it is gone; False where git refuses."""
    return _run(root, "add", "--all", "--", path, of_index=True) is not None


def top(root: Path) -> Path | None:
    """The folder of the whole working tree that `root` lies in; None outside git."""
    found = _ask(root, "rev-parse", "--show-toplevel")
    return Path(found) if found else None


def changed_since(root: Path, commit_id: str) -> tuple[str, ...] | None:
    """Files that lie in the working tree otherwise than where this branch left the commit's, new ones too.

    Args:
        root: the project; files outside it have `../` in front.
        commit_id: what `find_commit` gave; where a branch parted from it counts, not what came behind it.

    Returns:
        None where git does not answer.
    """
    above = top(root)
    if above is None:
        return None
    base = merge_base(root, commit_id, "HEAD") or commit_id
    changed = _names(above, "diff", "--name-only", "--no-renames", "-z", base, "--")
    new = untracked(above)
    if changed is None or new is None:
        return None
    names = dict.fromkeys((*changed, *new))
    return tuple(Path(os.path.relpath(above / name, root.resolve())).as_posix() for name in names)


def _names(root: Path, *arguments: str) -> tuple[str, ...] | None:
    printed = _run(root, *arguments, of_index=True)
    if printed is None:
        return None
    return tuple(name for name in printed.decode("utf-8", "surrogateescape").split("\0") if name)


def _ask(root: Path, *arguments: str, of_index: bool = False) -> str | None:
    """What git prints, stripped; None where it fails, hangs or is missing."""
    printed = _run(root, *arguments, of_index=of_index)
    return None if printed is None else printed.decode("utf-8", "replace").strip()


def _run(root: Path, *arguments: str, given: bytes = b"", of_index: bool = False) -> bytes | None:
    environment = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
    if of_index and (index := os.environ.get("GIT_INDEX_FILE")):
        # `git commit -a` and `git commit FILE` stage into an index of their own, and hooks run in its folder.
        environment["GIT_INDEX_FILE"] = str(Path(index).absolute())
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
