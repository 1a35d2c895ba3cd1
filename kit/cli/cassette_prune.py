"""`kit cassette prune [--yes] [--tests]`."""

from __future__ import annotations

from typing import Annotated

import typer

from kit.cli import output


def cassette_prune(
    yes: Annotated[bool, typer.Option("--yes", help="Delete what is listed.")] = False,
    tests: Annotated[
        bool, typer.Option("--tests", help="Look at the recordings of the pytest plugin too.")
    ] = False,
) -> None:
    """List recordings whose scenario, suite or run is gone, and what writers left; delete if told."""
    from kit.report.prune import render
    from kit.workflow.project import open_project
    from kit.workflow.prune import prune

    output.line(render(prune(open_project(), delete=yes, tests=tests)))
