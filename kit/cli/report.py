"""`kit report`: what a run left, in another form, or sent to a chat."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from kit.cli import output
from kit.cli.artefacts import rendered, repository_prefix
from kit.cli.options import Form, Format
from kit.errors import UsageError


def report(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="A folder with report.json; the latest run without it."),
    ] = None,
    form: Format = Form.TERMINAL,
    send: Annotated[
        bool, typer.Option("--send", help="Post the short form of it to KIT_WEBHOOK_URL; print nothing else.")
    ] = False,
) -> int:
    """Print a report again, in any form; nothing is run."""
    from kit.workflow.kept_reports import read_reports
    from kit.workflow.project import open_project

    project = open_project()
    try:
        reports = read_reports(project, folder)
    except UsageError as error:
        if send:  # whoever waits for the message must not take silence for a good sign
            _post(f"kit: no report: {error.what}")
        raise
    if send:
        from kit.report.message import render as render_message

        _post(render_message(reports, _link()))
        return 0
    if form is Form.TERMINAL:
        from kit.report.terminal import render

        output.line("\n\n".join(render(one, colour=output.is_terminal()) for one in reports), is_styled=True)
    elif text := rendered(reports, form, repository_prefix(project.root)):
        output.line(text)
    return 0


def _post(text: str) -> None:
    from kit.workflow.webhook import send

    output.line(f"sent to {send(text, os.environ)}")


def _link() -> str | None:
    """The page of the run, where a workflow of GitHub sends its own report."""
    parts = [os.environ.get(name) for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")]
    return f"{parts[0]}/{parts[1]}/actions/runs/{parts[2]}" if all(parts) else None
