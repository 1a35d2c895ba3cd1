"""Cassettes that git could not merge: both sides, read from the index, where no marker has to tell of them.

`.gitattributes` says `-merge`, so what lies in the folder during a conflict is one side, whole and loadable:
a plain `git add` would commit it as if somebody had chosen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from kit import git
from kit.cassette.cassette import Cassette
from kit.cassette.interaction import HttpRequest, ToolRequest
from kit.cassette.load import loads, reviewed
from kit.cassette.media import beside
from kit.cassette.paths import FOLDER, SUFFIX
from kit.cassette.peek import is_lfs_pointer
from kit.errors import CassetteInvalid, UsageError
from kit.workflow.project import Project

SideName = Literal["ours", "theirs"]
_HEADS = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "REBASE_HEAD": "rebase",
}
_CHOSEN = "resolved.json"


@dataclass(frozen=True, slots=True)
class Side:
    """One version of a cassette in conflict.

    Attributes:
        name: ours is what the branch checked out has; in a rebase that is what is rebased onto.
        commit: where it comes from, id and subject; None where git does not say.
        blob: id of its content; None where this side deleted the file.
        text: its content, empty where it was deleted.
        cassette: as read; None where it was deleted or cannot be read.
        problem: why it cannot be read.
        is_pointer: it is what git LFS leaves in the place of a file that was not fetched.
    """

    name: SideName
    commit: str | None
    blob: str | None
    text: str = ""
    cassette: Cassette | None = None
    problem: str | None = None
    is_pointer: bool = False


@dataclass(frozen=True, slots=True)
class Conflict:
    """A cassette that two branches recorded.

    Attributes:
        path: relative to the project.
        during: merge, rebase, cherry-pick or revert; None for a stash that was applied.
        ours: see `Side`.
        theirs: see `Side`.
        is_staged: somebody ended the conflict by `git add`; what is staged is ours.
    """

    path: str
    during: str | None
    ours: Side
    theirs: Side
    is_staged: bool = False

    def side(self, name: SideName) -> Side:
        """One of the two."""
        return self.ours if name == "ours" else self.theirs

    @property
    def difference(self) -> str:
        """What differs between the two, in a line."""
        one, other = self.ours.cassette, self.theirs.cassette
        if one is None or other is None:
            return "one side is not there or cannot be read"
        if reviewed(self.ours.text) == reviewed(self.theirs.text):
            return "the same conversation on both sides; only header and timing differ"
        pairs = list(zip(one.interactions, other.interactions, strict=False))
        for number, (left, right) in enumerate(pairs, start=1):
            if _asked(left.request) != _asked(right.request):
                return f"call {number} asks otherwise"
            if left.response != right.response:
                return f"call {number} is answered otherwise"
        return f"{len(one.interactions)} calls against {len(other.interactions)}"


def _asked(request: HttpRequest | ToolRequest) -> object:
    """A request without its server, which is another in every recording of a scripted model."""
    if isinstance(request, HttpRequest):
        return request.method, urlsplit(request.url).path, request.body
    return request


def conflicts(project: Project) -> tuple[Conflict, ...]:
    """Every cassette in conflict, and those that were staged as ours without a choice, in order of paths.

    Raises:
        UsageError: the project is in no repository.
    """
    root = project.root
    unmerged = git.conflicts(root, FOLDER)
    if unmerged is None:
        raise UsageError("there is no repository of git here", where=str(root))
    found = {path: _conflict(root, path, sides) for path, sides in unmerged.items()}
    for path, sides in staged_unseen(project).items():
        found.setdefault(path, _conflict(root, path, sides, is_staged=True))
    return tuple(found[path] for path in sorted(found) if path.endswith(SUFFIX))


def staged_unseen(project: Project) -> Mapping[str, git.Sides]:
    """Cassettes whose conflict ended by a `git add` of what lay there: ours, and nobody looked at theirs."""
    root = project.root
    if operation(root)[0] is None:
        return {}
    chosen = _chosen(project)
    return {
        path: sides
        for path, sides in (git.conflicts(root, FOLDER, are_staged=True) or {}).items()
        if path.endswith(SUFFIX)
        and sides.ours is not None
        and git.staged_blob(root, path) == sides.ours != chosen.get(path)
    }


def operation(root: Path) -> tuple[str | None, str | None]:
    """What git is in the middle of, and the commit on the other side of it; None for both without any."""
    for head, name in _HEADS.items():
        commit = git.find_commit(root, head)
        if commit is not None:
            return name, commit
    return None, None


def note_choice(project: Project, path: str) -> None:
    """Remember that somebody looked at both sides of a cassette and chose what is staged now."""
    chosen = {**_chosen(project), path: git.staged_blob(project.root, path)}
    file = project.folder("conflicts") / _CHOSEN
    file.write_text(json.dumps(chosen, indent=2) + "\n", encoding="utf-8")


def _chosen(project: Project) -> dict[str, str | None]:
    try:
        found = json.loads((project.root / ".kit" / "conflicts" / _CHOSEN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _conflict(root: Path, path: str, sides: git.Sides, *, is_staged: bool = False) -> Conflict:
    during, other = operation(root)
    ours = _side(root, path, "ours", "HEAD", sides.ours)
    return Conflict(path, during, ours, _side(root, path, "theirs", other, sides.theirs), is_staged)


def _side(root: Path, path: str, name: SideName, revision: str | None, blob: str | None) -> Side:
    commit = (git.history(root, f"{revision}^!") or None) if revision else None
    told = f"{commit[-1].id[:10]} {commit[-1].message.partition(chr(10))[0]}" if commit else None
    octets = None if blob is None else git.content(root, blob, path)
    if octets is None:
        return Side(name, told, blob, problem="it is deleted on this side" if blob is None else "git lost it")
    if is_lfs_pointer(octets):
        problem = "it is a pointer of git LFS: git lfs pull"
        return Side(name, told, blob, problem=problem, is_pointer=True)
    text = octets.decode("utf-8", "replace")
    try:
        return Side(name, told, blob, text, loads(text, path, media=beside(root / path)))
    except CassetteInvalid as error:
        return Side(name, told, blob, text, problem=error.what)
