"""What was accepted at another git ref, as a folder like the project's own."""

from __future__ import annotations

from pathlib import Path

from kit import clock, git
from kit.baseline.store import FOLDER
from kit.errors import UsageError
from kit.workflow.project import Project

_SHOWN = 8


def baselines_at(project: Project, ref: str) -> Path:
    """A folder below `.kit/` whose `baselines/` is that of a branch, tag or commit.

    It is named after the commit, so that asking again costs nothing.

    Raises:
        UsageError: the project is in no repository, or there is no such ref.
    """
    commit = commit_at(project, ref)
    target = project.folder("refs") / commit
    if not target.is_dir():
        _write(git.files_at(project.root, commit, FOLDER) or {}, target)
    return target


def commit_at(project: Project, ref: str) -> str:
    """The whole id of the commit that a ref names.

    Raises:
        UsageError: the project is in no repository, or there is no such ref.
    """
    if not git.is_repository(project.root):
        raise UsageError(f"`{ref}` is a git ref, and {project.root} is in no git repository")
    commit = git.find_commit(project.root, ref)
    if commit is None:
        known = git.refs(project.root)
        names = ", ".join(known[:_SHOWN]) + (", …" if len(known) > _SHOWN else "")
        raise UsageError(
            f"`{ref}` names no commit",
            why=f"there are {names}" if known else "the repository has no branch and no tag yet",
        )
    return commit


def _write(files: dict[str, bytes], target: Path) -> None:
    """All files or none: another run may want the same ref at this moment."""
    fresh = target.with_name(f".{target.name}-{clock.fresh_id()[:6]}")
    fresh.mkdir()
    for path, content in files.items():
        file = fresh / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    try:
        fresh.rename(target)
    except OSError:
        if not target.is_dir():
            raise
