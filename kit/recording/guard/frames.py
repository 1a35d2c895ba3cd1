"""Whose code is at work: finds the program's line behind an operation, for messages and for exceptions."""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Literal

Owner = Literal["program", "library", "stdlib", "kit"]

_KIT = str(Path(__file__).parents[2])
_AGENTS = f"{_KIT}{os.sep}agents{os.sep}"
# Code through which kit calls the program or carries its calls: what happens below it is not kit's own doing.
_CARRIERS = tuple(f"{_KIT}{os.sep}{room}{os.sep}" for room in ("recording", "agent"))
_GUARD = str(Path(__file__).parent) + os.sep
_STDLIB = tuple(
    {os.path.realpath(path) + os.sep for key in ("stdlib", "platstdlib") if (path := sysconfig.get_path(key))}
)
_INTERPRETERS = os.path.realpath(sys.prefix) + os.sep + "bin" + os.sep


@dataclass(frozen=True, slots=True)
class Place:
    """A line of code; its text is `file:line`, the file relative to the working directory if below it."""

    file: str
    line: int

    def __str__(self) -> str:
        here = os.getcwd() + os.sep  # noqa: PTH109 - called inside the audit hook, strings only
        return f"{self.file.removeprefix(here)}:{self.line}"


@lru_cache(maxsize=4096)
def owner(filename: str) -> Owner:
    """Who wrote this file: the program under test, an installed library, Python itself, or kit.

    The parts of kit that only carry a call count as Python itself.
    """
    if filename.startswith("<"):
        return "program" if filename in {"<string>", "<stdin>"} else "stdlib"
    path = os.path.realpath(filename)
    if path.startswith(_AGENTS):
        return "program"
    if path.startswith(_CARRIERS):
        return "stdlib"
    if path.startswith(_KIT + os.sep):
        return "kit"
    if f"{os.sep}site-packages{os.sep}" in path or f"{os.sep}dist-packages{os.sep}" in path:
        return "library"
    if path.startswith(_STDLIB):
        return "stdlib"
    # The console scripts beside the interpreter (`pytest`) only call a library.
    return "library" if path.startswith(_INTERPRETERS) else "program"


def program_place() -> Place:
    """The innermost line of the program itself; else of a library, else of Python."""
    best: dict[Owner, Place] = {}
    for frame in outward():
        whose = owner(frame.f_code.co_filename)
        place = Place(frame.f_code.co_filename, frame.f_lineno)
        if whose == "program":
            return place
        best.setdefault(whose, place)
    return best.get("library") or best.get("stdlib") or best.get("kit") or Place("<unknown>", 0)


_ASKED_AT: ContextVar[Place | None] = ContextVar("kit_asked_at", default=None)


@contextlib.contextmanager
def asked_at(place: Place | None) -> Iterator[None]:
    """Names the program's line for what happens meanwhile, where the stack does not show it."""
    token = _ASKED_AT.set(place)
    try:
        yield
    finally:
        _ASKED_AT.reset(token)


def asking_place() -> Place:
    """The line of the program that asks for something, for messages."""
    return _ASKED_AT.get() or program_place()


def is_kit_at_work(*, through_libraries: bool) -> bool:
    """Whether kit itself, not the program, does this: the innermost code that is not Python's own is kit's.

    Args:
        through_libraries: look past installed libraries too, for a thread that belongs to no run.
    """
    passed = {"stdlib", "library"} if through_libraries else {"stdlib"}
    whose = (owner(frame.f_code.co_filename) for frame in outward())
    return next((one for one in whose if one not in passed), "program") == "kit"


def calling_module() -> str:
    """Name of the standard module that calls `subprocess` or `os`; empty where a library or program does."""
    for frame in outward():
        name = str(frame.f_globals.get("__name__", ""))
        if name in {"subprocess", "os"}:
            continue
        return name if owner(frame.f_code.co_filename) == "stdlib" else ""
    return ""


def outward() -> Iterator[FrameType]:
    """The frames from the innermost outward, without those of the guard."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way to look at callers
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_GUARD):
            yield frame
        frame = frame.f_back
