"""Starts a replayed program under the kernel's guard where there is one, and knows which guards it had."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kit.errors import EnvironmentFault
from kit.recording.guard.files import user_caches
from kit.recording.wrapper import launcher
from kit.recording.wrapper.kernel_rules import PARTS, KernelRules, Part
from kit.recording.wrapper.process import Ending, ended_by, run_child


@dataclass(frozen=True, slots=True)
class KernelGuard:
    """What the kernel stopped in a run, beside the audit hook.

    Attributes:
        holds: the parts it guarded.
        lacks: the others, each with the reason.
    """

    holds: tuple[Part, ...] = ()
    lacks: dict[Part, str] = field(default_factory=dict)


def run_guarded(
    command: Sequence[str],
    environment: dict[str, str],
    cwd: Path | None,
    rules: KernelRules,
    job: Path,
) -> tuple[Ending, KernelGuard]:
    """Runs a program like `run_child`, through the launcher where the kernel is asked for anything.

    Args:
        command: the program and its arguments.
        environment: the program's.
        cwd: its working directory; kit's own by default.
        rules: what the kernel is asked for.
        job: folder of the job.

    Raises:
        OSError: the program cannot be started.
        EnvironmentFault: the launcher itself failed, so the program never began.
    """
    if sys.platform != "linux":
        why = f"{sys.platform} has no namespaces and no Landlock"
        rules = KernelRules(lacks=dict.fromkeys(PARTS, why) | rules.lacks)
    if rules.writable is None and not rules.network:
        return run_child(command, environment, cwd), KernelGuard(lacks=rules.lacks)
    _make_cache_folder()
    _tell(job / launcher.RULES_FILE, rules)
    through = (sys.executable, "-I", "-S", "-B", launcher.__file__, str(job))
    ending = run_child((*through, *command), environment, cwd)
    return ending, _outcome(command[0], rules, job / launcher.REPORT_FILE, ending)


def _tell(path: Path, rules: KernelRules) -> None:
    told = ["network"] if rules.network else []
    if rules.writable is not None:
        told += ["writes", *(f"write:{folder}" for folder in rules.writable)]
    path.write_bytes(b"".join(os.fsencode(rule) + b"\0" for rule in told))


def _outcome(program: str, rules: KernelRules, report: Path, ending: Ending) -> KernelGuard:
    entries = report.read_text(encoding="utf-8").split("\0") if report.exists() else []
    told = dict(entry.split(":", 1) for entry in entries if entry)
    if "asked" not in told:
        if ending.is_interrupted:
            return KernelGuard(lacks=dict.fromkeys(PARTS, "the run ended before it began"))
        raise EnvironmentFault(
            f"kit's launcher {ended_by(ending.returncode)} before it could start {program!r}",
            where=launcher.__file__,
            next_command='set kernel_guard = "none" in [tool.kit.replay], pyproject.toml, and tell us',
        )
    if "errno" in told:
        number = int(told["errno"])
        raise OSError(number, os.strerror(number), program)
    lacks = {part: told[part] for part in PARTS if part in told} | rules.lacks
    return KernelGuard(tuple(part for part in PARTS if part not in lacks), lacks)


def _make_cache_folder() -> None:
    """The program may make the user's cache folder, and the kernel permits only what is there already."""
    folder = Path(user_caches()[0])
    if folder.is_absolute():
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
