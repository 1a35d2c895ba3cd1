"""Where a cassette lives: the tree of `cassettes/` is the index of what was recorded."""

from __future__ import annotations

import functools
import re
from pathlib import Path

FOLDER = "cassettes"
TAPES = "tapes"
SUFFIX = ".yaml"
JUDGE_SUFFIX = ".judge.yaml"
PARTIAL_SUFFIX = ".partial"

_NO_FILE_NAME = re.compile(r"[^\w.+@-]")


def cassette_path(
    root: Path, suite: str, model: str, scenario: str, variant: str | None = None, replicate: int = 1
) -> Path:
    """The cassette of one cell: `cassettes/<suite>/<model>/<scenario>[.<variant>][@<n>].yaml`.

    Args:
        root: the project.
        suite: name of the suite.
        model: the model's tag; what no file name may hold (`:` and `/`) becomes `-`.
        scenario: id of the scenario.
        variant: named change of set-up, None for the plain run.
        replicate: 1-based; the first has no `@1`.
    """
    return root / _below_root(suite, model, scenario, variant, replicate)


@functools.lru_cache(maxsize=4096)  # a run asks for its path again and again
def _below_root(suite: str, model: str, scenario: str, variant: str | None, replicate: int) -> str:
    stem = file_name(scenario)
    if variant is not None:
        stem += f".{file_name(variant)}"
    if replicate != 1:
        stem += f"@{replicate}"
    return f"{FOLDER}/{file_name(suite)}/{file_name(model)}/{stem}{SUFFIX}"


def tape_path(root: Path, name: str) -> Path:
    """The cassette of a program without a scenario: `cassettes/tapes/<name>.yaml`."""
    return root / FOLDER / TAPES / f"{file_name(name)}{SUFFIX}"


def judge_path(path: Path) -> Path:
    """The cassette of the judge calls about a run, beside the run's own (decision 12)."""
    return path.with_name(path.name.removesuffix(SUFFIX) + JUDGE_SUFFIX)


def partial_path(path: Path) -> Path:
    """Where a recording goes that was interrupted or ended in an error: beside the old one (decision 9)."""
    return path.with_name(path.name + PARTIAL_SUFFIX)


def record_command(path: str | Path) -> str:
    """What to type to record a cassette anew, from its path."""
    file = Path(path)
    name = re.sub(r"(?:@[0-9]+)?(?:\.judge)?\.yaml(?:\.partial)?\Z", "", file.name)
    if file.parent.name == TAPES:
        return f"kit record --tape {name} -- <the program>"
    return f"kit record {name.partition('.')[0]}" if file.name.endswith(SUFFIX) else "kit record <scenario>"


def file_name(text: str) -> str:
    """`text` as one part of a path: `gpt-oss:20b` → `gpt-oss-20b`; never `.`, `..` or hidden."""
    name = _NO_FILE_NAME.sub("-", text)
    return f"-{name[1:]}" if name.startswith(".") else name or "-"
