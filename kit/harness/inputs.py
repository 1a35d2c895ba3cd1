"""What a recorded run was made from, by digest: a replay says what has changed since (decision 11)."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kit import git
from kit.canonical import digest_file
from kit.recording.guard.reads import FileRead
from kit.scenario.select import Selected

GONE = ""
"""Stands for the digest of a file that is no longer there."""


def inputs_of(selected: Selected, root: Path) -> dict[str, str]:
    """Digest of the scenario's file and of each fixture, by path relative to the project.

    Args:
        selected: the scenario and its file.
        root: the project.
    """
    files = [selected.path]
    for fixture in selected.scenario.setup.fixtures:
        source = root / fixture.content_fixture
        files += sorted(one for one in source.rglob("*") if one.is_file()) if source.is_dir() else [source]
    return {
        (file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name): _digest(file)
        for file in files
    }


def files_read(reads: Iterable[str], writes: Iterable[str], root: Path) -> dict[str, str]:
    """Digest of each file of the repository that a recording read, by path relative to the project.

    A file that the run wrote, or that is no longer as it was read, is no input but what came out; a file that
    git ignores is none of the repository.

    Args:
        reads: as `SessionResult.reads` has them.
        writes: as `SessionResult.writes` has them.
        root: the project.
    """
    home = os.path.realpath(root)
    written = set(writes)
    found = [one for one in map(FileRead.parse, reads) if one.path not in written and one.is_as_read()]
    paths = sorted({Path(one.path).relative_to(home).as_posix(): one for one in found})
    kept = git.known_or_new(root, paths)
    # git does not take in a path that is no UTF-8, and neither does a header.
    return {
        path: _digest(root / path)
        for path in paths
        if (kept is None or path in kept) and path.isprintable() and _is_unicode(path)
    }


def changed_inputs(recorded: Mapping[str, str], selected: Selected, root: Path) -> tuple[str, ...]:
    """The inputs that differ from the recorded ones, came or went, in order of their paths.

    A cassette that names none tells nothing.
    """
    return changed_files(recorded, inputs_of(selected, root), root) if recorded else ()


def changed_files(recorded: Mapping[str, str], now: Mapping[str, str], root: Path) -> tuple[str, ...]:
    """As `changed_inputs`, where what the run starts from is known.

    Args:
        recorded: the inputs of a header.
        now: what a run would start from today, by path; files that only the recorded run read are added.
        root: the project.
    """
    read = {path: _digest(root / path) for path in recorded.keys() - now.keys()}
    today = {**now, **read}
    return tuple(sorted(path for path, digest in today.items() if recorded.get(path) != digest))


def told_changes(changed: Sequence[str]) -> str:
    """The changed inputs as a person reads them."""
    return f"changed since it was recorded: {', '.join(changed)}"


def _digest(file: Path) -> str:
    try:
        status = file.stat()
    except OSError:
        return GONE
    return _digest_of(str(file), status.st_mtime_ns, status.st_size, status.st_ino)


@functools.lru_cache(maxsize=4096)
def _digest_of(path: str, modified_ns: int, size: int, inode: int) -> str:
    """Cached, since the runs of a plan share their inputs; the rest of the key says what the file is."""
    del modified_ns, size, inode
    try:
        return digest_file(Path(path))
    except OSError:
        return GONE


def _is_unicode(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
