"""`kit cassette migrate`: recordings after a deliberate edit of a prompt or a schema."""

from __future__ import annotations

from typing import Annotated

import typer

from kit.cli import output
from kit.cli.options import AgentPath, Model, Only, Selection


def cassette_migrate(
    scenarios: Selection = None,
    model: Model = None,
    only: Only = None,
    agent: AgentPath = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write; else only say what would change.")] = False,
) -> int:
    """Give recordings the requests that the agent makes today, with the answers they have.

    Only where nothing but system prompt, tool schemas and parameters changed. Such a recording says so in its
    header, expires, counts for no floor, and the gate warns of it until it is recorded anew.
    """
    from kit.report.migrate import render_migrated
    from kit.workflow.migrate import migrate
    from kit.workflow.project import open_project

    project = open_project(agent=agent)
    migrated = migrate(project, tuple(scenarios or ()), model, only=tuple(only or ()), is_meant=yes)
    output.line(render_migrated(migrated))
    return migrated.exit_code
