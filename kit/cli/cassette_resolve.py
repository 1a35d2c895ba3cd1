"""`kit cassette resolve [PATH] --ours|--theirs|--record`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kit.cli import output
from kit.errors import EXIT_CASSETTE, EXIT_OK, UsageError


def cassette_resolve(
    path: Annotated[
        Path | None, typer.Argument(metavar="PATH", help="A cassette that git could not merge; all without.")
    ] = None,
    ours: Annotated[
        bool, typer.Option("--ours", help="Take the recording of the branch checked out.")
    ] = False,
    theirs: Annotated[bool, typer.Option("--theirs", help="Take that of the other branch.")] = False,
    record: Annotated[bool, typer.Option("--record", help="Take neither and record it anew.")] = False,
) -> int:
    """Show both sides of a recording that git could not merge, or take one whole and stage it."""
    from kit.report.conflict import render, render_resolved
    from kit.workflow.conflict import conflicts
    from kit.workflow.project import open_project
    from kit.workflow.resolve import find_conflict, header_of, model_of, record_anew, take

    if ours + theirs + record > 1:
        raise UsageError(
            "--ours, --theirs and --record exclude each other",
            next_command=f"kit cassette resolve {path or ''}".rstrip() + ", which shows both sides",
        )
    project = open_project()
    if path is None:
        if ours or theirs or record:
            side = "--ours" if ours else "--theirs" if theirs else "--record"
            named = next((one.path for one in conflicts(project)), "PATH")
            raise UsageError(
                "one conflict is resolved at a time", next_command=f"kit cassette resolve {named} {side}"
            )
        found = conflicts(project)
        output.line("\n\n".join(map(render, found)) or "git has no conflict in a cassette")
        return EXIT_CASSETTE if found else EXIT_OK
    conflict = find_conflict(project, path)
    if ours or theirs:
        done = take(project, conflict, "ours" if ours else "theirs")
    elif record:
        project = open_project(model=model_of(project, conflict.path, header_of(conflict)))
        done = record_anew(project, conflict, output.line)
    else:
        output.line(render(conflict))
        return EXIT_CASSETTE
    output.line(render_resolved(done))
    return done.exit_code
