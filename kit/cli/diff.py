"""`kit diff A B`."""

from __future__ import annotations

from typing import Annotated

import typer

from kit.cli import output
from kit.cli.options import AgentPath, AsJson


def diff(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[A] [B]",
            help=(
                "last, last~1, a folder of .kit/reports, baseline, baseline@REF, a cassette's path, "
                "the tag of a model, or a variant. B is last if left out, A is baseline."
            ),
            show_default=False,
        ),
    ] = None,
    models: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="Given twice: compare two models. Given once: only its runs."),
    ] = None,
    agent: AgentPath = None,
    as_json: AsJson = False,
) -> int:
    """Say what differs between two runs; exit code 1 where a difference weighs block."""
    from kit.workflow.diff import diff as workflow
    from kit.workflow.project import open_project

    project = open_project(agent=agent)
    comparison = workflow(project, tuple(sources or ()), tuple(models or ()))
    if as_json:
        from kit.report.as_json import render_comparison

        output.line(render_comparison(comparison))
    else:
        from kit.report.drift import render_comparison as render

        output.line(render(comparison))
    return comparison.exit_code
