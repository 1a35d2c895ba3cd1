"""The one place that prints, and the one edge where errors become exit codes (decision 14)."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from kit import clock
from kit.errors import EXIT_BUG, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, KitError, ReplayStop

WrongWords: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""What typer raises for words it does not know; a newer typer brings a click of its own."""


def line(text: str = "") -> None:
    """Print one line, or a block of lines, for the person who typed the command."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def problem(text: str) -> None:
    """Print an error to stderr."""
    sys.stdout.flush()
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


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
        problem("kit: interrupted; what was recorded so far is kept")
        return EXIT_INTERRUPTED
    except WrongWords as error:
        error.show()
        return EXIT_USAGE
    except KitError as error:
        problem(f"kit: {error}")
        return error.exit_code
    except ReplayStop as stop:
        problem(f"kit: {stop}")
        return stop.exit_code
    except BrokenPipeError:
        return EXIT_OK
    except Exception as error:  # noqa: BLE001 - the command line's edge: a bug gets a report, never a bare traceback
        return _bug(error)
    return result if isinstance(result, int) else EXIT_OK


def _bug(error: Exception) -> int:
    text = "".join(traceback.format_exception(error))
    where = Path(".kit") / f"bug-{clock.fresh_id()}.log"
    try:
        if not where.parent.exists():
            where.parent.mkdir()
            (where.parent / ".gitignore").write_text("*\n", encoding="utf-8")
        where.write_text(f"kit {sys.argv}\npython {sys.version}\n\n{text}", encoding="utf-8")
    except OSError:
        problem(text)
    problem(f"kit: a bug in kit, not in your agent: {type(error).__name__}: {error}")
    problem(f"  next: report it with {where} attached")
    return EXIT_BUG
