"""Which argument lists the home agent's shell tool runs: programs that only look, told only to look.

Everything is allowed by name or not at all: `find` has `-delete`, `grep` has `-f FILE`, `tail` has `-f`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kit.agent.protocol import Workspace
from kit.agents.bounds import holds_secrets, out_of_bounds


@dataclass(frozen=True, slots=True)
class Program:
    """What one program may be told.

    Attributes:
        options: regular expression of a whole word that is an option.
        valued: options whose next word is their value, never a path.
        patterns: leading operands that are no paths.
        is_about_disks: tells of file systems only, so its paths may be any.
    """

    options: str
    valued: frozenset[str] = frozenset()
    patterns: int = 0
    is_about_disks: bool = False


PROGRAMS: dict[str, Program] = {
    "df": Program(r"-[hHkTPial]+|--(total|si|local|human-readable)", is_about_disks=True),
    "du": Program(
        r"-[hsackbx]+|-[hsackbx]*d\d+|--(total|all|summarize|human-readable|apparent-size|max-depth=\d+)",
        frozenset({"-d"}),
    ),
    "ls": Program(r"-[lahtrRS1dAsi]+|--(all|recursive|human-readable|full-time)"),
    "cat": Program(r"-[nbsAET]+|--number"),
    "head": Program(r"-\d+|-[nc]\d+|-[qv]", frozenset({"-n", "-c"})),
    "tail": Program(r"-\d+|-[nc]\+?\d+|-[qv]", frozenset({"-n", "-c"})),
    "wc": Program(r"-[lwcm]+|--(lines|words|bytes|chars)"),
    "stat": Program(r"--(format|printf)=.*|-t", frozenset({"-c"})),
    "grep": Program(
        r"-[inrclwEFvHhoxsa]+|-[ABCm]\d+|--(ignore-case|line-number|recursive|count|include=[^/]*)",
        frozenset({"-A", "-B", "-C", "-m"}),
        patterns=1,
    ),
    "find": Program(
        r"-(print|empty|not|o|or|a|and)|[!()]",
        frozenset({"-name", "-iname", "-type", "-maxdepth", "-mindepth", "-size", "-mtime", "-mmin"}),
    ),
}


def objection(argv: list[str], folders: tuple[str, ...], workspace: Workspace) -> str:
    """Why an argument list is not run, in words for model and user; empty where it may be.

    Args:
        argv: the program and its arguments, as the model gave them.
        folders: that may be read, as the agent sees them.
        workspace: to tell home, and where links lead.
    """
    program = PROGRAMS.get(argv[0])
    if program is None:
        return f"shell runs {', '.join(PROGRAMS)} and nothing else, not {argv[0]}"
    for word in _unknown_options(argv, program):
        return f"shell does not run {argv[0]} with {word}"
    for path in paths_of(argv):
        reason = "" if program.is_about_disks else out_of_bounds(path, folders, workspace)
        if reason:
            return reason
        if argv[0] in {"cat", "head", "tail", "grep"} and holds_secrets(path, workspace):
            return f"{path} holds secrets"
    return ""


def paths_of(argv: list[str]) -> tuple[str, ...]:
    """The words of an argument list that are paths."""
    return tuple(argv[position] for position in path_positions(argv))


def path_positions(argv: list[str]) -> tuple[int, ...]:
    """Where in an argument list of a known program its paths stand."""
    program = PROGRAMS[argv[0]]
    operands = [position for position, kind in _kinds(argv, program) if kind == "operand"]
    return tuple(operands[program.patterns :])


def _unknown_options(argv: list[str], program: Program) -> Iterator[str]:
    return (argv[position] for position, kind in _kinds(argv, program) if kind == "unknown")


def _kinds(argv: list[str], program: Program) -> Iterator[tuple[int, str]]:
    """Each word behind the program, as `option`, `value`, `operand` or `unknown`."""
    is_value = False
    for position, word in enumerate(argv[1:], 1):
        if is_value:
            is_value = False
            yield position, "value"
        elif word in program.valued:
            is_value = True
            yield position, "option"
        elif re.fullmatch(program.options, word):
            yield position, "option"
        else:
            yield position, "unknown" if word.startswith("-") else "operand"
