"""`kit replay`, for scenarios and for any program behind `--`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from kit.cli import output
from kit.cli.branching import parse_branching, refuse_branching
from kit.cli.options import (
    Against,
    AgentPath,
    AsJson,
    Changed,
    Faults,
    Form,
    Format,
    Model,
    Only,
    ReportFolder,
    Selection,
    ShardText,
    Strict,
    Tape,
    Then,
    Until,
    VariantName,
    Workers,
)
from kit.cli.results import (
    print_outcome,
    print_tape,
    refuse_against,
    refuse_forms,
    refuse_parts,
    refuse_selection,
    refuse_tape,
)

if TYPE_CHECKING:
    from kit.workflow.scenarios import RunRequest


def replay(
    context: typer.Context,
    scenarios: Selection = None,
    model: Model = None,
    only: Only = None,
    agent: AgentPath = None,
    tape: Tape = None,
    against: Against = None,
    workers: Workers = 1,
    shard: ShardText = None,
    changed: Changed = None,
    as_json: AsJson = False,
    form: Format = Form.TERMINAL,
    report: ReportFolder = None,
    strict: Strict = False,
    until: Until = None,
    then: Then = None,
    faults: Faults = None,
    variant: VariantName = None,
) -> int:
    """Run the same agent code against its cassettes: offline, free, the same every time."""
    if context.obj:
        refuse_selection(scenarios, only)
        refuse_against(against)
        refuse_parts("replay", workers, shard, changed)
        refuse_forms(form, report)
        refuse_branching(until, then, faults, variant)
        return _tape(tuple(context.obj), tape, model, agent, as_json=as_json)
    refuse_tape(tape)
    from kit.harness.shard import parse_shard
    from kit.workflow.scenarios import RunRequest

    branching = parse_branching(until, then, faults, variant)
    is_live = branching is not None and branching.is_live
    request = RunRequest(
        mode="live" if is_live else "replay",
        keep=is_live,
        command="replay --then live",
        branching=branching,
        wanted=tuple(scenarios or ()),
        only=tuple(only or ()),
        model=model,
        against=against,
        strict=strict,
        workers=workers,
        shard=None if shard is None else parse_shard(shard),
        changed=changed,
    )
    return _scenarios(request, agent, form, report, as_json=as_json)


def _scenarios(
    request: RunRequest, agent: str | None, form: Form, report: Path | None, *, as_json: bool
) -> int:
    from kit.workflow.project import open_project
    from kit.workflow.scenarios import run_scenarios

    project = open_project(model=request.model, agent=agent)
    progress = output.line if request.mode == "live" and not as_json else None
    # What is stale is said before anything runs, beside what a program reads.
    before = output.line if form is Form.TERMINAL and not as_json else output.problem
    outcome = run_scenarios(project, request, progress, before=before)
    return print_outcome(outcome, as_json=as_json, form=form, report=report)


def _tape(
    program: tuple[str, ...], tape: str | None, model: str | None, agent: str | None, *, as_json: bool
) -> int:
    from kit.workflow.project import open_project
    from kit.workflow.tape import replay_tape

    project = open_project(model=model, agent=agent)
    result = replay_tape(project, program, tape, before=output.problem)
    print_tape(result, mode="replay", as_json=as_json)
    return result.exit_code
