"""`kit verify`: the recorded requests, asked again today."""

from __future__ import annotations

from typing import Annotated

import typer

from kit.cli import output
from kit.cli.options import AsJson, BaseUrl, Model, Only, Selection


def verify(
    scenarios: Selection = None,
    model: Model = None,
    base_url: BaseUrl = None,
    only: Only = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Drift of shape or behaviour is exit code 1.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Send recorded requests to the live model and say how its answers drifted; nothing is written."""
    from kit.workflow.project import open_project
    from kit.workflow.verify import verify as run

    project = open_project(model=model, base_url=base_url)
    progress = None if as_json else output.line
    verified = run(
        project, tuple(scenarios or ()), model, only=tuple(only or ()), strict=strict, progress=progress
    )
    if as_json:
        from kit.report.as_json import render_verification

        output.line(render_verification(verified))
    else:
        from kit.report.verify import render_verified

        output.line(render_verified(verified))
    return verified.exit_code
