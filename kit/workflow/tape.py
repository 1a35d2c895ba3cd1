"""Record and replay any Python program, without a scenario and without an adapter."""

from __future__ import annotations

import re
import secrets
import shlex
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import kit
from kit import clock, git
from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.interaction import Interaction
from kit.cassette.key import Keyer
from kit.cassette.paths import partial_path, tape_path
from kit.cassette.render_divergence import render_divergences
from kit.cassette.store import read, write, write_partial
from kit.errors import (
    EXIT_BLOCKED,
    EXIT_CASSETTE,
    EXIT_ENVIRONMENT,
    EXIT_OK,
    CassetteMissing,
    EnvironmentFault,
    UsageError,
)
from kit.harness.inputs import changed_files, files_read
from kit.harness.recorded import shown
from kit.harness.staleness import age_of
from kit.recording.guard.allow import parse_allow
from kit.recording.options import SessionResult
from kit.recording.pending import FOLDER, Pending, pending
from kit.recording.wrapper.parent import WrappedResult, WrappedRun, run_wrapped
from kit.redaction.rule import parse_rules
from kit.run.model_fault import model_fault
from kit.run.proof import other_models
from kit.trace.trace import ExecutionTrace
from kit.workflow.project import Project, refuse_in_ci
from kit.workflow.recovering import displaced_notice
from kit.workflow.tape_result import TapeResult, kernel_notice, model_of, result_of, trace_of

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*\Z")


def tape_name(command: tuple[str, ...], given: str | None) -> str:
    """The name of a tape: as given, else the program's own (`my_agent` of `python my_agent.py`).

    Raises:
        UsageError: the name would not be a file name.
    """
    if given is not None:
        if not _NAME.match(given):
            raise UsageError(f"{given!r} is no name of a tape: letters, digits, `_`, `-` and `.`")
        return given
    words = [word for word in command if not word.startswith("-")]
    script = next((word for word in words if word.endswith(".py")), None)
    module = command[command.index("-m") + 1] if "-m" in command[:-1] else None
    chosen = Path(script).stem if script else module or Path((words or command)[0]).name
    return re.sub(r"[^\w.-]+", "-", chosen)


def record_tape(project: Project, command: tuple[str, ...], name: str | None) -> TapeResult:
    """Run a program live and keep what crossed its boundary in `cassettes/tapes/<name>.yaml`.

    Raises:
        UsageError: CI is set, there is no such program, or the name is no name.
        EnvironmentFault: kit cannot enter the program's Python.
    """
    refuse_in_ci(project, "record")
    tape = tape_name(command, name)
    start, hash_seed = clock.now().replace(microsecond=0), secrets.randbelow(2**32)
    run = _run(project, command, tape, start=start, hash_seed=hash_seed)
    draft = Header(
        scenario=tape,
        start=clock.iso(start),
        recorded=clock.iso(clock.now()),
        agent=shlex.join(command),
        kit=kit.__version__,
        commit=git.commit(project.root),
        python_hash_seed=hash_seed,
    )
    with pending(project.scratch(FOLDER) / tape, tape_path(project.root, tape), draft) as way:
        try:
            done = run_wrapped(replace(run, job=way.folder))
        finally:
            if not any(way.journals.iterdir()):
                way.settled()
        return _kept(project, tape, done, way)


def _kept(project: Project, tape: str, done: WrappedResult, way: Pending) -> TapeResult:
    """Write the cassette, or a partial one; the journals go once it is on the disk."""
    trace = trace_of(project, tape, done)
    worldly = _worldly(project, done, trace)
    errors = (*_errors(done), *worldly)
    header = replace(
        way.header,
        recorded=clock.iso(clock.now()),
        cost_micro_usd=trace.cost_micro_usd,
        inputs=files_read(done.session.reads, done.session.writes, project.root),
        verdict="fail" if done.returncode else "pass",
        model=model_of(done.session),
    )
    cassette = Cassette(header, done.session.interactions)
    kept, changed = way.path, None
    notices: tuple[str, ...] = ()
    way = way if errors else way.over(header)
    try:
        if not errors:
            written = write(way.path, cassette, way.since)
            changed, notices = written.changed, displaced_notice(project.root, written.displaced)
            partial_path(way.path).unlink(missing_ok=True)
        elif cassette.interactions:
            kept = write_partial(way.path, cassette)
    except EnvironmentFault as error:
        raise way.told(error) from error
    way.settled()
    code = EXIT_ENVIRONMENT if worldly else EXIT_CASSETTE if errors else EXIT_OK
    path = kept if not errors or cassette.interactions else None
    return result_of(project, tape, done, errors, path, exit_code=code, is_changed=changed, notices=notices)


