"""What the stages of a commit say."""

from __future__ import annotations

from kit.gate.regressions import Entry
from kit.report.hook import render_judged, render_logged, render_message
from kit.workflow.hook import Judged, Logged, MessageVerdict
from kit.workflow.scenarios import RunOutcome
from kit.workflow.stored_decision import StoredDecision

ENTRY = Entry("a" * 40, "2026-11-29T10:00:00+00:00", {"home on m": ("001_x",)}, "why")


def decision(code: int = 0, gate: str = "pass", *reasons: str) -> StoredDecision:
    files = tuple(f"kit/{number}.py" for number in range(5))
    return StoredDecision(tree="t", exit_code=code, gate=gate, reasons=reasons, files=files)


def test_what_was_replayed_for_is_named() -> None:
    """Not all of a hundred files."""
    text = render_judged(Judged(decision(), RunOutcome((), None, (), (), 0), ("cassettes/x.yaml",)))
    assert "replayed for kit/0.py, kit/1.py, kit/2.py and 2 more" in text
    assert "the commit will not have what the replay could read: cassettes/x.yaml" in text


def test_what_will_happen_is_said_before_the_message_is_written() -> None:
    """A block asks for a reason; an error does not, and is told where no report tells it."""
    assert "needs a line `eval-override: <reason>`" in render_judged(Judged(decision(1, "block")))
    text = render_judged(Judged(decision(3, "block", "nothing is recorded")))
    assert "kit: nothing is recorded" in text
    assert "exit code 3; no override passes it" in text
    nothing = render_judged(Judged(StoredDecision(tree="t")))
    assert nothing == "kit: nothing staged can change a run; nothing was replayed"


def test_message_stage() -> None:
    """Every outcome has its words, and a pass none."""
    assert render_message(MessageVerdict(decision(), 0)) == ""
    warned = render_message(MessageVerdict(decision(0, "warn", "it is slower\nby far"), 0))
    assert warned.splitlines() == ["kit: gate: warn", "  - it is slower", "    by far"]
    stopped = render_message(MessageVerdict(decision(1, "block", "it fell"), 1))
    assert "the commit is stopped, exit code 1" in stopped
    assert "  - it fell" in stopped
    assert "a line `eval-override: <reason>` in the message" in stopped
    passed = render_message(MessageVerdict(decision(1, "block", "it fell"), 0, override="why"))
    assert "gate: block, overridden: why" in passed
    unproved = render_message(MessageVerdict(decision(3, "block", "miss"), 3, ignored="why"))
    assert "an override passes a block of the gate, never this" in unproved
    assert "nothing to override" in render_message(MessageVerdict(decision(), 0, ignored="why"))


def test_post_commit_stage() -> None:
    """What was written, and where it belongs."""
    assert render_logged(Logged()) == ""
    assert "belongs in the next commit" in render_logged(Logged(ENTRY, is_new=True))
    assert "has the entry of this commit already" in render_logged(Logged(ENTRY))
    assert "kit gate --base main --log" in render_logged(Logged(is_unjudged=True))
