"""What the gate of a branch says."""

from __future__ import annotations

from kit import git
from kit.gate.regressions import Entry
from kit.report.branch import render_branch
from kit.workflow.branch_gate import BranchGate, Override
from kit.workflow.scenarios import RunOutcome
from tests.builders import report, result

ENTRY = Entry("a" * 40, "2026-11-29T10:00:00+00:00", {"home on m": ("001_x",)}, "why")
COMMIT = git.Commit("a" * 40, "b" * 40, ENTRY.date, "x")


def branch(**fields: object) -> BranchGate:
    blocked = report(result("fail", failures=("x",)), gate="block")
    known: dict[str, object] = {
        "outcome": RunOutcome((blocked,), None, (), (), 1),
        "start": "c" * 40,
        "overrides": (),
        "logged": (),
        "problems": (),
        "notices": (),
        "exit_code": 1,
    }
    return BranchGate(**{**known, **fields})  # type: ignore[arg-type]


def test_a_branch_without_a_reason() -> None:
    """The way out is shown as commands."""
    text = render_branch(branch())
    assert text.startswith("compared with what was accepted at cccccccccc")
    assert "git commit --allow-empty -m 'eval-override: <reason>'" in text


def test_a_branch_with_reasons() -> None:
    """Every override, what was logged, what is wrong."""
    text = render_branch(
        branch(
            overrides=(Override(COMMIT, "why", ()),),
            logged=(ENTRY,),
            notices=("odd",),
            problems=("no entry",),
        )
    )
    for line in (
        "1 override on the branch:",
        "  aaaaaaaaaa why",
        "wrote the entry of aaaaaaaaaa to baselines/regressions.md; commit it",
        "notice: odd",
        "problem: no entry",
        "next: kit gate --base REF --log, on your machine, and commit baselines/regressions.md",
    ):
        assert line in text
