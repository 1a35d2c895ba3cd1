"""How an agent's exception reads in a report: alike on every machine, with the line its author can change."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import kit

_KIT = Path(kit.__file__).parent
_OWN_AGENTS = _KIT / "agents"


def describe(fault: BaseException, project_root: Path) -> str:
    """`ValueError: no such city (agent.py:12)`.

    Args:
        fault: what the agent raised; a group of one is read as its one.
        project_root: frames below it are the author's.
    """
    while isinstance(fault, BaseExceptionGroup) and len(fault.exceptions) == 1:
        fault = fault.exceptions[0]
    name = type(fault).__name__
    text = f"{name}: {fault}" if str(fault) else name
    frames = traceback.extract_tb(fault.__traceback__)
    own = [frame for frame in frames if _is_authors(Path(frame.filename), project_root)]
    shipped = [frame for frame in frames if Path(frame.filename).is_relative_to(_OWN_AGENTS)]
    foreign = [frame for frame in frames if not Path(frame.filename).is_relative_to(_KIT)]
    for last in (own or shipped or foreign)[-1:]:
        return f"{text} ({_shown(Path(last.filename), project_root)}:{last.lineno})"
    return text


def _is_authors(file: Path, project_root: Path) -> bool:
    if not file.is_relative_to(project_root) or "site-packages" in file.parts:
        return False
    return not file.is_relative_to(_KIT) or file.is_relative_to(_OWN_AGENTS)


def _shown(file: Path, project_root: Path) -> str:
    """A path without the machine's part of it."""
    bases = [project_root, *(Path(entry) for entry in sys.path if entry)]
    inside = [file.relative_to(base) for base in bases if file.is_relative_to(base)]
    return min(inside, key=lambda path: len(path.parts)).as_posix() if inside else file.name
