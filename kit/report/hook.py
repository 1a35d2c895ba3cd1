"""What the stages of a commit say beside the reports."""

from __future__ import annotations

from collections.abc import Iterator

from kit.errors import EXIT_BLOCKED, EXIT_OK
from kit.gate.regressions import LOG
from kit.workflow.hook import Judged, Logged, MessageVerdict

OVERRIDE = "eval-override: <reason>"
_SHOWN = 3


def render_judged(judged: Judged) -> str:
    """What the pre-commit stage found out; the commit-msg stage acts on it."""
    decision = judged.decision
    warnings = [f"kit: warning: {warning}" for warning in judged.warnings]
    if not decision.files:
        return "\n".join(["kit: nothing staged can change a run; nothing was replayed", *warnings])
    more = len(decision.files) - _SHOWN
    shown = ", ".join(decision.files[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
    lines = [f"kit: replayed for {shown}"]
    if judged.untracked:
        lines.append(
            f"kit: the commit will not have what the replay could read: {', '.join(judged.untracked)}"
        )
    lines += warnings
    if judged.outcome is None:
        lines += [f"kit: {reason}" for reason in decision.reasons]
    if decision.exit_code == EXIT_BLOCKED:
        lines.append(f"kit: gate: block; the commit needs a line `{OVERRIDE}` in its message")
    elif decision.exit_code != EXIT_OK:
        lines.append(
            f"kit: the commit will be stopped with exit code {decision.exit_code}; no override passes it"
        )
    return "\n".join(lines)


def render_message(verdict: MessageVerdict) -> str:
    """Why the commit may happen or not; empty where there is nothing to say."""
    return "\n".join(_message(verdict))


def _message(verdict: MessageVerdict) -> Iterator[str]:
    decision = verdict.decision
    if verdict.override is not None:
        yield f"kit: gate: block, overridden: {verdict.override}"
        yield f"kit: {LOG} gets an entry after the commit; it belongs in the next one"
    elif verdict.exit_code != EXIT_OK:
        yield f"kit: the commit is stopped, exit code {verdict.exit_code}"
    elif verdict.ignored is not None:
        yield "kit: the gate does not block, so there is nothing to override"
    elif decision.gate == "warn":
        yield "kit: gate: warn"
    else:
        return
    for reason in decision.reasons:
        yield f"  - {reason}".replace("\n", "\n    ")
    if verdict.exit_code == EXIT_BLOCKED:
        yield f"  next: mend it, or say why it may pass: a line `{OVERRIDE}` in the message"
    elif verdict.exit_code != EXIT_OK and verdict.ignored is not None:
        yield "  an override passes a block of the gate, never this"


def render_logged(logged: Logged) -> str:
    """What the post-commit stage wrote; empty where it had nothing to do."""
    if logged.is_unjudged:
        return "kit: nobody judged this commit here; `kit gate --base main --log` writes its entry"
    if logged.entry is None:
        return ""
    if not logged.is_new:
        return f"kit: {LOG} has the entry of this commit already"
    return f"kit: wrote the entry of this commit to {LOG}; it belongs in the next commit"
