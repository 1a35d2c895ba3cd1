"""`kit merge RESULTS…`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kit.cli.options import AsJson, Form, Format, ReportFolder, Strict
from kit.cli.results import print_outcome


def merge(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS", help="results.jsonl of each shard, or the folders that hold them."),
    ],
    as_json: AsJson = False,
    form: Format = Form.TERMINAL,
    report: ReportFolder = None,
    strict: Strict = False,
) -> int:
    """Join the results of all shards: the reports and the decision of the whole run."""
    from kit.workflow.merge import merge as workflow
    from kit.workflow.project import open_project

    outcome = workflow(open_project(), results, strict=strict)
    return print_outcome(outcome, as_json=as_json, form=form, report=report)
