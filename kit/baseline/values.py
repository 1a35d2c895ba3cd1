"""Where two JSON values differ: the only place that asks DeepDiff, and only of values that do differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from kit.canonical import canonical_json

_PLAIN = re.compile(r"[A-Za-z_][\w-]*\Z")


class Absent:
    """The type of `ABSENT`: a value that is not there, which is not the value null."""

    def __repr__(self) -> str:
        return "(absent)"


ABSENT: Final = Absent()


class ValueChange(NamedTuple):
    """One place that differs.

    Attributes:
        path: `items[0].name`; empty for the whole value.
        before: the value there, or `ABSENT`.
        after: the value there, or `ABSENT`.
    """

    path: str
    before: Any
    after: Any


def value_changes(before: Any, after: Any) -> tuple[ValueChange, ...]:
    """Every place where two JSON values differ, in order of their paths; nothing for equal ones."""
    if canonical_json(before) == canonical_json(after):
        return ()
    if not isinstance(before, dict | list) or type(before) is not type(after):
        return (ValueChange("", before, after),)
    changes = tuple(sorted(_deep(before, after), key=lambda change: change.path))
    # DeepDiff calls 0.0 and -0.0 equal, canonical JSON does not.
    return changes or (ValueChange("", before, after),)


def _deep(before: Any, after: Any) -> Iterator[ValueChange]:
    from deepdiff import DeepDiff

    # Without the threshold two mappings of few common keys would count as one replaced value.
    tree = DeepDiff(before, after, view="tree", threshold_to_diff_deeper=0, verbose_level=2)
    for kind, levels in tree.items():
        for level in levels:
            path = _path(level.path(output_format="list"))
            is_added, is_removed = kind.endswith("_added"), kind.endswith("_removed")
            yield ValueChange(path, ABSENT if is_added else level.t1, ABSENT if is_removed else level.t2)


def _path(parts: list[Any]) -> str:
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN.match(part):
            text += f".{part}" if text else part
        else:
            text += f"[{part!r}]"
    return text
