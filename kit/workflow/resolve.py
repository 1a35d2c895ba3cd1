"""End a conflict of git in a cassette: one side whole, or a new recording; never a mix of both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from kit import durable, git
from kit.baseline.store import FOLDER as BASELINES
from kit.cassette.header import Header
from kit.cassette.paths import FOLDER, JUDGE_SUFFIX, SUFFIX, judge_path
from kit.cassette.peek import peek
from kit.errors import EXIT_BLOCKED, CassetteInvalid, EnvironmentFault, UsageError
from kit.harness.plan import Cell
from kit.harness.recorded import anew
from kit.scenario.load import load_suites
from kit.scenario.select import select
from kit.workflow.cells import Progress
from kit.workflow.conflict import Conflict, SideName, conflicts, note_choice, operation
from kit.workflow.project import Project, refuse_in_ci


@dataclass(frozen=True, slots=True)
class Resolved:
    """What became of a conflict.

    Attributes:
        staged: paths that lie there and are staged as chosen; the judge's calls go with their run.
        removed: paths that the chosen side does not have.
        exit_code: decision 14; not 0 where a new recording ended in an error, and nothing was staged then.
    """

    staged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    exit_code: int = 0


def find_conflict(project: Project, path: Path) -> Conflict:
    """The conflict in a file.

    Raises:
        UsageError: there is none in it, or no repository.
    """
    absolute = path.resolve()
    root = project.root.resolve()
    name = absolute.relative_to(root).as_posix() if absolute.is_relative_to(root) else str(path)
    found = conflicts(project)
    for one in found:
        if one.path == name:
            return one
    named = ", ".join(one.path for one in found) or "none"
    raise UsageError(
        "git has no conflict in this file",
        where=name,
        why=f"cassettes in conflict: {named}",
        next_command=anew(root / name) if _is_marked(root / name) else None,
    )


def _is_marked(path: Path) -> bool:
    """Whether the marks of a conflict were committed as if they were a recording."""
    return path.is_file() and b"\n<<<<<<< " in path.read_bytes()


def take(project: Project, conflict: Conflict, name: SideName) -> Resolved:
    """Put one side of a cassette in its place and stage it, the judge's calls of the same side with it.

    Raises:
        UsageError: CI is set.
        CassetteInvalid: that side cannot be read; nothing is changed.
        EnvironmentFault: the disk or git refuses; nothing is changed where git does not give the content.
    """
    refuse_in_ci(project, f"cassette resolve --{name}")
    side = conflict.side(name)
    files = tuple(_files_of(project, conflict, name))  # all of them, before the first is written
    if side.blob is not None and side.cassette is None and not side.is_pointer:
        raise CassetteInvalid(
            f"{name} cannot be taken: {side.problem}",
            where=conflict.path,
            next_command=f"kit cassette resolve {conflict.path} --record",
        )
    staged, removed = [], []
    for path, octets in files:
        file = project.root / path
        if octets is None:
            file.unlink(missing_ok=True)
            removed.append(path)
        else:
            durable.write(file, octets, project.root / durable.HOME)
            staged.append(path)
        _stage(project, path)
    return Resolved(tuple(staged), tuple(removed))


def record_anew(project: Project, conflict: Conflict, progress: Progress | None = None) -> Resolved:
    """Record the run again, and stage the recording if it came out whole.

    Args:
        project: its model is the one of the recording, see `model_of`.
        conflict: what is to be ended.
        progress: told how it goes.

    Raises:
        UsageError: neither side says what was recorded, its scenario is gone, another file is in conflict
            still, or CI is set; else as a run.
    """
    from kit.workflow.record import RecordRequest, record
    from kit.workflow.tape import record_tape

    refuse_in_ci(project, "cassette resolve --record")
    header = header_of(conflict)
    _refuse_marks(project)
    if header.suite is None:
        import shlex

        if not conflict.path.startswith(f"{FOLDER}/tapes/") or not header.agent:
            raise UsageError(
                "this is the recording of a test",
                where=conflict.path,
                next_command=f"pytest --kit-record=all {header.scenario}, then git add {conflict.path}",
            )
        done = record_tape(project, tuple(shlex.split(header.agent)), header.scenario)
        if done.is_partial or done.path is None:
            return Resolved(exit_code=done.exit_code)
        return Resolved(tuple(_staged(project, [conflict.path])), exit_code=done.exit_code)
    cell = _cell(project, header, conflict.path)
    is_judge = header.kind == "judge"
    outcome = record(project, RecordRequest(cells=(cell,), judge_only=is_judge), progress)
    if any(result.verdict == "error" for report in outcome.reports for result in report.scenarios):
        return Resolved(exit_code=outcome.exit_code or EXIT_BLOCKED)
    run = cell.cassette(project.root)
    paths = [judge_path(run)] if is_judge else [run, judge_path(run)]
    names = [path.relative_to(project.root).as_posix() for path in paths]
    return Resolved(tuple(_staged(project, names)))


def _refuse_marks(project: Project) -> None:
    """A prompt in conflict holds both sides and git's marks: nobody wants that recorded."""
    open_still = sorted(git.conflicts(project.root, ".") or {})
    others = [path for path in open_still if PurePosixPath(path).parts[0] not in {FOLDER, BASELINES}]
    if others:
        raise UsageError(
            f"git could not merge {', '.join(others)} either: the recording would be made of both sides",
            next_command="resolve these first, git add them, then the same command",
        )


