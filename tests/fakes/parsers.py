"""The parsers of the command line, made once a process: a tenth of each command went into making its own."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import typer
import typer.main

from kit.cli import main


@functools.cache
def keep_parsers() -> None:
    """From now on this process has one parser for each set of commands; none of them remembers a call."""
    made = functools.cache(main.application)

    def application(names: Iterable[str] = main.COMMANDS) -> typer.Typer:
        return made(tuple(names))

    main.application = application
    typer.main.get_command = functools.cache(typer.main.get_command)
