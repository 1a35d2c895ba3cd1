"""`kit show CASSETTE`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kit.cli import output


def show(
    cassette: Annotated[Path, typer.Argument(help="A file below cassettes/.")],
    *,
    full: Annotated[bool, typer.Option("--full", help="Show long messages whole.")] = False,
) -> None:
    """Print a recorded conversation for a person."""
    from kit.report.conversation import render, render_header
    from kit.workflow import show as workflow

    shown = workflow.show(cassette)
    output.line(render_header(shown.header))
    if shown.edited:
        output.line("edited    by hand since it was recorded")
    output.line()
    output.line(render(shown.items, full=full))
