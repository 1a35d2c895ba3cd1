"""`kit accept --reason …`."""

from __future__ import annotations

import typer

from kit.cli import output
from kit.cli.options import Model, Only, Selection


def accept(
    scenarios: Selection = None,
    reason: str = typer.Option(..., "--reason", help="Why these verdicts are right; kept in the baseline."),
    model: Model = None,
    only: Only = None,
    dry_run: bool = typer.Option(False, "--dry-run", help="Show what would change and write nothing."),
) -> int:
    """Replay, show what changes, and write the verdicts to baselines/ as accepted."""
    from kit.report.acceptance import render
    from kit.workflow.accept import accept as workflow
    from kit.workflow.project import open_project

    project = open_project(model=model)
    result = workflow(
        project,
        wanted=tuple(scenarios or ()),
        only=tuple(only or ()),
        model=model,
        reason=reason,
        dry_run=dry_run,
        show=lambda plan: output.line(render(plan)),
    )
    for path in result.written:
        output.line(f"wrote {path}")
    if result.exit_code:
        output.problem("kit: what ended in an error is not accepted; `kit replay` says why")
    return result.exit_code
