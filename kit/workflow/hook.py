"""The three stages of a commit: judge what is staged, block at its message, log what an override let through.

Only the commit-msg stage blocks, since only there the message can be read (S2-37). The stages share nothing
but `.kit/gate`; a stage that finds no decision about the staged content makes it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kit import git
from kit.errors import EXIT_BLOCKED, EXIT_OK, EnvironmentFault, KitError
from kit.gate.override import find_override
from kit.gate.regressions import LOG, Entry, appended, entries
from kit.workflow.concern import Concern, staged_concern, staged_tree
from kit.workflow.project import Project
from kit.workflow.stored_decision import StoredDecision, find, store

if TYPE_CHECKING:
    # Most commits change no run: they wait for no import of what runs one.
    from kit.workflow.scenarios import RunOutcome

_WORST = ("block", "warn", "pass")


@dataclass(frozen=True, slots=True)
class Judged:
    """What judging the staged content gave.

    Attributes:
        decision: as it was stored.
        outcome: the replay; None where none was needed, or it could not begin.
        untracked: files that the replay may have read, and the commit will not have.
        warnings: what is odd about the recordings and stops nothing.
    """

    decision: StoredDecision
    outcome: RunOutcome | None = None
    untracked: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageVerdict:
    """What the commit-msg stage says.

    Attributes:
        decision: about the staged content.
        exit_code: 0 lets the commit happen.
        override: the reason that let a block pass.
        ignored: a stated reason that counts for nothing: there is no block, or nothing passes it.
    """

    decision: StoredDecision
    exit_code: int
    override: str | None = None
    ignored: str | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """What the post-commit stage did.

    Attributes:
        entry: what the log says of the commit; None where there is nothing to log.
        is_new: it was appended just now.
        is_unjudged: the commit states an override, and nobody judged its content here.
    """

    entry: Entry | None = None
    is_new: bool = False
    is_unjudged: bool = False


def judge_staged(project: Project) -> Judged:
    """Replay what the staged files can change, and store what the gate says of them.

    Raises:
        EnvironmentFault: git cannot say what is staged.
        ConfigError: `[tool.kit.gate]` is wrong.
        UsageError: the folder differs from what is staged.
    """
    concern = staged_concern(project)
    outcome: RunOutcome | None = None
    if not concern.files:
        decision = StoredDecision(tree=concern.tree)
    else:
        from kit.workflow.scenarios import RunRequest, run_scenarios

        try:
            outcome = run_scenarios(project, RunRequest(mode="replay", wanted=concern.suites, is_gate=True))
        except KitError as error:
            decision = StoredDecision(
                tree=concern.tree,
                exit_code=error.exit_code,
                gate="block",
                files=concern.files,
                reasons=(str(error),),
            )
        else:
            decision = _decision(concern, outcome)
    store(project, decision)
    return Judged(decision, outcome, concern.untracked, _warnings(project, outcome))


def _warnings(project: Project, outcome: RunOutcome | None) -> tuple[str, ...]:
    """Recordings that grew too large, and conflicts that a plain `git add` ended without a choice."""
    from kit.workflow.conflict import staged_unseen
    from kit.workflow.sizes import too_large

    return (
        *(
            f"{path}: ours was staged without a look at theirs: kit cassette resolve {path}"
            for path in staged_unseen(project)
        ),
        *(too_large(project) if outcome is not None else ()),
    )


def judge_message(project: Project, message: Path) -> MessageVerdict:
    """Let a commit happen or not, by the stored decision and the reason in its message.

    Args:
        project: in whose repository the commit is made.
        message: the file that git hands to a commit-msg hook.

    Raises:
        EnvironmentFault: the message cannot be read; else as `judge_staged`, where nobody judged before.
    """
    decision = find(project, staged_tree(project)) or judge_staged(project).decision
    try:
        text = message.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise EnvironmentFault(f"the message cannot be read: {error.strerror}", where=str(message)) from error
    reason = find_override(text, git.comment_mark(project.root))
    if decision.exit_code != EXIT_BLOCKED or reason is None:
        return MessageVerdict(decision, decision.exit_code, ignored=reason)
    decision = replace(decision, override=reason)
    store(project, decision)
    _mark_reports(project, decision)
    return MessageVerdict(decision, EXIT_OK, override=reason)


def log_commit(project: Project) -> Logged:
    """Append the commit just made to the log of regressions, if a stated reason let it pass; once a commit.

    Nothing is written while commits are replayed by a rebase: their entries came with them.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    root = project.root
    head = None if git.is_replaying_commits(root) else git.head(root)
    reason = find_override(head.message, git.comment_mark(root)) if head else None
    if head is None or reason is None:
        return Logged()
    decision = find(project, head.tree)
    if decision is None:
        return Logged(is_unjudged=True)
    if decision.exit_code != EXIT_BLOCKED:
        return Logged()
    entry = Entry(head.id, head.date, decision.blocked, reason)
    text = read_log(root)
    for known in entries(text):
        if known.is_about(head.id, head.date, reason) and known.covers(decision.blocked):
            return Logged(known)
    write_log(root, appended(text, entry))
    return Logged(entry, is_new=True)


def read_log(root: Path) -> str:
    """The log of regressions as it lies in the folder; empty where there is none yet."""
    path = root / LOG
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def write_log(root: Path, text: str) -> None:
    """Put the log in its place.

    Raises:
        EnvironmentFault: the disk refuses.
    """
    path = root / LOG
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise EnvironmentFault(f"cannot be written: {error.strerror}", where=LOG) from error


def _decision(concern: Concern, outcome: RunOutcome) -> StoredDecision:
    from kit.workflow.gating import blocked

    gates = {report.gate for report in outcome.reports}
    return StoredDecision(
        tree=concern.tree,
        exit_code=outcome.exit_code,
        gate=next((gate for gate in _WORST if gate in gates), "pass"),
        files=concern.files,
        blocked=blocked(outcome.reports),
        reasons=tuple(
            f"{report.suite} on {report.model}: {reason}"
            for report in outcome.reports
            for reason in report.gate_reasons
        ),
        folder=outcome.folder.as_posix() if outcome.folder else None,
    )


def _mark_reports(project: Project, decision: StoredDecision) -> None:
    """Say in the reports that lie there already what the message has decided since (S2-37)."""
    if decision.folder is None:
        return
    from kit.harness.eval_report import EvalReport

    for file in sorted((project.root / decision.folder).glob("*/*/report.json")):
        report = EvalReport.model_validate_json(file.read_text(encoding="utf-8"))
        if report.gate == "block":
            marked = report.model_copy(update={"overridden": True})
            file.write_text(marked.model_dump_json(indent=2) + "\n", encoding="utf-8")
