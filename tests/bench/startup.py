"""CPU seconds of whole commands against what their imports alone cost in the same environment."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
FLOOR = "import httpx, pydantic, yaml, typer, rich.table"


def _cpu(command: list[str], runs: int) -> float:
    best = float("inf")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    for _ in range(
        runs + 1
    ):  # the first warms the caches and is counted like the others: the smallest counts
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in {0, 1}:
            raise SystemExit(f"{' '.join(command)} exited {done.returncode}:\n{done.stderr.decode()}")
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def table(runs: int) -> Table:
    """Start-up and the replay of the committed six."""
    floor = _cpu([sys.executable, "-c", FLOOR], runs)
    shown = Table(title=f'CPU of whole commands; floor: python -c "{FLOOR}"')
    for column in ("command", "CPU", "/ floor"):
        shown.add_column(column, justify="right" if column != "command" else "left")
    shown.add_row("(floor)", f"{floor * 1000:.0f} ms", "1.00x")
    kit = str(Path(sys.executable).with_name("kit"))
    six = [f"{number:03d}" for number in range(1, 7)]
    for command in (["--help"], ["replay", "--model", "stub", *six]):
        taken = _cpu([kit, *command], runs)
        shown.add_row(f"kit {' '.join(command)}", f"{taken * 1000:.0f} ms", f"{taken / floor:.2f}x")
    return shown
