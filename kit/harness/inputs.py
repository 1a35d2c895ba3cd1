"""What a recorded run was made from, by digest: a replay says what has changed since (decision 11)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kit.canonical import digest_file
from kit.scenario.select import Selected


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
        (file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name): digest_file(file)
        for file in files
    }


def changed_inputs(recorded: Mapping[str, str], selected: Selected, root: Path) -> tuple[str, ...]:
    """The inputs that differ from the recorded ones, came or went, in order of their paths.

    A cassette that names none tells nothing.
    """
    if not recorded:
        return ()
    now = inputs_of(selected, root)
    return tuple(sorted(path for path in recorded.keys() | now if recorded.get(path) != now.get(path)))
