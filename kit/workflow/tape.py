"""Record and replay any Python program, without a scenario and without an adapter."""

from __future__ import annotations

import re
import secrets
import shlex
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import kit
from kit import clock, git
from kit.cassette.cassette import Cassette
from kit.cassette.header import Header
from kit.cassette.interaction import Interaction
from kit.cassette.key import Keyer
from kit.cassette.paths import PARTIAL_SUFFIX, partial_path, tape_path
from kit.cassette.render_divergence import render_divergences
from kit.cassette.store import read, write, write_partial
from kit.errors import (
    EXIT_BLOCKED,
    EXIT_CASSETTE,
    EXIT_ENVIRONMENT,
    EXIT_INTERRUPTED,
    EXIT_OK,
    CassetteMissing,
    UsageError,
)
from kit.harness.inputs import changed_files, files_read, told_changes
from kit.recording.guard.allow import parse_allow
from kit.recording.options import SessionResult
from kit.recording.wrapper.parent import WrappedResult, WrappedRun, run_wrapped
from kit.redaction.rule import parse_rules
from kit.run.model_fault import model_fault
from kit.run.proof import other_models
from kit.trace.build import build_trace
from kit.trace.conversation import Item, conversation
from kit.trace.model_call import model_calls
from kit.trace.prices import price_table
from kit.trace.run_facts import RunFacts
from kit.trace.trace import ExecutionTrace
from kit.workflow.project import Project, refuse_in_ci

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*\Z")


@dataclass(frozen=True, slots=True)
class TapeResult:
    """What became of a wrapped program.

    Attributes:
        name: of the tape.
        path: from the project's root, the cassette or the partial one beside it; None where nothing was kept.
        is_partial: the run did not end well, so the earlier recording stays as it was.
        is_changed: the cassette differs from the earlier one outside header and volatile; None in replay.
        items: the conversation.
        cost_micro_usd: what the recorded calls cost; None where a price is unknown.
        model_calls: recorded or played.
        tool_calls: recorded or played.
        live_requests: requests that left the program for real.
        errors: why this run proves nothing or differs, a text each.
        notices: what a person should know.
        returncode: the program's.
        exit_code: kit's.
    """

    name: str
    path: Path | None
    is_partial: bool
    is_changed: bool | None
    items: tuple[Item, ...]
    cost_micro_usd: int | None
    model_calls: int
    tool_calls: int
    live_requests: int
    errors: tuple[str, ...]
    notices: tuple[str, ...]
    returncode: int
    exit_code: int


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
    done = run_wrapped(run)
    trace = _trace(project, tape, done)
    worldly = _worldly(project, done, trace)
    errors = (*_errors(done), *worldly)
    header = Header(
        scenario=tape,
        start=clock.iso(start),
        recorded=clock.iso(clock.now()),
        agent=shlex.join(command),
        kit=kit.__version__,
        commit=git.commit(project.root),
        cost_micro_usd=trace.cost_micro_usd,
        inputs=files_read(done.session.reads, done.session.writes, project.root),
        verdict="fail" if done.returncode else "pass",
        model=_model(done.session),
        python_hash_seed=hash_seed,
    )
    cassette = Cassette(header, done.session.interactions)
    path = tape_path(project.root, tape)
    changed = None
    if not errors:
        changed = write(path, cassette).changed
        partial_path(path).unlink(missing_ok=True)
    elif cassette.interactions:
        path = write_partial(path, cassette)
    kept = path if not errors or cassette.interactions else None
    code = EXIT_ENVIRONMENT if worldly else EXIT_CASSETTE if errors else EXIT_OK
    return _result(project, tape, done, errors, kept, exit_code=code, is_changed=changed)


def replay_tape(project: Project, command: tuple[str, ...], name: str | None) -> TapeResult:
    """Run a program against its tape, offline.

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
        raise CassetteMissing("nothing was recorded yet", where=_shown(project, path), next_command=again)
    cassette = read(path, Keyer())
    header = cassette.header
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
    notices = ["the cassette was edited by hand since it was recorded"] if cassette.edited else []
    if changed := changed_files(header.inputs, {}, project.root):
        notices.append(told_changes(changed))
    code = EXIT_CASSETTE if errors else EXIT_OK
    if done.returncode and not errors and header.verdict != "fail":
        errors = (f"the program exited with {done.returncode}; when it was recorded it ended well",)
        code = EXIT_BLOCKED
    return _result(project, tape, done, errors, path, exit_code=code, notices=tuple(notices))


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


def _result(
    project: Project,
    tape: str,
    done: WrappedResult,
    errors: tuple[str, ...],
    path: Path | None,
    *,
    exit_code: int,
    is_changed: bool | None = None,
    notices: tuple[str, ...] = (),
) -> TapeResult:
    interactions = done.session.interactions
    return TapeResult(
        name=tape,
        path=None if path is None else Path(_shown(project, path)),
        is_partial=path is not None and path.suffix == PARTIAL_SUFFIX,
        is_changed=is_changed,
        items=conversation(interactions),
        cost_micro_usd=_trace(project, tape, done).cost_micro_usd,
        model_calls=sum(one.lane == "model" for one in interactions),
        tool_calls=sum(one.lane == "tool" for one in interactions),
        live_requests=done.session.live_requests,
        errors=errors,
        notices=(*notices, *done.session.notices),
        returncode=done.returncode,
        exit_code=EXIT_INTERRUPTED if done.interrupted else exit_code,
    )


def _trace(project: Project, tape: str, done: WrappedResult) -> ExecutionTrace:
    session = done.session
    facts = RunFacts(
        scenario_id=tape,
        model=_model(session) or "",
        mode="live",
        interactions=session.interactions,
        outcome="success",
        ended_ms=session.ended_ms,
    )
    return build_trace(facts, price_table(project.settings.price_table()), project.settings.aliases)


def _model(session: SessionResult) -> str | None:
    """The model that answered; of several, the first."""
    return next((call.model() for call in model_calls(session.interactions)), None)


def _shown(project: Project, path: Path) -> str:
    return path.relative_to(project.root).as_posix() if path.is_relative_to(project.root) else str(path)