def replay_tape(
    project: Project, command: tuple[str, ...], name: str | None, before: Callable[[str], None] | None = None
) -> TapeResult:
    """Run a program against its tape, offline.

    Args:
        project: whose tape.
        command: the program and its arguments.
        name: of the tape; the program's own by default.
        before: told, before the program starts, that the recording is stale.

    Raises:
        CassetteMissing: it was never recorded.
        CassetteInvalid: the file is no cassette.
        UsageError: there is no such program, or the name is no name.
        EnvironmentFault: kit cannot enter the program's Python.
    """
    tape = tape_name(command, name)
    path = tape_path(project.root, tape)
    again = f"kit record{f' --tape {name}' if name else ''} -- {shlex.join(command)}"
    if not path.exists():
        raise CassetteMissing("nothing was recorded yet", where=shown(path, project.root), next_command=again)
    cassette = read(path, Keyer())
    header = cassette.header
    age = age_of(header, project.settings.cassettes.expires_days)
    stale = replace(age, changed=changed_files(header.inputs, {}, project.root)).reasons
    if stale and before is not None:
        before(f"stale (a notice: only a miss fails): {'; '.join(stale)}\n  next: {again}")
    done = run_wrapped(
        _run(
            project,
            command,
            tape,
            start=clock.parse_iso(header.start),
            seed=header.seed,
            recorded=cassette.interactions,
            hash_seed=header.python_hash_seed or 0,
            next_command=again,
        )
    )
    errors = (*_errors(done), *_divergences(done.session, again), *_leftovers(done.session, again))
    edited = ("the cassette was edited by hand since it was recorded",) if cassette.edited else ()
    code = EXIT_CASSETTE if errors else EXIT_OK
    if done.returncode and not errors and header.verdict != "fail":
        errors = (f"the program exited with {done.returncode}; when it was recorded it ended well",)
        code = EXIT_BLOCKED
    notices = (*edited, *stale, *kernel_notice(done, errors))
    return result_of(project, tape, done, errors, path, exit_code=code, notices=notices)


def _run(
    project: Project,
    command: tuple[str, ...],
    tape: str,
    *,
    start: datetime,
    hash_seed: int,
    seed: int = 1,
    recorded: tuple[Interaction, ...] | None = None,
    next_command: str = "",
) -> WrappedRun:
    settings = project.settings
    parse_rules(settings.redaction)
    return WrappedRun(
        command=command,
        mode="record" if recorded is None else "replay",
        name=tape,
        start=start,
        seed=seed,
        recorded=recorded or (),
        hash_seed=hash_seed,
        redaction=settings.redaction,
        allow=parse_allow(settings.replay.allow),
        kernel_guard=settings.replay.kernel_guard,
        model_urls=(settings.base_url,),
        next_command=next_command,
        project=project.root,
    )


def _errors(done: WrappedResult) -> tuple[str, ...]:
    session = done.session
    found = (*session.misses, *session.side_effects, *session.escapes, *session.tool_drift)
    # What stopped the program explains by itself why it went no further.
    return found or ((done.unproven,) if done.unproven else ())


def _worldly(project: Project, done: WrappedResult, trace: ExecutionTrace) -> list[str]:
    """What speaks against a recording and is neither the program's doing nor kit's: its model's server."""
    failure = f"exit code {done.returncode}" if done.returncode else None
    fault = model_fault(trace.steps, failure)
    others = other_models(done.session.interactions, trace.steps, "record", project.settings.aliases)
    return [*([fault] if fault else []), *others]


def _divergences(session: SessionResult, again: str) -> tuple[str, ...]:
    """The program went on with answers to other requests: what it printed is a forecast (decision 6)."""
    if not session.divergences:
        return ()
    requests = sum(interaction.lane == "model" for interaction in session.interactions)
    text = render_divergences(session.divergences, requests)
    return (f"{text}\n  next      {again}",)


def _leftovers(session: SessionResult, again: str) -> tuple[str, ...]:
    if not session.leftovers or session.misses or session.side_effects:
        return ()
    numbers = ", ".join(str(interaction.number) for interaction in session.leftovers)
    what = f"recorded but never played: interaction {numbers}; the program no longer asks for it"
    return (f"{what}\n  next: {again}",)
