"""The environment of a wrapped program: kit's door, and everything that would differ from run to run."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

from kit.recording.guard.processes import CHILD_FOLDER_ENV, ignores_environment
from kit.recording.wrapper.job import JOB_ENV, PARENT_ENV

CHILD_PATH = Path(__file__).parent / "child_path"
"""The folder that holds kit's `sitecustomize` and nothing else."""

_CHILD_PACKAGES = ("kit", "orjson", "time_machine", "_time_machine", "dateutil", "six")


def child_environment(
    base: Mapping[str, str], *, job: Path, temporary: Path, hash_seed: int
) -> dict[str, str]:
    """What the program gets as its environment.

    Hash seed, time zone, locale and temporary folder are fixed (decision 17): a prompt built from a set, a
    local time or a temporary file would miss otherwise.

    Args:
        base: the environment kit was started with.
        job: folder of the job.
        temporary: private, empty folder.
        hash_seed: PYTHONHASHSEED.
    """
    path = [str(CHILD_PATH), *([base["PYTHONPATH"]] if base.get("PYTHONPATH") else [])]
    return {
        **base,
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONHASHSEED": str(hash_seed),
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "TMPDIR": str(temporary),
        JOB_ENV: str(job),
        PARENT_ENV: str(os.getpid()),
        CHILD_FOLDER_ENV: str(CHILD_PATH),
    }


def package_sources() -> dict[str, str]:
    """Folder from which each package of the child's side is imported here, by top-level name."""
    sources: dict[str, str] = {}
    for name in _CHILD_PACKAGES:
        spec = sys.modules[name].__spec__ if name in sys.modules else find_spec(name)
        if spec is None or spec.origin is None:
            continue
        is_package = spec.submodule_search_locations is not None
        folder = Path(spec.origin).parents[1 if is_package else 0]
        # Only what the plain path finder can find again in the child.
        if PathFinder.find_spec(name, [str(folder)]) is not None:
            sources[name] = str(folder)
    return sources


def unreachable_reason(command: tuple[str, ...]) -> str | None:
    """The option in a command, or in the first line of a script, that keeps kit out of Python, in words."""
    program = shutil.which(command[0]) or command[0]
    for words in (command, _first_line(Path(program))):
        if words and Path(words[0]).name.startswith(("python", "pypy")):
            option = ignores_environment(words)
            if option:
                return f"with `{option}` Python passes by the door through which kit enters"
    return None


def _first_line(script: Path) -> tuple[str, ...]:
    """The command line that a script names behind `#!`, without `env`; empty for other files."""
    try:
        with script.open("rb") as file:
            line = file.readline(256)
    except OSError:
        return ()
    if not line.startswith(b"#!"):
        return ()
    words = tuple(line[2:].decode(errors="replace").split())
    return tuple(word for word in words[1:] if word != "-S") if words and words[0].endswith("/env") else words
