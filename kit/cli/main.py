"""The command `kit`: parse, call one workflow, render, exit code."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from kit.cli import output
from kit.errors import EXIT_CASSETTE, UsageError

COMMANDS = {
    "record": "Run live and keep what crossed the boundary.",
    "replay": "Run against the recordings: offline and free.",
    "run": "Run scenarios in either mode; keep nothing unless told.",
    "show": "Print a recorded conversation.",
    "verify": "Ask the live model again what was recorded; say how it drifted.",
    "diff": "Say what differs between runs, baselines, models.",
    "report": "Print a report again, in any form, or send it.",
    "merge": "Join the results of shards.",
    "accept": "Accept what replay says as baseline.",
    "gate": "What CI asks of a branch before it is merged.",
    "golden": "Judge the judge: curated cases against a floor.",
    "scan": "Look for secrets in files before they are committed.",
    "hook": "What git calls around a commit.",
    "cassette": "Bring recordings in and out, look after them.",
}
"""Each is the module of its name in this room: a function of that name, or `app` where it has commands."""

WRAPPING = ("record", "replay")
"""Commands that take a program behind `--`."""


class _Root(TyperGroup):
    """Keeps Ctrl-C apart from a command that returns 130: a newer typer makes the same code of both."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise typer.Abort from stop


def application(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with some of its commands: the parsers of all take longer than a small replay."""
    app = typer.Typer(
        name="kit",
        cls=_Root,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(
        help="Record an LLM agent once against a real model; replay, judge and gate it for ever, offline.",
        epilog=(
            "Exit codes: 0 pass or warn; 1 the gate blocks; 2 usage, configuration or scenario; "
            "3 a cassette is missing, mismatched or has leftovers; 4 environment; 70 bug; 130 interrupted."
        ),
    )(root)
    for name in names:
        module = importlib.import_module(f"kit.cli.{name}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name, short_help=COMMANDS[name])
        else:
            app.command(name, short_help=COMMANDS[name])(getattr(module, name))
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from kit import __version__

        output.line(f"kit {__version__}")
        raise typer.Exit


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
    code = _with_strays(code)
    if argv is None:
        atexit.register(_last_word, code)
        gc.freeze()  # the process ends: its last collections need not look at all that was imported
    sys.exit(code)


def _with_strays(code: int) -> int:
    """Says what tasks and threads tried after their replay was over: no run can say it any more."""
    stray = sys.modules.get("kit.recording.guard.stray")
    if stray is None or not stray.TOLD:
        return code
    for text in stray.TOLD:
        output.problem(text)
    stray.TOLD.clear()
    return EXIT_CASSETTE if code in {0, 1} else code


def _last_word(code: int) -> None:
    """At the end of the process, when threads that were left behind have had their turn."""
    changed = _with_strays(code)
    if changed != code:
        sys.stdout.flush()
        sys.stderr.flush()
        # Too late for any other way to say how it went.
        os._exit(changed)


def _call(words: Sequence[str]) -> object:
    own, program = split_command(words or ["--help"])
    app = application(own[:1]) if own and own[0] in COMMANDS else application()
    return app(own, standalone_mode=False, prog_name="kit", obj=program)
