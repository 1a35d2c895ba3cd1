"""The child's side: one session for the whole life of a Python process of the wrapped program."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType

from kit import clock
from kit.cassette.key import Keyer
from kit.cassette.match import Playlist
from kit.errors import EnvironmentFault, ReplayStop
from kit.recording.guard.allow import Allow
from kit.recording.journal import read_journal
from kit.recording.options import SessionOptions
from kit.recording.session import start
from kit.recording.wrapper.job import JOURNALS, RECORDED_FILE, Job
from kit.redaction.redactor import Redactor
from kit.redaction.rule import parse_rules

_OPEN: list[ExitStack] = []
"""Keeps the session alive: multiprocessing clears `atexit` in a forked child (3.13), and collecting the last
reference would end the session there, so that the child ran live."""
_SAID: list[str] = []
"""What was said of this process: a disk that is full is met at each write, and at the end once more."""


def begin(folder: Path | str) -> None:
    """Starts the session that the job in `folder` asks for; it ends when the interpreter does.

    Raises:
        BaseException: whatever goes wrong; the caller ends the process, since the program must not run live.
    """
    home = Path(folder)
    stack = ExitStack()
    _OPEN.append(stack)
    stack.enter_context(start(_options(Job.read(home), home)))
    # A forked child inherits this registration, but the session is its parent's to end.
    atexit.register(_end, stack, os.getpid())
    sys.excepthook = partial(_said_without_traceback, sys.excepthook)
    threading.excepthook = partial(_said_in_thread, threading.excepthook)
    _keep_pytest_quiet()


def _options(job: Job, home: Path) -> SessionOptions:
    redactor = Redactor(parse_rules(job.redaction))
    playlist = None
    if job.mode == "replay":
        recorded = read_journal(home / RECORDED_FILE).result.interactions
        playlist = Playlist(recorded, Keyer(redactor, job.paths, frozenset(job.ignore)))
    return SessionOptions(
        mode=job.mode,
        name=job.name,
        start=clock.parse_iso(job.start),
        seed=job.seed,
        journal=home / JOURNALS / f"{clock.now().timestamp():017.6f}-{os.getpid()}.jsonl",
        redactor=redactor,
        playlist=playlist,
        paths=job.paths,
        model_urls=job.model_urls,
        allow=Allow(job.writes, job.runs, job.connects, job.hedges),
        next_command=job.next_command,
        is_wrapped=True,
        project=Path(job.project) if job.project else None,
        is_conditional=True,
    )


def _end(stack: ExitStack, pid: int) -> None:
    if os.getpid() != pid:
        return
    try:
        stack.close()
    except EnvironmentFault as error:
        # The traceback of an exit handler says nothing of the program; the missing end mark says the rest.
        if str(error) not in _SAID:
            _say(error)


def _keep_pytest_quiet() -> None:
    """Where the program is pytest: it warns of plugin packages that were imported before it came."""
    for name in ("kit", "time_machine"):
        module = sys.modules.get(name)
        if module is not None:
            module.__doc__ = f"{module.__doc__ or ''}\nPYTEST_DONT_REWRITE"


def _said_without_traceback(
    before: object, kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """`sys.excepthook`: one line for what kit stopped or could not keep; the parent says the rest."""
    if isinstance(error, (ReplayStop, EnvironmentFault)):
        _say(error)
        # Python turns a SystemExit raised here into the exit code, after atexit has run.
        raise SystemExit(error.exit_code)
    if callable(before):
        before(kind, error, trace)


def _said_in_thread(before: object, args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and isinstance(args.exc_value, ReplayStop):
        _say(args.exc_value)
    elif callable(before):
        before(args)


def _say(error: BaseException) -> None:
    _SAID.append(str(error))
    sys.stderr.write(f"kit: {str(error).partition(chr(10))[0]}\n")
