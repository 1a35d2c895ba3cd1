"""YAML of a suite's files as plain values that remember their lines, so that every problem has a place."""

from __future__ import annotations

import bisect
import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from kit.errors import Problem

Location = tuple[str | int, ...]


class _CoreLoader(yaml.CSafeLoader):
    """Plain scalars by YAML 1.2's core schema: `No`, `on`, `1:30` and `2026-04-21` are text."""


_CoreLoader.yaml_implicit_resolvers = {}
_TAG = "tag:yaml.org,2002:"
_KEYS = (str, int, float)
for _kind, _pattern, _first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+0123456789."),
):
    _CoreLoader.add_implicit_resolver(_TAG + _kind, re.compile(_pattern), list(_first))


@dataclass(slots=True)
class Tree:
    """One file's values.

    Attributes:
        path: as messages name it.
        value: the values; None where the file cannot be read at all.
        lines: line of each key and item by its location, counted from 1.
    """

    path: str
    value: Any = None
    lines: dict[Location, int] = field(default_factory=dict)
    _found: list[tuple[int, int, str]] = field(default_factory=list)

    def report(self, what: str, location: Location = ()) -> None:
        """Add a problem at `location`, or at its nearest ancestor that has a line."""
        self.report_line(what, self.line(location))

    def report_line(self, what: str, line: int) -> None:
        """Add a problem at a line; problems stay in order of their lines."""
        bisect.insort(self._found, (line, len(self._found), what))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything found wrong so far, from top to bottom."""
        return tuple(Problem(f"{self.path}:{line}", what) for line, _, what in self._found)

    def line(self, location: Location) -> int:
        """The line of a location, or of its nearest ancestor."""
        while location and location not in self.lines:
            location = location[:-1]
        return self.lines.get(location, 1)

    def has(self, location: Location) -> bool:
        """Whether the file has something at this location."""
        return location in self.lines


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean …?)` where something near is known, else nothing."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean `{near[0]}`?)" if near else ""


def read_tree(file: Path, shown: str) -> Tree:
    """Read one file; whatever is wrong with it is in the tree's problems, nothing is raised.

    Args:
        file: the file to read.
        shown: its path as messages name it.
    """
    tree = Tree(shown)
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as fault:
        tree.report(f"the file cannot be read: {fault.strerror}")
        return tree
    except UnicodeDecodeError as fault:
        line = fault.object[: fault.start].count(b"\n") + 1
        tree.report_line(f"byte {fault.start} is not UTF-8: save the file as UTF-8", line)
        return tree
    conflict = re.search(r"^(<{7}|>{7}) ", text, re.MULTILINE)
    if conflict:
        line = text.count("\n", 0, conflict.start()) + 1
        tree.report_line("holds git's merge conflict markers: settle the conflict", line)
        return tree
    try:
        _fill(tree, text)
    except yaml.MarkedYAMLError as fault:
        # Of something that never ends, the line where it begins is of use, not the last one of the file.
        never_ends = "end of stream" in (fault.problem or "")
        mark = (fault.context_mark if never_ends else None) or fault.problem_mark or fault.context_mark
        line = mark.line + 1 if mark else 1
        tree.report_line(f"is not YAML: {_yaml_text(fault, text, line)}", line)
    except yaml.YAMLError as fault:
        tree.report(f"is not YAML: {str(fault).splitlines()[0]}")
    return tree


def _yaml_text(fault: yaml.MarkedYAMLError, text: str, line: int) -> str:
    lines = text.splitlines()
    shown = lines[line - 1] if line <= len(lines) else ""
    if shown.lstrip(" ").startswith("\t"):
        return "it is indented with a tab: use spaces"
    return " ".join(part for part in (fault.problem, fault.context) if part)


def _fill(tree: Tree, text: str) -> None:
    loader = _CoreLoader(text)
    try:
        if not loader.check_node():
            tree.report("the file is empty: it must hold a mapping")
            return
        root = loader.get_node()
        if loader.check_node():
            second = loader.get_node()
            line = second.start_mark.line + 1 if second else 1
            tree.report_line("a second document begins here: one file holds one mapping", line)
    finally:
        loader.dispose()
    if not isinstance(root, yaml.MappingNode):
        found = "a list" if isinstance(root, yaml.SequenceNode) else "a single value"
        tree.report(f"must hold a mapping, holds {found}: one file is one scenario or one suite")
        return
    tree.value = _Walk(tree).value(root, ())


class _Walk:
    """Turns nodes into values; a node met twice is an alias."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.seen: set[int] = set()
        self.kept: list[yaml.Node] = []  # ids stay unique only while the nodes live

    def value(self, node: yaml.Node, location: Location) -> Any:
        self.tree.lines.setdefault(location, node.start_mark.line + 1)
        if id(node) in self.seen:
            self.tree.report("aliases (`*name`) are not allowed: write the value out", location)
            return None
        self.seen.add(id(node))
        self.kept.append(node)
        if isinstance(node, yaml.MappingNode) and node.tag == _TAG + "map":
            return self.mapping(node, location)
        if isinstance(node, yaml.SequenceNode) and node.tag == _TAG + "seq":
            return [self.value(item, (*location, number)) for number, item in enumerate(node.value)]
        return self.scalar(node, location)

    def mapping(self, node: yaml.MappingNode, location: Location) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode) or not isinstance(
                self.scalar(key_node, location), _KEYS
            ):
                self.tree.report_line("a key must be a plain word", line)
                continue
            key = key_node.value
            at = (*location, key)
            if key in values:
                what = f"key `{key}` stands here a second time, first in line {self.tree.lines[at]}"
                self.tree.report_line(what, line)
                continue
            self.tree.lines[at] = line
            values[key] = self.value(value_node, at)
        return values

    def scalar(self, node: yaml.Node, location: Location) -> Any:
        kind = node.tag.removeprefix(_TAG) if isinstance(node, yaml.ScalarNode) else ""
        text = node.value
        if kind == "str":
            return text
        try:
            if kind == "int":
                return int(text)
            if kind == "float":
                return float(text)
        except ValueError:
            self.tree.report(f"`{text}` is not a number", location)
            return None
        if kind == "bool":
            return text.lower() == "true"
        if kind == "null":
            return None
        self.tree.report(f"the tag `{node.tag}` is not allowed: write a plain value", location)
        return None