def header_of(conflict: Conflict) -> Header:
    """Where the recording comes from, by the side that can be read.

    Raises:
        UsageError: neither can be.
    """
    for side in (conflict.ours, conflict.theirs):
        if side.cassette is not None:
            return side.cassette.header
    raise UsageError("neither side can be read, so nobody knows what to record", where=conflict.path)


def model_of(project: Project, path: str, header: Header) -> str:
    """The model under test of a recording; a judge's own header names the judge.

    Raises:
        UsageError: nobody knows it.
    """
    if header.kind != "judge":
        return header.model or project.settings.model
    run = peek(project.root / f"{path.removesuffix(JUDGE_SUFFIX)}{SUFFIX}")
    if run is None or run.model is None:
        raise UsageError("the run that was judged is not there", where=path)
    return run.model


def _cell(project: Project, header: Header, path: str) -> Cell:
    suites = load_suites(project.root)
    for item in select(suites, [loaded.suite.name for loaded in suites]):
        if (item.suite.name, item.scenario.id) == (header.suite, header.scenario) and not header.fork:
            return Cell(item, model_of(project, path, header), header.replicate, header.variant)
    raise UsageError(
        f"scenario {header.suite}/{header.scenario} cannot be recorded by itself",
        where=path,
        why="it is gone, or the recording is a fork of another one",
        next_command=f"kit cassette resolve {path} --ours",
    )


def _files_of(project: Project, conflict: Conflict, name: SideName) -> Iterator[tuple[str, bytes | None]]:
    """What a side has of the run and of its judge; None where it has no such file.

    Raises:
        EnvironmentFault: git does not answer, which is not the same as «no such file».
    """
    root = project.root
    yield conflict.path, _content(root, conflict.side(name).blob, conflict.path)
    if conflict.path.endswith(JUDGE_SUFFIX):
        return
    judge = judge_path(Path(conflict.path)).as_posix()
    staged, unmerged = git.conflicts(root, FOLDER, are_staged=True), git.conflicts(root, FOLDER)
    if staged is None or unmerged is None:
        raise _unanswered(judge)
    sides = {**staged, **unmerged}
    if judge in sides:
        yield judge, _content(root, sides[judge].ours if name == "ours" else sides[judge].theirs, judge)
        return
    # Changed on one side only, it was merged: with the run of the other side it would be a mix.
    commit = git.find_commit(root, "HEAD") if name == "ours" else operation(root)[1]
    if commit is not None:
        files = git.files_at(root, commit, PurePosixPath(judge).parent.as_posix())
        if files is None:
            raise _unanswered(judge)
        if judge in files or (root / judge).exists():
            yield judge, files.get(judge)


def _content(root: Path, blob: str | None, path: str) -> bytes | None:
    octets = None if blob is None else git.content(root, blob, path)
    if octets is None and blob is not None:
        raise _unanswered(path)
    return octets


def _unanswered(path: str) -> EnvironmentFault:
    return EnvironmentFault(
        "git does not give what this side has, so nothing was changed",
        where=path,
        why=f"an object is lost, or git took more than {git.TIMEOUT_S} s",
        next_command="git fsck, which names what is lost; where it names nothing, the same command again",
    )


def _staged(project: Project, paths: list[str]) -> Iterator[str]:
    for path in paths:
        _stage(project, path)
        if (project.root / path).exists():
            yield path


def _stage(project: Project, path: str) -> None:
    if not git.stage(project.root, path) and (project.root / path).exists():
        raise EnvironmentFault(
            "git does not stage it", where=path, next_command=f"git add -- {path}, which says why"
        )
    note_choice(project, path)
