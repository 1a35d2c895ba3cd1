"""`kit scan PATH…`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kit.cli import output
from kit.cli.options import AsJson


def scan(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files, and folders with all below.")],
    *,
    as_json: AsJson = False,
) -> int:
    """Look for secrets before they are committed; exit code 1 where something looks like one.

    Cassettes are unfolded, streams joined, JSON and base64 in strings opened. What is found is named by its
    place and its kind, never printed.
    """
    from kit.report.scan import render_scanned, scanned_json
    from kit.workflow.project import open_project
    from kit.workflow.scan import scan as workflow

    scanned = workflow(open_project(), paths)
    output.line(scanned_json(scanned) if as_json else render_scanned(scanned))
    return scanned.exit_code
