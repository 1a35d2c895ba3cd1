"""What the staged files of a commit can change, so that other commits wait for nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from kit import git
from kit.cassette.paths import FOLDER, JUDGE_SUFFIX
from kit.cassette.peek import peek
from kit.errors import EnvironmentFault, UsageError
from kit.gate.paths import agent_paths, concerned
from kit.gate.thresholds import parse_policy
from kit.scenario.tree import read_tree
from kit.workflow.project import Project

_OF_A_SUITE = frozenset({"scenarios", "cassettes", "baselines"})


@dataclass(frozen=True, slots=True)
class Concern:
    """What a commit is about.

    Attributes:
        tree: id of what is staged.
        files: staged files that a run can depend on.
        untracked: files that a run can depend on, and the commit will not have.
        suites: the only suites that can change; empty is every suite that `kit replay` plays by default.
    """

    tree: str
    files: tuple[str, ...]
    untracked: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()


def staged_tree(project: Project) -> str:
    """The id of what is staged.

    Raises:
        EnvironmentFault: no repository, no git, or an unsolved conflict.
    """
    tree = git.write_tree(project.root)
    if tree is None:
        for path in git.conflicts(project.root, FOLDER) or ():
            raise EnvironmentFault(
                "git could not merge this recording, and nobody chose a side yet",
                where=path,
                next_command=f"kit cassette resolve {path}",
            )
        raise EnvironmentFault(
            "git cannot say what is staged",
            where=str(project.root),
            why="this is no repository, git is missing, or a conflict is not solved yet",
        )
    return tree


def staged_concern(project: Project) -> Concern:
    """What is staged, and what of it a replay has to look at.

    Raises:
        EnvironmentFault: as `staged_tree`.
        ConfigError: `[tool.kit.gate]` is wrong.
        UsageError: such a file lies in the folder otherwise than it is staged, and a replay reads the folder.
    """
    root = project.root
    tree = staged_tree(project)
    patterns = (*parse_policy(project.settings.gate).paths, *agent_paths(_agents(project)))
    staged = git.staged(root) or ()
    files = concerned(staged, patterns)
    others = set(staged) - set(files)
    # A prompt may lie anywhere: a recording names what its agent read (decision 11).
    files = (*files, *sorted(others & _inputs(root))) if others else files
    if not files:
        return Concern(tree, ())
    loose = concerned(git.unstaged(root) or (), patterns)
    if loose:
        raise UsageError(
            f"a replay would not see what is staged: {', '.join(loose)} changed since",
            why="the gate judges what will be committed, and only that",
            next_command="git add them, or git stash --keep-index (pre-commit does the latter by itself)",
        )
    untracked = concerned(git.untracked(root) or (), patterns)
    return Concern(tree, files, untracked, _suites(files, root))


def _agents(project: Project) -> Iterable[str]:
    """Every agent that the project names, without a word about what is wrong in its files."""
    if project.settings.agent is not None:
        yield project.settings.agent
    for file in sorted((project.root / "scenarios").glob("*/suite.yaml")):
        value = read_tree(file, file.name).value
        agent = value.get("agent") if isinstance(value, dict) else None
        if isinstance(agent, str):
            yield agent


def _inputs(root: Path) -> set[str]:
    """Everything that some recording was made from."""
    found: set[str] = set()
    for path in (root / FOLDER).rglob("*.yaml"):
        header = None if path.name.endswith(JUDGE_SUFFIX) else peek(path)
        found |= set() if header is None else header.inputs.keys()
    return found


def _suites(files: Iterable[str], root: Path) -> tuple[str, ...]:
    """The suites whose own files these are; none where any file may concern every suite."""
    found: dict[str, None] = {}
    for file in files:
        top, *below = PurePosixPath(file).parts
        if (
            top not in _OF_A_SUITE
            or not below
            or not (root / "scenarios" / below[0] / "suite.yaml").is_file()
        ):
            return ()
        found[below[0]] = None
    return tuple(found)
