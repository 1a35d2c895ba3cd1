"""`kit cassette import FILE… --out CASSETTE`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kit.cli import output


def cassette_import(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Recordings of vcrpy and its kin (YAML, JSON), or their folders."
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="CASSETTE", help="The cassette; of several files, their folder.")
    ],
    *,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every notice of every file.")
    ] = False,
) -> int:
    """Make cassettes of recordings that vcrpy, pytest-recording or their kin wrote."""
    from kit.workflow.importing import import_recordings
    from kit.workflow.project import open_project

    done = import_recordings(open_project(), files, out)
    from kit.report.foreign import render_import

    output.line(render_import(done, verbose=verbose))
    return done.exit_code
