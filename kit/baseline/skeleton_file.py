"""Trace skeletons on disk: `<scenario>.trace.yaml` beside each baseline."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit.baseline.accepted import CellId
from kit.baseline.skeleton import Facts, Skeleton, SkeletonFile, digest_of, plain_facts, skeleton_of
from kit.baseline.yaml_text import dump
from kit.canonical import digest
from kit.errors import BaselineError
from kit.scenario.complaint import check
from kit.scenario.tree import read_tree

SUFFIX = ".trace.yaml"
_DIGEST = re.compile(r"^digest: ([0-9a-f]{32}) ([0-9a-f]{32})\n\Z", re.MULTILINE)


def skeleton_path(baseline: Path) -> Path:
    """Where the skeleton of a baseline lies: beside it."""
    return baseline.with_name(baseline.name.removesuffix(".yaml") + SUFFIX)


@dataclass(frozen=True, slots=True)
class KeptSkeleton:
    """A skeleton that was accepted, read no further than necessary.

    Attributes:
        path: the file.
        shown: its path as messages name it.
        digest: of its facts; None where the file was changed by hand and has to be read.
    """

    path: Path
    shown: str
    digest: str | None

    def read(self) -> Skeleton:
        """The whole of it.

        Raises:
            BaselineError: with every problem of the file, as `path:line`.
        """
        tree = read_tree(self.path, self.shown)
        kept = None if tree.value is None else check(SkeletonFile, tree)
        if kept is None:
            raise BaselineError(tree.problems)
        return skeleton_of(plain_facts(kept))


def find(root: Path, baseline: Path) -> KeptSkeleton | None:
    """The skeleton beside a baseline; None where it was accepted before there were skeletons.

    Args:
        root: of the project, from which messages name files.
        baseline: the baseline's file.
    """
    path = skeleton_path(baseline)
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return None
    found = _DIGEST.search(text)
    is_intact = found is not None and digest(text[: found.start()].encode()) == found[2]
    shown = path.relative_to(root).as_posix()
    return KeptSkeleton(path, shown, found[1] if found is not None and is_intact else None)


def dumps(cell: CellId, facts: Facts) -> str:
    """The text of a skeleton's file: the same bytes for the same values."""
    values: dict[str, Any] = {
        "schema_version": 1,
        "suite": cell.suite,
        "model": cell.model,
        "scenario": cell.scenario,
        **({"variant": cell.variant} if cell.variant else {}),
        **({"replicate": cell.replicate} if cell.replicate != 1 else {}),
        **facts,
    }
    text = dump(values)
    return f"{text}digest: {digest_of(facts)} {digest(text.encode())}\n"
