"""What an agent reads while it is imported: prompts at the top of a module are inputs of all its runs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from kit.agent.load import load_agent
from kit.agent.protocol import Agent
from kit.recording.guard.allow import Allow
from kit.recording.guard.audit import Watch, guarded

_READ_AT_IMPORT: dict[tuple[str, Path], tuple[str, ...]] = {}
"""By agent and project; a module is imported once a process, so only the first import tells."""


class _Reads:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def report(self, kind: Literal["side_effects", "escapes", "reads", "writes"], text: str) -> None:
        """Keeps what is read; whatever else an import does is no part of a run."""
        if kind == "reads":
            self.lines.append(text)


def load_noted(name: str, root: Path) -> Agent:
    """`load_agent` before a recording: also remembers which files of the project the import read.

    Raises:
        ConfigError: as `load_agent`.
    """
    reads = _Reads()
    with guarded(Watch("record", reads, Allow(), current=lambda: reads, project=root, inputs=root)):
        agent = load_agent(name, root)
    known = _READ_AT_IMPORT.get((name, root), ())
    _READ_AT_IMPORT[name, root] = tuple(dict.fromkeys((*known, *reads.lines)))
    return agent


def read_at_import(name: str, root: Path) -> tuple[str, ...]:
    """What the import of an agent read, as `SessionResult.reads` has it; empty where nobody watched it."""
    return _READ_AT_IMPORT.get((name, root), ())
