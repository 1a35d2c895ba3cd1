"""Which terminal commands of the QA agent run by themselves: by pattern, and never outside of the scope root.

Without a rule that lets it, a command is held for a person's approval (S4-14, S4-15).
"""

from __future__ import annotations

import fnmatch
import json
import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from kit.agent.protocol import Workspace
from kit.agents.bounds import out_of_bounds

FILE = "permissions.json"
"""Lies in the scope root, beside the repository."""
_SHORT_OPTIONS = re.compile(r"-[A-Za-z]+")
_JOINTS = re.compile(r"[=:,@]")
"""What programs write between a word and a path: `--prefix=/x`, `file:///x`, `@/x`."""


@dataclass(frozen=True, slots=True)
class Permissions:
    """What a project lets an agent's terminal do.

    Attributes:
        scope: root of the project as the agent sees it; nothing outside of it is approved by itself.
        allow: patterns of commands, word for word, `*` in a word as in file names. A command has to match
            as a whole: there is no shell that would read `&&` or `;`.
    """

    scope: str
    allow: tuple[str, ...] = ()


def read_permissions(workspace: Workspace) -> Permissions:
    """The permissions of the project in a workspace; without a file every command needs an approval.

    Raises:
        ValueError: the file is there and says something else than `{"terminal": {"allow": ["…"]}}`.
    """
    file = workspace.resolve(f"{workspace.home}/{FILE}")
    if not file.is_file():
        return Permissions(workspace.home)
    try:
        allow = json.loads(file.read_text(encoding="utf-8"))["terminal"]["allow"]
    except (ValueError, LookupError, TypeError) as problem:
        raise ValueError(f'{FILE} must look like {{"terminal": {{"allow": ["npm test"]}}}}') from problem
    if not isinstance(allow, list) or not all(isinstance(pattern, str) for pattern in allow):
        raise ValueError(f"{FILE}: `allow` must be a list of strings")
    return Permissions(workspace.home, tuple(allow))


def why_held(command: str, cwd: str, permissions: Permissions, workspace: Workspace) -> str:
    """Why a command waits for a person, in words; empty where it runs by itself.

    Args:
        command: as the model wrote it.
        cwd: where it would run, as the agent sees it.
        permissions: the project's.
        workspace: to tell where links lead.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return "the command cannot be read: its quotes do not match"
    if not words:
        return "the command is empty"
    if len(command.strip().splitlines()) > 1:
        return "the command has several lines"
    for place in (cwd, *(place for word in words for place in _places_in(word))):
        if _is_outside(posixpath.join(cwd, place), place, permissions.scope, workspace):
            return f"{place} is outside of the project's scope {permissions.scope}"
    if not any(_matches(words, pattern) for pattern in permissions.allow):
        return "no allow pattern of the project matches the command"
    return ""


def _places_in(word: str) -> Iterator[str]:
    """Everything in a word that a program may take for a path; a name without a slash may be a link."""
    yield from filter(None, (word, *_JOINTS.split(word)))
    if options := _SHORT_OPTIONS.match(word):
        yield from filter(None, (word[options.end() :],))  # -C/x and -C../x have their value at once


def _is_outside(path: str, place: str, scope: str, workspace: Workspace) -> bool:
    # Whose home `~` is, the program decides.
    return place.startswith("~") or bool(out_of_bounds(path, (scope,), workspace))


def _matches(words: list[str], pattern: str) -> bool:
    wanted = pattern.split()
    return len(words) == len(wanted) > 0 and all(map(fnmatch.fnmatchcase, words, wanted))
