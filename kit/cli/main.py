"""The command `kit`: parse, call one workflow, render, exit code."""

from __future__ import annotations

import gc
import shlex
import sys
from collections.abc import Sequence

import typer

from kit.cli import accept, diff, gate, hook, merge, output, record, replay, report, run, show
from kit.errors import UsageError

WRAPPING = ("record", "replay")
"""Commands that take a program behind `--`."""

app = typer.Typer(
    name="kit",
    help="Record an LLM agent once against a real model; replay, judge and gate it for ever, offline.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=(
        "Exit codes: 0 pass or warn; 1 the gate blocks; 2 usage, configuration or scenario; "
        "3 a cassette is missing, mismatched or has leftovers; 4 environment; 70 bug; 130 interrupted."
    ),
)
app.command("record", short_help="Run live and keep what crossed the boundary.")(record.record)
app.command("replay", short_help="Run against the recordings: offline and free.")(replay.replay)
app.command("run", short_help="Run scenarios in either mode, keep nothing.")(run.run)
app.command("show", short_help="Print a recorded conversation.")(show.show)
app.command("diff", short_help="Say what differs between runs, baselines, models.")(diff.diff)
app.command("report", short_help="Print a report again, in any form, or send it.")(report.report)
app.command("merge", short_help="Join the results of shards.")(merge.merge)
app.command("accept", short_help="Accept what replay says as baseline.")(accept.accept)
app.command("gate", short_help="What CI asks of a branch before it is merged.")(gate.gate)
app.add_typer(hook.app, name="hook", short_help="What git calls around a commit.")


def _version(wanted: bool) -> None:
    if wanted:
        from kit import __version__

        output.line(f"kit {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    _version_wanted: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Record an LLM agent once against a real model; replay, judge and gate it for ever, offline."""
    if context.obj and context.invoked_subcommand not in WRAPPING:
        raise UsageError(
            f"kit {context.invoked_subcommand} takes no program behind `--`",
            next_command=f"kit record -- {shlex.join(context.obj)}",
        )


def split_command(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Divide `kit record --tape x -- python agent.py` into kit's own words and the program's.

    Click drops the first `--`, so a program's words could not be told from ids of scenarios.

    Raises:
        UsageError: nothing stands behind the `--`.
    """
    words = list(argv)
    if "--" not in words:
        return words, []
    at = words.index("--")
    if at == len(words) - 1:
        raise UsageError("no program stands behind `--`", next_command="kit record -- python my_agent.py")
    return words[:at], words[at + 1 :]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit with a documented code; without a word it shows the help."""
    words = sys.argv[1:] if argv is None else argv
    gc.disable()  # imports make much and drop nothing; agents run with it again (`CellRuns.run`)
    try:
        code = output.guarded(lambda: _call(words))
    finally:
        gc.enable()
    sys.exit(code)


def _call(words: Sequence[str]) -> object:
    own, program = split_command(words or ["--help"])
    return app(own, standalone_mode=False, prog_name="kit", obj=program)
