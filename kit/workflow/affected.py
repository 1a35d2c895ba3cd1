"""What changed in git since a ref, and which runs that can affect."""

from __future__ import annotations

from kit import git
from kit.errors import EnvironmentFault
from kit.harness.changed import Affected, Surroundings, affected
from kit.harness.plan import Cell
from kit.harness.setting import agent_name
from kit.trace.trace import Mode
from kit.workflow.project import Project
from kit.workflow.ref import commit_at


def affected_since(project: Project, cells: tuple[Cell, ...], ref: str, mode: Mode) -> Affected:
    """Narrow a plan down to the runs that may come out otherwise than at a ref.

    Args:
        project: whose plan.
        cells: the plan.
        ref: a branch, tag or commit; where the branch checked out parted from it counts.
        mode: replay or live.

    Raises:
        UsageError: the project is in no repository, or there is no such ref.
        EnvironmentFault: git does not answer.
        ConfigError: no agent is named for a suite.
    """
    root = project.root
    commit = commit_at(project, ref)
    files = git.changed_since(root, commit)
    if files is None:
        raise EnvironmentFault(f"git does not say what changed since {ref}", where=str(root))
    surroundings = Surroundings(
        root=root,
        home=git.top(root) or root,
        mode=mode,
        agent=lambda cell: agent_name(cell, project.settings),
    )
    return affected(cells, files, surroundings, ref)
