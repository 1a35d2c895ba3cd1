"""`kit cassette export CASSETTE --out FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kit.cli import output


def cassette_export(
    cassette: Annotated[Path, typer.Argument(metavar="CASSETTE", help="A cassette of kit.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file for vcrpy, in its YAML.")],
) -> None:
    """Write a cassette as vcrpy's YAML, which vcrpy loads and replays."""
    from kit.workflow.exporting import export_recording

    done = export_recording(cassette, out)
    from kit.report.foreign import render_export

    output.line(render_export(done))
