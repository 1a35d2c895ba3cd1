"""`kit hook pre-commit|commit-msg|post-commit`: what git calls around a commit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kit.cli import output

app = typer.Typer(
    help="What git calls around a commit; `.pre-commit-hooks.yaml` names them.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@app.command("pre-commit", short_help="Replay what the staged files can change; never blocks.")
def pre_commit() -> int:
    """Replay what the staged files can change, print the report, and keep the decision for commit-msg."""
    from kit.workflow.hook import judge_staged
    from kit.workflow.project import open_project

    judged = judge_staged(open_project())
    if judged.outcome is not None:
        from kit.cli.results import print_outcome

        print_outcome(judged.outcome, as_json=False)
    from kit.report.hook import render_judged

    output.line(render_judged(judged))
    return 0


@app.command("commit-msg", short_help="Block, unless the message states a reason.")
def commit_msg(
    message: Annotated[
        Path, typer.Argument(metavar="FILE", help="The message, as git hands it to the hook.")
    ],
) -> int:
    """Stop a commit that the gate blocks, unless its message holds `eval-override: <reason>`."""
    from kit.workflow.hook import judge_message
    from kit.workflow.project import open_project

    verdict = judge_message(open_project(), message)
    from kit.report.hook import render_message

    if text := render_message(verdict):
        output.line(text)
    return verdict.exit_code


@app.command("post-commit", short_help="Log what an override let through.")
def post_commit() -> int:
    """Append the commit to baselines/regressions.md if a stated reason let it pass; once a commit."""
    from kit.workflow.hook import log_commit
    from kit.workflow.project import open_project

    logged = log_commit(open_project())
    from kit.report.hook import render_logged

    if text := render_logged(logged):
        output.line(text)
    return 0
