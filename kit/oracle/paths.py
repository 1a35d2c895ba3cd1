"""Comparing the paths that an agent sees: normalised, exact or as a glob (S2-15)."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Mapping
from typing import Any

from kit.oracle.text import normal

HOME = "/workspace"
"""What a relative path starts at: the agent's working directory as the agent sees it."""
_PATH_NAMES = ("path", "file", "filename", "folder", "directory")


def normal_path(path: str) -> str:
    """The absolute path without `.`, `..` and double slashes, in one Unicode spelling."""
    absolute = posixpath.normpath(posixpath.join(HOME, normal(path)))
    return "/" + absolute.lstrip("/")


def path_matches(path: str, pattern: str) -> bool:
    """Whether a path is the pattern, or matches it as a glob of `fnmatch`, whose `*` crosses slashes too.

    A pattern is anchored like a path; one that starts with `*` matches at any depth.
    """
    wanted = normal(pattern) if pattern.startswith("*") else normal_path(pattern)
    shown = normal_path(path)
    return shown == wanted or fnmatch.fnmatchcase(shown, wanted)


def path_arguments(arguments: Mapping[str, Any]) -> dict[str, str]:
    """The arguments of a tool call that are paths, by name.

    Those whose name says so (`path`, `target_path`, `file` …); where none does, every text may be one.
    """
    texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
    named = {name: value for name, value in texts.items() if name.lower().rsplit("_", 1)[-1] in _PATH_NAMES}
    return named or texts
