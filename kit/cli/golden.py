"""`kit golden`: the golden set live or replayed, its history, and floors that came down."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kit.cli import output
from kit.cli.options import BaseUrl, Model

app = typer.Typer(
    help="Judge the judge: a few curated cases, counted together and held against a floor.",
    rich_markup_mode=None,
    invoke_without_command=True,
)


class GoldenMode(StrEnum):
    """How the cases are answered."""

    LIVE = "live"
    REPLAY = "replay"


@app.callback()
def golden(
    context: typer.Context,
    model: Model = None,
    base_url: BaseUrl = None,
    mode: Annotated[
        GoldenMode, typer.Option("--mode", help="live asks the model; replay plays the recorded passes.")
    ] = GoldenMode.LIVE,
    passes: Annotated[
        int | None, typer.Option("--passes", min=1, help="How many passes; pass n runs with seed n.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Live: keep the runs as cassettes; what has one is not run again.")
    ] = False,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Command or package.module:function that prepares cases.")
    ] = None,
    log: Annotated[
        bool, typer.Option("--log", help="Replay: append passes to the history that are not in it.")
    ] = False,
) -> int:
    """Run the golden set once, deliberately; live asks a real model and is NOT deterministic.

    The model is --model, else GOLDEN_SET_QA_MODEL, else qwen2.5-coder:latest; a replay without either plays
    every recorded model.
    """
    if context.invoked_subcommand is not None:
        return 0
    from kit.errors import UsageError
    from kit.report.golden import BANNER, render_golden
    from kit.workflow.golden import GoldenRequest, model_under_test, run_golden
    from kit.workflow.project import open_project

    is_live = mode is GoldenMode.LIVE
    if (keep or seed is not None) and not is_live:
        raise UsageError("--keep and --seed are for live runs", next_command="kit golden --mode live")
    if log and is_live:
        raise UsageError(
            "--log is for replays: a live pass is logged anyway",
            next_command="kit golden --mode replay --log",
        )
    project = open_project(model=model_under_test(model) if is_live else model, base_url=base_url)
    if is_live:
        output.line(BANNER)
    request = GoldenRequest(mode=mode.value, model=model, passes=passes, keep=keep, seed=seed, log=log)
    outcome = run_golden(project, request, output.line if is_live else None)
    output.line(render_golden(outcome))
    return outcome.exit_code


@app.command("check-floor", short_help="Name floors that were lowered or removed.")
def check_floor(
    against: Annotated[
        str, typer.Option("--against", metavar="REF", help="Branch, tag or commit to compare with.")
    ],
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 where any was.")] = False,
) -> int:
    """Compare the floors of every suite with those of a ref; changing them is a person's business."""
    from kit.errors import EXIT_BLOCKED, EXIT_OK
    from kit.workflow.golden_log import review_floors
    from kit.workflow.project import open_project

    review = review_floors(open_project(), against)
    for sentence in review.lowered:
        output.line(sentence)
    for suite in review.new:
        output.line(f"{suite}: there is no floor file at {against}, so nothing to compare")
    if not review.lowered:
        output.line(f"no floor is lower than at {against} ({len(review.suites)} files)")
    return EXIT_BLOCKED if strict and review.lowered else EXIT_OK


@app.command("history", short_help="Print every logged pass.")
def history() -> int:
    """Print the log of passes, baselines/golden/history.jsonl, a line each."""
    from kit.report.golden import render_history
    from kit.workflow.golden_log import golden_history
    from kit.workflow.project import open_project

    output.line(render_history(golden_history(open_project())) or "no pass was logged yet")
    return 0


@app.command("trend", short_help="Print each model's passes beside its floor.")
def trend(
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the trend there as well.")
    ] = None,
) -> int:
    """Print how the passes of each model went over time, beside its floor."""
    from kit.report.golden import render_trend, render_unmeasured
    from kit.workflow.golden_log import golden_trend, unmeasured_floors
    from kit.workflow.project import open_project

    project = open_project()
    found = golden_trend(project)
    output.line(render_trend(found) or "no pass was logged yet")
    if others := render_unmeasured(unmeasured_floors(project)):
        output.line(f"\n{others}")
    if svg is not None:
        from kit.errors import EnvironmentFault
        from kit.report.golden_svg import draw_trend

        try:
            svg.write_text(draw_trend(found), encoding="utf-8")
        except OSError as fault:
            reason = fault.strerror or type(fault).__name__
            raise EnvironmentFault(f"the trend cannot be drawn: {reason}", where=str(svg)) from fault
        output.line(f"drawn {svg}")
    return 0
