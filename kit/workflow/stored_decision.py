"""What one stage of a commit decided, for the next one: `.kit/gate/<tree>.json`.

Kept by the id of what was staged: a decision about other content is never found, let alone used.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path

from kit import clock
from kit.gate.regressions import Blocked
from kit.workflow.project import Project

KEPT = 20
"""How many decisions stay; a commit needs its own for a few seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDecision:
    """What was decided about one staged content.

    Attributes:
        tree: id of the content.
        exit_code: decision 14.
        gate: the worst gate of all reports; pass where nothing had to be replayed.
        files: staged files that a replay was needed for.
        blocked: what an override has to answer for.
        reasons: what the gate says, a sentence each, and what kept kit from asking it.
        folder: where the reports lie, relative to the project; None where nothing was replayed.
        override: the reason that let the commit pass.
    """

    tree: str
    exit_code: int = 0
    gate: str = "pass"
    files: tuple[str, ...] = ()
    blocked: Blocked = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    folder: str | None = None
    override: str | None = None


def store(project: Project, decision: StoredDecision) -> None:
    """Keep a decision, whole or not at all; the oldest beyond `KEPT` go."""
    folder = project.folder("gate")
    fresh = folder / f".{decision.tree}-{clock.fresh_id()[:6]}"
    fresh.write_text(json.dumps(dataclasses.asdict(decision), indent=2) + "\n", encoding="utf-8")
    fresh.replace(folder / f"{decision.tree}.json")
    for old in sorted(folder.glob("*.json"), key=_age)[KEPT:]:
        old.unlink(missing_ok=True)


def find(project: Project, tree: str) -> StoredDecision | None:
    """The decision about one content; None where nobody made it, or its file cannot be read."""
    path = project.folder("gate") / f"{tree}.json"
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        values["files"], values["reasons"] = tuple(values["files"]), tuple(values["reasons"])
        values["blocked"] = {where: tuple(names) for where, names in values["blocked"].items()}
        decision = StoredDecision(**values)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return decision if decision.tree == tree else None


def _age(path: Path) -> int:
    return -path.stat().st_mtime_ns
