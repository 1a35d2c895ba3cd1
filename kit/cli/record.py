"""`kit record`, for scenarios and for any program behind `--`."""

from __future__ import annotations

import typer

from kit.cli import output
from kit.cli.options import AgentPath, AsJson, BaseUrl, Model, Only, Selection, Tape, Workers
from kit.cli.results import print_outcome, print_tape, refuse_parts, refuse_selection, refuse_tape


def record(
    context: typer.Context,
    scenarios: Selection = None,
    model: Model = None,
    base_url: BaseUrl = None,
    only: Only = None,
    missing: bool = typer.Option(False, "--missing", help="Only what has no cassette yet."),
    repeat: int = typer.Option(
        1, "--repeat", min=1, help="Replicates of each scenario; the n-th runs with seed n."
    ),
    agent: AgentPath = None,
    tape: Tape = None,
    workers: Workers = 1,
    as_json: AsJson = False,
) -> int:
    """Run live and keep what crossed the boundary: scenarios, or `-- python my_agent.py`."""
    from kit.workflow.project import open_project

    project = open_project(model=model, base_url=base_url, agent=agent)
    if context.obj:
        from kit.workflow.tape import record_tape

        refuse_selection(scenarios, only)
        refuse_parts(workers)
        result = record_tape(project, tuple(context.obj), tape)
        print_tape(result, mode="record", as_json=as_json)
        return result.exit_code
    refuse_tape(tape)
    from kit.workflow.scenarios import RunRequest, run_scenarios

    request = RunRequest(
        mode="live",
        keep=True,
        wanted=tuple(scenarios or ()),
        only=tuple(only or ()),
        missing=missing,
        replicates=repeat,
        workers=workers,
    )
    return print_outcome(run_scenarios(project, request, None if as_json else output.line), as_json=as_json)
