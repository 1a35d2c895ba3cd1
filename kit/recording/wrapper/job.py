"""What the parent tells the child, as one JSON file: everything a session needs, and where kit itself lies.

Values only, standard library only: the child may be an interpreter in which nothing of kit is installed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

JOB_ENV = "KIT_JOB"
"""Environment variable that names the job's folder to every Python child."""
PARENT_ENV = "KIT_PARENT"
"""Environment variable that holds the process id of the wrapper's parent side."""
JOB_FILE = "job.json"
RECORDED_FILE = "recorded.jsonl"
JOURNALS = "journals"
REFUSALS = "refusals"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One wrapped run.

    Attributes:
        mode: record or replay.
        name: of the tape.
        start: instant of the virtual clock's start, ISO 8601.
        seed: seed of the run's chance.
        temporary: temporary folders in which the program may write, the private one first.
        redaction: the table `[tool.kit.redaction]` as it stands.
        paths: `(real, alias)` of folders whose names must not be recorded.
        model_urls: base URLs whose traffic is of lane `model`.
        ignore: fields of a request that do not count when matching.
        writes: see `Allow`.
        runs: see `Allow`.
        connects: see `Allow`.
        hedges: see `Allow`.
        next_command: what a miss tells the user to type.
        sources: folder from which each package of the child's side can be imported, by top-level name.
        cache_tag: the interpreter that these packages were built for.
        interpreter: its executable.
        project: folder whose files are inputs where they are read; empty notes none.
    """

    mode: Literal["record", "replay"]
    name: str
    start: str
    seed: int
    temporary: tuple[str, ...] = ()
    redaction: dict[str, Any] = field(default_factory=dict)
    paths: tuple[tuple[str, str], ...] = ()
    model_urls: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    runs: tuple[tuple[str, ...], ...] = ()
    connects: tuple[tuple[str, int | None], ...] = ()
    hedges: tuple[tuple[str, str], ...] = ()
    next_command: str = ""
    sources: dict[str, str] = field(default_factory=dict)
    cache_tag: str = ""
    interpreter: str = ""
    project: str = ""

    def write(self, folder: Path) -> None:
        """Puts the job where the child finds it; the folder must exist."""
        (folder / JOURNALS).mkdir(exist_ok=True)
        (folder / REFUSALS).mkdir(exist_ok=True)
        (folder / JOB_FILE).write_text(json.dumps(asdict(self), ensure_ascii=False), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Job:
        """The inverse of `write`."""
        found = json.loads((folder / JOB_FILE).read_text(encoding="utf-8"))
        for name in ("temporary", "model_urls", "ignore", "writes"):
            found[name] = tuple(found[name])
        for name in ("paths", "runs", "connects", "hedges"):
            found[name] = tuple(tuple(item) for item in found[name])
        return cls(**found)
