"""What CI asks of a branch: no regression against its base but those that a commit answers for in the log."""

from __future__ import annotations

from dataclasses import dataclass

from kit import git
from kit.baseline.store import FOLDER
from kit.errors import EXIT_BLOCKED, UsageError
from kit.gate.override import find_override
from kit.gate.regressions import LOG, Blocked, Entry, appended, entries, lost_lines, together, uncovered
from kit.harness.eval_report import EvalReport
from kit.harness.exit_code import worst
from kit.workflow.gating import blocked
from kit.workflow.hook import read_log, write_log
from kit.workflow.project import Project, refuse_in_ci
from kit.workflow.scenarios import RunOutcome, RunRequest, run_scenarios
from kit.workflow.sizes import too_large


@dataclass(frozen=True, slots=True)
class Override:
    """A commit of the branch that states a reason.

    Attributes:
        commit: id, date and message.
        reason: as stated.
        entries: what the log says of it; several where the commit was amended.
    """

    commit: git.Commit
    reason: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class BranchGate:
    """What the gate says of a branch.

    Attributes:
        outcome: the replay, compared with what the base accepted.
        start: the commit where the branch left its base.
        overrides: every stated reason of the branch.
        logged: entries that were appended to the log just now.
        problems: why the branch cannot be merged as it is, beside what the reports say.
        notices: what is odd and stops nothing.
        exit_code: decision 14.
    """

    outcome: RunOutcome
    start: str
    overrides: tuple[Override, ...]
    logged: tuple[Entry, ...]
    problems: tuple[str, ...]
    notices: tuple[str, ...]
    exit_code: int


def gate_branch(project: Project, base: str, *, strict: bool = False, log: bool = False) -> BranchGate:
    """Replay the branch that is checked out and compare it with what its base had accepted.

    A block passes where a commit of the branch states a reason and its entry names everything that blocks.
    What `kit accept` changed on the branch counts for nothing here: it is what the merge is about.

    Args:
        project: whose branch.
        base: what the branch is to be merged into.
        strict: a warning stops like a block.
        log: append the missing entries to the log in the folder; somebody has to commit it.

    Raises:
        UsageError: no such base, nothing in common with it, or `log` where CI is set; else as a replay.
    """
    if log:
        refuse_in_ci(project, "gate --log")
    start = _start(project, base)
    then, now = _log_at(project, start), read_log(project.root) if log else _log_at(project, "HEAD")
    overrides = _overrides(project, start, entries(now))
    unlogged = [one for one in overrides if not one.entries]
    answered = together(entry for one in overrides for entry in one.entries)

    def is_answered(report: EvalReport) -> bool:
        stops = blocked([report])
        return bool(stops) and ((log and bool(unlogged)) or not uncovered(stops, answered))

    outcome = run_scenarios(
        project,
        RunRequest(mode="replay", against=start, strict=strict, let_through=is_answered, is_gate=True),
    )
    stops = blocked(outcome.reports)
    logged = _append(project, now, unlogged, stops) if log and stops else ()
    problems = [f"{LOG} lost an entry that its base has: {line}" for line in lost_lines(then, now)]
    if stops and not logged:
        problems += [_has_no_entry(one) for one in unlogged]
    open_reports = [report for report in outcome.reports if report.gate == "block" and not report.overridden]
    if overrides and (left := uncovered(blocked(open_reports), answered)):
        problems.append(f"no entry of this branch in {LOG} answers for {_shown(left)}")
    notices = (*(() if stops else map(_is_needless, unlogged)), *too_large(project))
    code = worst((outcome.exit_code, EXIT_BLOCKED if problems else 0))
    return BranchGate(outcome, start, overrides, logged, tuple(problems), notices, code)


def _start(project: Project, base: str) -> str:
    if git.find_commit(project.root, base) is None:
        raise UsageError(
            f"`{base}` names no commit",
            why=f"there are {', '.join(git.refs(project.root)[:8]) or 'no branches and tags'}",
            next_command="kit gate --base main",
        )
    start = git.merge_base(project.root, base, "HEAD")
    if start is None:
        raise UsageError(
            f"HEAD and `{base}` have no commit in common",
            why="CI often fetches the last commit only",
            next_command="git fetch --unshallow (fetch-depth: 0 of actions/checkout)",
        )
    return start


def _log_at(project: Project, revision: str) -> str:
    commit = git.find_commit(project.root, revision)
    files = git.files_at(project.root, commit, FOLDER) if commit else None
    return (files or {}).get(LOG, b"").decode("utf-8", "replace")


def _overrides(project: Project, start: str, known: tuple[Entry, ...]) -> tuple[Override, ...]:
    mark = git.comment_mark(project.root)
    return tuple(
        Override(commit, reason, _entries_of(commit, reason, known))
        for commit in git.history(project.root, f"{start}..HEAD") or ()
        if (reason := find_override(commit.message, mark)) is not None
    )


def _entries_of(commit: git.Commit, reason: str, known: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return tuple(entry for entry in known if entry.is_about(commit.id, commit.date, reason))


def _append(project: Project, text: str, unlogged: list[Override], stops: Blocked) -> tuple[Entry, ...]:
    fresh = tuple(Entry(one.commit.id, one.commit.date, stops, one.reason) for one in unlogged)
    for entry in fresh:
        text = appended(text, entry)
    if fresh:
        write_log(project.root, text)
    return fresh


def _has_no_entry(one: Override) -> str:
    return f"commit {one.commit.id[:10]} overrides the gate («{one.reason}») and has no entry in {LOG}"


def _is_needless(one: Override) -> str:
    return (
        f"commit {one.commit.id[:10]} overrides the gate («{one.reason}»), and there is nothing to override"
    )


def _shown(stops: Blocked) -> str:
    return "; ".join(f"{where}: {', '.join(names)}" for where, names in stops.items())
