"""Which paths the home agent's policy lets a call touch: by where they end, not by how they are written."""

from __future__ import annotations

import fnmatch
import posixpath

from kit.agent.protocol import Workspace

MEMORY = "memory"
"""Folder below home that only the memory tools change."""
SECRET_NAMES = (
    ".env",
    ".env.*",
    ".netrc",
    ".git-credentials",
    "*.pem",
    "*.key",
    "*.kdbx",
    "id_rsa",
    "id_ecdsa",
    "id_ed25519",
)
"""Files that hold keys and passwords; what stands in them never reaches a model."""
SECRET_FOLDERS = (".ssh", ".gnupg")


def out_of_bounds(path: str, folders: tuple[str, ...], workspace: Workspace) -> str:
    """Why a path may not be touched, in words for model and user; empty where it may.

    Args:
        path: as the model gave it.
        folders: that may be touched, as the agent sees them.
        workspace: to tell where links lead.
    """
    outside = f"{path} is outside of {' and '.join(folders)}"
    if not _lies_in(_plain(path, workspace), folders):
        return outside
    place = seen(path, workspace)
    if not place:
        return f"{path} leaves the workspace"
    # A link may lead to a folder of the workspace that the path does not show.
    return "" if _lies_in(place, folders) else outside


def holds_secrets(path: str, workspace: Workspace) -> bool:
    """Whether the path, or what it links to, is a file of keys or passwords by its name."""
    return any(_is_secret(place) for place in (_plain(path, workspace), seen(path, workspace)))


def is_memory(path: str, workspace: Workspace) -> bool:
    """Whether the path lies in the folder of remembered things."""
    return _lies_in(seen(path, workspace), (f"{workspace.home}/{MEMORY}",))


def seen(path: str, workspace: Workspace) -> str:
    """Where a path ends, links followed, as the agent sees it; empty where it leaves the workspace."""
    try:
        real = workspace.resolve(path)
    except (OSError, ValueError):
        return ""
    return posixpath.normpath(f"/{real.relative_to(workspace.root.resolve()).as_posix()}")


def _plain(path: str, workspace: Workspace) -> str:
    return posixpath.normpath(posixpath.join(workspace.home, path))


def _lies_in(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _is_secret(path: str) -> bool:
    *parents, name = path.lower().split("/")
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in SECRET_NAMES) or any(
        folder in (*parents, name) for folder in SECRET_FOLDERS
    )
