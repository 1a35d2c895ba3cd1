"""Which files of a commit the gate has to replay for.

kit filters itself: a commit-msg hook sees no file but the message, and with `files:` it would never run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from kit.gate.regressions import LOG


def concerned(files: Iterable[str], patterns: Sequence[str]) -> tuple[str, ...]:
    """The files that a pattern takes in, in their order; the log of regressions is never one of them.

    Args:
        files: relative to the project, with `/`.
        patterns: `folder/`, a file, or either with `*`, which spans folders too.
    """
    return tuple(file for file in files if file != LOG and any(_takes(pattern, file) for pattern in patterns))


def _takes(pattern: str, file: str) -> bool:
    return fnmatchcase(file, f"{pattern}*" if pattern.endswith("/") else pattern)


def agent_paths(agents: Iterable[str]) -> tuple[str, ...]:
    """Where agents such as `my_package.my_module:function` may lie: their package, or their one module."""
    tops = dict.fromkeys(agent.partition(":")[0].partition(".")[0] for agent in agents)
    return tuple(
        path for top in tops for path in (f"{top}/", f"{top}.py", f"src/{top}/", f"src/{top}.py") if top
    )
