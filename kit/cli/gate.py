"""`kit gate --base REF`: what CI asks before a merge."""

from __future__ import annotations

import typer

from kit.cli import output
from kit.cli.options import AsJson, Form, Format, ReportFolder, Strict
from kit.cli.results import print_outcome


def gate(
    base: str = typer.Option(..., "--base", metavar="REF", help="What the branch is to be merged into."),
    strict: Strict = False,
    log: bool = typer.Option(
        False, "--log", help="Append missing entries to baselines/regressions.md; never in CI."
    ),
    as_json: AsJson = False,
    form: Format = Form.TERMINAL,
    report: ReportFolder = None,
) -> int:
    """Replay the branch, compare it with what its base accepted, and check that every override is logged."""
    from kit.workflow.branch_gate import gate_branch
    from kit.workflow.project import open_project

    found = gate_branch(open_project(), base, strict=strict, log=log)
    print_outcome(found.outcome, as_json=as_json, form=form, report=report)
    from kit.report.branch import render_branch

    is_alone = not as_json and form is Form.TERMINAL
    (output.line if is_alone else output.problem)(render_branch(found))
    return found.exit_code
