"""`kit record`, for scenarios and for any program behind `--`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from kit.cli import output
from kit.cli.options import (
    AgentPath,
    AsJson,
    BaseUrl,
    Failed,
    JudgeOnly,
    MaxCost,
    Missing,
    Model,
    Only,
    Repeat,
    Resume,
    Selection,
    Stale,
    Tape,
    Workers,
)
from kit.cli.results import print_outcome, print_tape, refuse_parts, refuse_selection, refuse_tape, tell_left
from kit.errors import UsageError

if TYPE_CHECKING:
    from kit.workflow.unfinished import Unfinished

_NARROWING = ("--missing", "--stale", "--failed", "--repeat")
_RECORDING = (*_NARROWING, "--resume")


def record(
    context: typer.Context,
    scenarios: Selection = None,
    model: Model = None,
    base_url: BaseUrl = None,
    only: Only = None,
    missing: Missing = False,
    stale: Stale = False,
    failed: Failed = False,
    resume: Resume = False,
    max_cost: MaxCost = None,
    judge_only: JudgeOnly = False,
    repeat: Repeat = 1,
    agent: AgentPath = None,
    tape: Tape = None,
    workers: Workers = 1,
    as_json: AsJson = False,
) -> int:
    """Run live and keep what crossed the boundary: scenarios, or `-- python my_agent.py`."""
    given = {"--missing": missing, "--stale": stale, "--failed": failed, "--repeat": repeat != 1}
    given |= {"--resume": resume, "--judge-only": judge_only, "--max-cost": max_cost is not None}
    if context.obj:
        refuse_selection(scenarios, only)
        refuse_parts("record", workers)
        _refuse("a program behind `--` is one run of its own", "kit record -- python my_agent.py", given)
        return _tape(tuple(context.obj), tape, model, base_url, as_json=as_json)
    refuse_tape(tape)
    from kit.workflow.project import open_project
    from kit.workflow.record import RecordRequest
    from kit.workflow.record import record as workflow
    from kit.workflow.to_record import Reasons

    if judge_only:
        _refuse("--judge-only looks at what is recorded", "kit record --judge-only", given, _RECORDING)
    unfinished = _unfinished(given, scenarios, only, model) if resume else None
    if unfinished is not None:
        model, agent, base_url = unfinished.model, agent or unfinished.agent, base_url or unfinished.base_url
    request = RecordRequest(
        wanted=tuple(scenarios or ()),
        only=tuple(only or ()),
        reasons=Reasons(missing=missing, stale=stale, failed=failed),
        replicates=repeat,
        workers=workers,
        unfinished=unfinished,
        budget_micro_usd=_budget(max_cost),
        judge_only=judge_only,
    )
    project = open_project(model=model, base_url=base_url, agent=agent)
    tell_left(project)
    return print_outcome(workflow(project, request, None if as_json else output.line), as_json=as_json)


def _tape(
    program: tuple[str, ...], tape: str | None, model: str | None, base_url: str | None, *, as_json: bool
) -> int:
    from kit.workflow.project import open_project
    from kit.workflow.tape import record_tape

    project = open_project(model=model, base_url=base_url)
    tell_left(project)
    result = record_tape(project, program, tape)
    print_tape(result, mode="record", as_json=as_json)
    return result.exit_code


def _budget(max_cost: str | None) -> int | None:
    from kit.workflow.budget import parse_usd

    return None if max_cost is None else parse_usd(max_cost)


def _unfinished(
    given: Mapping[str, bool], scenarios: list[str] | None, only: list[str] | None, model: str | None
) -> Unfinished:
    from kit.workflow.project import open_project
    from kit.workflow.unfinished import find_unfinished

    _refuse("--resume goes on with what was planned", "kit record --resume", given, _NARROWING)
    if scenarios or only:
        raise UsageError(
            "--resume goes on with what was planned, without a selection of its own",
            next_command="kit record --resume",
        )
    project = open_project()
    found = find_unfinished(project, model)
    # What the environment says now counts, not what it said then.
    return replace(found, base_url=None) if "base_url" in project.settings.overrides else found


def _refuse(
    why: str, next_command: str, given: Mapping[str, bool], names: tuple[str, ...] | None = None
) -> None:
    """Options that mean nothing where another one stands are an error, never passed over.

    Raises:
        UsageError: one of them was given.
    """
    wrong = [name for name in names or tuple(given) if given[name]]
    if wrong:
        what = f"{why}, so {' and '.join(wrong)} cannot stand beside it"
        raise UsageError(what, next_command=next_command)
