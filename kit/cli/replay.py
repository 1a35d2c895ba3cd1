"""`kit replay`, for scenarios and for any program behind `--`."""

from __future__ import annotations

from typing import Annotated

import typer

from kit.cli.options import AgentPath, AsJson, Model, Only, Selection, Strict, Tape
from kit.cli.results import print_outcome, print_tape, refuse_against, refuse_selection, refuse_tape


def replay(
    context: typer.Context,
    scenarios: Selection = None,
    model: Model = None,
    only: Only = None,
    agent: AgentPath = None,
    tape: Tape = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="REF", help="Compare with the baselines of a branch, tag or commit."
        ),
    ] = None,
    as_json: AsJson = False,
    strict: Strict = False,
) -> int:
    """Run the same agent code against its cassettes: offline, free, the same every time."""
    from kit.workflow.project import open_project

    project = open_project(model=model, agent=agent)
    if context.obj:
        from kit.workflow.tape import replay_tape

        refuse_selection(scenarios, only)
        refuse_against(against)
        result = replay_tape(project, tuple(context.obj), tape)
        print_tape(result, mode="replay", as_json=as_json)
        return result.exit_code
    refuse_tape(tape)
    from kit.workflow.scenarios import RunRequest, run_scenarios

    request = RunRequest(
        mode="replay",
        wanted=tuple(scenarios or ()),
        only=tuple(only or ()),
        model=model,
        against=against,
        strict=strict,
    )
    return print_outcome(run_scenarios(project, request), as_json=as_json)
