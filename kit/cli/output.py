"""The one place that prints, and the one edge where errors become exit codes (decision 14)."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import typer

from kit import clock
from kit.errors import EXIT_BUG, EXIT_ENVIRONMENT, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, KitError, ReplayStop
from kit.report.plain import plain

WrongWords: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""What typer raises for words it does not know; a newer typer brings a click of its own."""


def line(text: str = "", *, is_styled: bool = False) -> None:
    """Print one line, or a block of lines, for the person who typed the command.

    Args:
        text: what to print; what a model said cannot steer the terminal from it.
        is_styled: the text holds colours, so whoever made it saw to that.
    """
    _write(sys.stdout, text if is_styled else plain(text))


def problem(text: str) -> None:
    """Print an error to stderr."""
    _write(sys.stderr, plain(text))


def tell_interrupted() -> None:
    """Say that somebody ended the command; a limit that ended it says so itself."""
    problem("kit: interrupted")


def is_terminal() -> bool:
    """Whether colours and redrawn lines make sense."""
    return sys.stdout.isatty()


def guarded(call: Callable[[], object]) -> int:
    """Run a command and turn whatever it raises into a message and an exit code.

    Returns:
        The command's own code where it returned or raised one, else the code of the error.
    """
    try:
        result = call()
    except typer.Exit as stop:
        return stop.exit_code
    except (KeyboardInterrupt, typer.Abort):
        tell_interrupted()
        return EXIT_INTERRUPTED
    except WrongWords as error:
        return _mistyped(error)
    except (KitError, ReplayStop) as error:
        problem(f"kit: {error}")
        return error.exit_code
    except OSError as error:
        from kit import durable

        if not durable.is_of_the_disk(error):
            return _bug(error)
        problem(f"kit: {durable.fault('the disk refuses', error.filename or '.kit', error)}")
        return EXIT_ENVIRONMENT
    except Exception as error:  # noqa: BLE001 - the command line's edge: a bug gets a report, never a bare traceback
        return _bug(error)
    return result if isinstance(result, int) else EXIT_OK


def _write(stream: TextIO, text: str) -> None:
    # What a model said may hold half a character, and a terminal may know fewer than Unicode has.
    encoding = stream.encoding or "utf-8"
    shown = text.encode(encoding, "backslashreplace").decode(encoding)
    try:
        stream.write(shown + "\n")
        stream.flush()
    except BrokenPipeError:
        # Whoever read has gone (`kit replay | head`); the exit code must still say how the run ended.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _mistyped(error: Any) -> int:
    context: typer.Context | None = getattr(error, "ctx", None)
    command = context.command_path if context else "kit"
    problem(f"kit: {error.format_message()}\n  next: {command} --help")
    return EXIT_USAGE


def _bug(error: Exception) -> int:
    text = "".join(traceback.format_exception(error))
    where = Path(".kit") / f"bug-{clock.fresh_id()}.log"
    try:
        if not where.parent.exists():
            where.parent.mkdir()
            (where.parent / ".gitignore").write_text("*\n", encoding="utf-8")
        where.write_text(
            f"kit {sys.argv}\npython {sys.version}\n\n{text}", encoding="utf-8", errors="backslashreplace"
        )
    except OSError:
        problem(text)
    problem(f"kit: a bug in kit, not in your agent: {type(error).__name__}: {error}")
    problem(f"  next: report it with {where if where.is_file() else 'the lines above'} attached")
    return EXIT_BUG
