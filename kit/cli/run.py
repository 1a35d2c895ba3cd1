"""`kit run --mode live|replay`, the general form."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from kit.cli import output
from kit.cli.options import (
    AgentPath,
    AsJson,
    BaseUrl,
    Changed,
    Form,
    Format,
    Model,
    Only,
    ReportFolder,
    Selection,
    ShardText,
    Workers,
)
from kit.cli.results import print_outcome
from kit.errors import UsageError


class ModeChoice(StrEnum):
    """The two modes of S2-17."""

    REPLAY = "replay"
    LIVE = "live"


def run(
    scenarios: Selection = None,
    mode: Annotated[
        ModeChoice, typer.Option("--mode", help="live asks the model and keeps nothing unless told.")
    ] = ModeChoice.REPLAY,
    model: Model = None,
    base_url: BaseUrl = None,
    only: Only = None,
    agent: AgentPath = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="With --mode live: keep the cassettes, as `kit record` does.")
    ] = False,
    workers: Workers = 1,
    shard: ShardText = None,
    changed: Changed = None,
    as_json: AsJson = False,
    form: Format = Form.TERMINAL,
    report: ReportFolder = None,
) -> int:
    """Run scenarios in either mode, compared with what was accepted; live keeps cassettes only if told."""
    from kit.harness.shard import parse_shard
    from kit.workflow.project import open_project
    from kit.workflow.scenarios import RunRequest, run_scenarios

    if keep and mode is ModeChoice.REPLAY:
        raise UsageError(
            "--keep keeps what a live run recorded; a replay records nothing",
            next_command="kit run --mode live --keep",
        )
    project = open_project(model=model, base_url=base_url, agent=agent)
    request = RunRequest(
        mode=mode.value,
        keep=keep,
        command="run --mode live --keep",
        wanted=tuple(scenarios or ()),
        only=tuple(only or ()),
        model=model if mode is ModeChoice.REPLAY else None,
        workers=workers,
        shard=None if shard is None else parse_shard(shard),
        changed=changed,
    )
    is_alone = not as_json and form is Form.TERMINAL
    progress = output.line if mode is ModeChoice.LIVE and is_alone else None
    # As `kit replay`: what is stale is said before anything runs, beside what a program reads.
    outcome = run_scenarios(project, request, progress, before=output.line if is_alone else output.problem)
    return print_outcome(outcome, as_json=as_json, form=form, report=report)
