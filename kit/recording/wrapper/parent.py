"""The parent's side of `kit record -- COMMAND` and `kit replay -- COMMAND`: any program, unmodified."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from os import environ
from pathlib import Path
from typing import Any, Literal

from kit import clock
from kit.cassette.interaction import HttpResponse, Interaction
from kit.errors import EnvironmentFault, UsageError
from kit.recording.guard.allow import Allow
from kit.recording.journal import Journal
from kit.recording.options import SessionResult
from kit.recording.patching import CLIENTS
from kit.recording.wrapper.assembly import Assembly, assemble
from kit.recording.wrapper.environment import child_environment, package_sources, unreachable_reason
from kit.recording.wrapper.job import RECORDED_FILE, Job
from kit.recording.wrapper.kernel import KernelGuard, run_guarded
from kit.recording.wrapper.kernel_rules import Wanted, kernel_rules
from kit.recording.wrapper.process import Ending, ended_by, run_child


@dataclass(frozen=True, slots=True, kw_only=True)
class WrappedRun:
    """What to run, and how.

    Attributes:
        command: the program and its arguments, at least one word.
        mode: record or replay.
        name: of the tape.
        start: instant at which the virtual clock starts, aware; replay: the header's.
        seed: seed of the run's chance; replay: the header's.
        recorded: what to serve; replay only.
        hash_seed: PYTHONHASHSEED; replay: the header's.
        redaction: the table `[tool.kit.redaction]`.
        allow: declared side effects.
        model_urls: base URLs whose traffic is of lane `model`.
        ignore: fields of a request that do not count when matching.
        next_command: what a miss tells the user to type.
        cwd: working directory; kit's own by default.
        project: record: folder whose files are inputs where the program reads them; None notes none.
        kernel_guard: replay: which parts of the kernel's guard are wanted.
        job: an empty folder for the journals, which stay there; by default they go with the run.
    """

    command: tuple[str, ...]
    mode: Literal["record", "replay"]
    name: str
    start: datetime
    seed: int = 1
    recorded: tuple[Interaction, ...] = ()
    hash_seed: int = 0
    redaction: Mapping[str, Any] = field(default_factory=dict)
    allow: Allow = field(default_factory=Allow)
    model_urls: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    next_command: str = ""
    cwd: Path | None = None
    project: Path | None = None
    kernel_guard: Wanted = "all"
    job: Path | None = None


@dataclass(frozen=True, slots=True)
class WrappedResult:
    """What became of it.

    Attributes:
        returncode: the program's, negative for the signal that ended it.
        session: from the journals of all its Python processes; cassette-ready in record.
        ended: whether it ended in good order; False after a deadly signal or `os._exit`.
        interrupted: whether somebody asked it to end, by Ctrl-C or a signal (decision 9).
        unproven: why this run proves nothing (decision 7), None where it was intercepted from start to end.
        kernel: what the kernel stopped beside the audit hook; None in record, where nothing is stopped.
    """

    returncode: int
    session: SessionResult
    ended: bool
    interrupted: bool
    unproven: str | None
    kernel: KernelGuard | None = None


def run_wrapped(run: WrappedRun) -> WrappedResult:
    """Runs a program under the recording, with this process's terminal, and waits until it ends.

    Signals go to the program, so that Ctrl-C lets it end in its own way; what it recorded until then is kept.

    Raises:
        UsageError: there is no such program, or it cannot be started, or one can see beforehand that kit
        could
            not enter it: a replay would go live, a recording would cost money for nothing.
        EnvironmentFault: kit cannot enter the program's Python; the text says which one and what helps. Or
            the launcher of the kernel's guard failed.
    """
    keeps_out = unreachable_reason(run.command)
    if keeps_out:
        raise UsageError(f"nothing would be intercepted: {keeps_out}", where=" ".join(run.command))
    home = Path(tempfile.mkdtemp(prefix="kit-"))
    try:
        job = run.job or home / "job"
        temporary = home / "tmp"
        job.mkdir(exist_ok=True)
        temporary.mkdir()
        _write_job(run, job, temporary)
        environment = child_environment(environ, job=job, temporary=temporary, hash_seed=run.hash_seed)
        ending, kernel = _started(run, environment, job)
        assembly = assemble(job, run.recorded if run.mode == "replay" else None)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    if assembly.refusals and not assembly.processes:
        raise EnvironmentFault(assembly.refusals[0])
    return WrappedResult(
        returncode=ending.returncode,
        session=assembly.session,
        ended=assembly.ended,
        interrupted=ending.is_interrupted,
        unproven=_doubt(run.command, ending, assembly),
        kernel=kernel,
    )


def _write_job(run: WrappedRun, job: Path, temporary: Path) -> None:
    project = (run.cwd or Path.cwd()).resolve()
    paths = ((str(temporary.resolve()), "/kit-tmp"), (str(project), "/kit-workspace"))
    Job(
        mode=run.mode,
        name=run.name,
        start=clock.iso(run.start),
        seed=run.seed,
        redaction=dict(run.redaction),
        # `/` or `/app` would be found inside other words.
        paths=tuple(pair for pair in paths if pair[0].count("/") > 1),
        model_urls=run.model_urls,
        ignore=run.ignore,
        writes=run.allow.writes,
        runs=run.allow.runs,
        connects=run.allow.connects,
        hedges=run.allow.hedges,
        next_command=run.next_command,
        sources=package_sources(),
        cache_tag=sys.implementation.cache_tag or "",
        interpreter=sys.executable,
        project=str(run.project.resolve()) if run.project and run.mode == "record" else "",
    ).write(job)
    if run.mode == "replay":
        journal = Journal(job / RECORDED_FILE)
        for interaction in run.recorded:
            journal.interaction(interaction)
        journal.end(0, 0)


def _started(run: WrappedRun, environment: dict[str, str], job: Path) -> tuple[Ending, KernelGuard | None]:
    program = run.command[0]
    try:
        if run.mode == "record":
            return run_child(run.command, environment, run.cwd), None
        own = (Path(environment["TMPDIR"]), job)
        rules = kernel_rules(run.kernel_guard, run.allow, (run.cwd or Path.cwd()).resolve(), own)
        return run_guarded(run.command, environment, run.cwd, rules, job)
    except FileNotFoundError as error:
        raise UsageError(f"there is no program {program!r}", next_command=_rather(run)) from error
    except PermissionError as error:
        raise UsageError(f"{program!r} cannot be executed", next_command=_rather(run)) from error


def _rather(run: WrappedRun) -> str | None:
    words = run.command[1:] if run.command[0] == "python" else run.command
    verb = "record" if run.mode == "record" else "replay"
    if run.command[0] == "python" or run.command[0].endswith(".py"):
        return f"kit {verb} -- {' '.join([sys.executable, *words])}"
    return None


def _doubt(command: tuple[str, ...], ending: Ending, assembly: Assembly) -> str | None:
    """Why the run proves nothing, or None (decision 7)."""
    how = f"`{' '.join(command)}` {ended_by(ending.returncode)}"
    if not assembly.processes:
        return f"nothing was intercepted: no Python process began that kit could enter ({how})"
    if ending.is_interrupted:
        return f"the run was interrupted: {how}"
    if not assembly.ended:
        return f"the recording has no end mark: {how} before Python could finish"
    answers = [one.response for one in assembly.session.interactions if one.lane == "model"]
    if not answers:
        seen = len(assembly.session.interactions)
        if not seen:
            return f"nothing was intercepted: kit saw no call to a model ({how})\n  next: {_unseen(ending)}"
        requests = f"{seen} other call{'s' if seen > 1 else ''}"
        return (
            f"kit saw {requests} and none to a model ({how})\n"
            "  next: if one of them asks a model, name its address as base_url in [tool.kit]"
        )
    failures = [
        answer.failure for answer in answers if isinstance(answer, HttpResponse) and not answer.status
    ]
    if len(failures) == len(answers):
        return f"no model answered: {failures[0]} ({how})"
    return None


def _unseen(ending: Ending) -> str:
    if ending.returncode:
        return "mend the program, which failed before it asked one; then the same command"
    return f"ask through a client that kit records, which are {CLIENTS}"
